import * as z from 'zod/mini';

/**
 * The usage view as a document: every text and number is formatted, and every button has the action that it posts. The
 * page only draws it, so that it needs neither translations nor formats of numbers.
 */

export const periods = ['today', 'week', 'days30', 'month'] as const;

/** Longer than any ID of a model. */
const name = z.string().check(z.maxLength(4_000));

/** What calls can be filtered by: a connection's id, a model ID, and a name of `callerName`. */
const filterName = z.enum(['connection', 'model', 'caller']);
export type FilterName = z.infer<typeof filterName>;

/** What the person chose to see, which the page saves. */
export const usageChoice = z.object({
  period: z.enum(periods),
  connection: z.optional(name),
  model: z.optional(name),
  caller: z.optional(name),
  /** Whether the differences from the gateway's log are listed. */
  isDifferences: z.optional(z.boolean()),
});
export type UsageChoice = Readonly<z.infer<typeof usageChoice>>;

/** What the page posts. Without a value, a filter is removed. */
export const usageAction = z.union([
  z.object({
    type: z.enum(['ready', 'showMore', 'match', 'importLog', 'toggleDifferences', 'export', 'openConsole']),
  }),
  z.object({ type: z.literal('period'), period: z.enum(periods) }),
  z.object({ type: z.literal('filter'), by: filterName, value: z.optional(name) }),
  z.object({ type: z.literal('statePrice'), model: name }),
  z.object({ type: z.literal('openConversation'), id: name }),
  z.object({ type: z.literal('broken'), message: name }),
]);
export type UsageAction = Readonly<z.infer<typeof usageAction>>;

export type UsageButton = { readonly text: string; readonly action: UsageAction };

/** One of several, of which one is chosen. */
export type UsageOption = UsageButton & { readonly isChosen: boolean };

export type Tone = 'muted' | 'warning' | 'error';

export type UsageCell = {
  readonly text: string;
  readonly tone?: Tone;
  /** Makes the text a button. */
  readonly action?: UsageAction;
  /** The tooltip. */
  readonly title?: string;
  /** A button after the text. */
  readonly button?: UsageButton;
};

export type UsageColumn = {
  readonly text: string;
  /** `number`: its cells are numbers. How wide the view must be to show it; by default it is always shown. */
  readonly look?: 'number' | 'medium' | 'wide' | 'number medium' | 'number wide';
};

export type UsageTable = {
  readonly title: string;
  readonly columns: readonly UsageColumn[];
  /** The first cell of each names the row. */
  readonly rows: readonly (readonly UsageCell[])[];
  /** A click anywhere on a row does what its first cell does. */
  readonly isRowClickable?: true;
  readonly notes?: readonly UsageNote[];
  readonly button?: UsageButton;
};

export type UsageNote = { readonly text: string; readonly button?: UsageButton | undefined };

export type UsageFigure = {
  readonly value: string;
  /** The exact amount of a value that can be "under $0.001". */
  readonly title?: string;
  readonly text: string;
  readonly bar?: {
    /** What screen readers read. */
    readonly label: string;
    /** The full part, from 0 to 1. */
    readonly share: number;
  };
};

export type UsageNotice = UsageNote & { readonly icon?: 'check' | 'warning' | undefined };

export type UsageChart = {
  readonly title: string;
  readonly note?: string;
  /** What screen readers read. */
  readonly label: string;
  /** Lines across the chart; places are from 0 to 1. */
  readonly ticks: readonly { readonly text: string; readonly at: number }[];
  /** `parts`: the heights of the parts from the bottom up, from 0 to 1, in the order of `legend`. */
  readonly bars: readonly { readonly text: string; readonly title: string; readonly parts: readonly number[] }[];
  readonly legend: readonly string[];
};

export type UsageDocument = {
  readonly title: string;
  /** Without options when there is only one connection. */
  readonly connections: { readonly label: string; readonly options: readonly UsageOption[] };
  readonly periods: { readonly label: string; readonly options: readonly UsageOption[] };
  readonly buttons: readonly UsageButton[];
  /** The filters; each button removes one. */
  readonly filters: readonly (UsageButton & { readonly title: string })[];
  readonly figures: readonly UsageFigure[];
  readonly notices: readonly UsageNotice[];
  readonly chart?: UsageChart;
  readonly tables: readonly UsageTable[];
  /** Why there are no calls to show. */
  readonly empty?: { readonly title: string; readonly text: string } | undefined;
  /** What screen readers hear after a choice. */
  readonly status: string;
  /** What the page saves, so that a reload of the window shows the same. */
  readonly choice: UsageChoice;
};
