/**
 * The whole treaty between the extension host and the conversation panel.
 *
 * State lives in the host; the panel is a picture of it. The panel says `ready`, the host answers with one
 * `snapshot`, and from then on with news. Whatever comes from the panel is parsed here before anyone reads it: the
 * panel shows text written by models and is not trusted. The panel imports this file as types only, because zod at run
 * time would cost it more than all its own code.
 */
import * as z from 'zod/mini';

/** Where a reply stands. Only `waiting` and `streaming` are still running; the other four are final. */
export type ReplyState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'incomplete' | 'failed';

/**
 * What a button of an error card, or one under an answer, may ask for. Everything else a person can do has a message of
 * its own.
 */
export const troubleActions = [
  'sendAgain',
  'sendWithoutUsage',
  'askOther',
  'continue',
  'chooseModel',
  'editAddress',
  'replaceKey',
  'copyReport',
  'showLog',
  'checkConnection',
  'editConnection',
  'openConsole',
  'proxySettings',
  'newConversation',
] as const;
export type TroubleAction = (typeof troubleActions)[number];

/** The buttons that are a paid call each; the host answers them with `sent` or `notSent`. */
export const payingActions = ['sendAgain', 'sendWithoutUsage', 'askOther', 'continue'] as const;
export type PayingAction = (typeof payingActions)[number];

/** What a person may do with a block of code in a reply; copying it needs no more than its text. */
export const codeActions = ['insert', 'replace', 'apply', 'newFile'] as const;
export type CodeAction = (typeof codeActions)[number];

/** One piece of context that goes, or went, along with a question. */
export type ChipView = {
  readonly id: string;
  /** `other`: a later version knows what it is. */
  readonly kind: 'selection' | 'file' | 'symbol' | 'problems' | 'other';
  /** What it is, for instance `src/cart/discount.ts`. */
  readonly label: string;
  /** Quiet addition to the label: line range, estimated tokens. */
  readonly detail: string;
  /** All of it in words, where label and detail do not say everything. */
  readonly hint?: string;
  /** The file that its code is from. */
  readonly file?: string;
};

/** An error or a warning in place: what happened, what to do, the gateway's own words, one primary button. */
export type TroubleView = {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly remedy: string;
  /** The gateway's own words, redacted. */
  readonly words?: string;
  /** Status, code, request id: short facts in this order. */
  readonly facts: readonly string[];
  /** The first one is the primary one. */
  readonly actions: readonly { readonly action: TroubleAction; readonly label: string }[];
  /** Unix milliseconds until which the gateway asks to wait. */
  readonly waitUntil?: number;
};

export type ReplyView = {
  readonly id: string;
  /** Exact id the question was sent with. */
  readonly model: string;
  /** Name the gateway answered with, only when it differs. */
  readonly echoedModel?: string;
  readonly state: ReplyState;
  /** Markdown as the model wrote it; never markup of ours. */
  readonly text: string;
  readonly reasoning: string;
  /** Unix milliseconds, for the running clock while one waits. */
  readonly startedAt: number;
  /** How long the model thought before its first answer text, in milliseconds. */
  readonly reasoningMs?: number;
  /** The muted line under a finished reply, fact by fact; unknown is said in words. */
  readonly footer: readonly string[];
  /** What the gateway calls this request, once it has ended; undefined too where a card names it. */
  readonly requestId?: string;
  readonly trouble?: TroubleView;
  /** The paid calls that are offered under it, beyond those of its card. */
  readonly retries: readonly RetryAction[];
};

/** Ways to get another reply to the same question. */
export type RetryAction = Extract<PayingAction, 'sendAgain' | 'askOther'>;

/** The reply without its text, which the panel already has from the deltas. `length` lets it notice a gap. */
export type ReplyNews = Omit<ReplyView, 'text' | 'reasoning'> & {
  /** UTF-16 units of text and reasoning together. */
  readonly length: number;
};

/** Which of several is shown; the neighbours are what there is to go to. */
export type SwitchView = {
  /** Counted from 1. */
  readonly at: number;
  readonly of: number;
  readonly previous?: string;
  readonly next?: string;
};

/** One of the models that a question was compared between. */
export type ColumnView = {
  readonly reply: ReplyView;
  /** Only when the model was asked again; the ids are those of the column’s own replies. */
  readonly replies?: SwitchView;
  /** The conversation goes on from this one. */
  readonly isKept?: true;
};

export type TurnView = {
  readonly id: string;
  readonly question: { readonly text: string; readonly chips: readonly ChipView[] };
  readonly reply: ReplyView;
  /** Only when the question was compared and its answers are to be seen side by side; `reply` is not shown then. */
  readonly columns?: readonly ColumnView[];
  /** The question was compared, and its answers can be seen side by side again. */
  readonly canCompare?: true;
  /** Only when the question got several replies; the ids are theirs. */
  readonly replies?: SwitchView;
  /** Only when several questions stand at this place; the ids are those of their turns. */
  readonly questions?: SwitchView;
};

export type ComposerView = {
  /** Exact id of the model the next question goes to; absent when none is chosen yet. */
  readonly model?: string;
  /** Host it would go to; absent without a connection. */
  readonly host?: string;
  readonly chips: readonly ChipView[];
  /** Estimated prompt tokens of conversation and chips, without the draft. */
  readonly tokens: number;
  /** What was typed and not sent. */
  readonly draft: string;
  /** The turn whose question is being edited: draft and chips are its, and sending makes a branch beside it. */
  readonly editing?: string;
  /** The reply that is running in this conversation, or the action that is about to become one: Send is Stop then. */
  readonly runningReply?: string;
  /** How many are running, where it is more than one: Stop ends them all. */
  readonly runningReplies?: number;
  /** Why nothing can be sent yet, calmly: what is to be done first. */
  readonly due?: string;
};

/** News from the host. `delta` and `reply` go to a reply by its id; the panel drops what it does not know. */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly title: string;
      readonly turns: readonly TurnView[];
      readonly composer: ComposerView;
    }
  /** The turns right before all that were told, for those of a long conversation that are not in the first snapshot. */
  | { readonly type: 'earlier'; readonly turns: readonly TurnView[] }
  | { readonly type: 'turn'; readonly turn: TurnView }
  | { readonly type: 'delta'; readonly replyId: string; readonly text: string; readonly reasoning: string }
  | { readonly type: 'reply'; readonly reply: ReplyNews }
  | { readonly type: 'composer'; readonly composer: ComposerView }
  /** The composer's text is replaced only by these two, and where editing begins or ends, so that typing is never overwritten by news. */
  | { readonly type: 'sent'; readonly sendId: string }
  | { readonly type: 'notSent'; readonly sendId: string; readonly reason: string }
  | { readonly type: 'focus' }
  /** The person wants to see this turn. */
  | { readonly type: 'leadTo'; readonly turnId: string }
  /** There is somebody behind the panel; the answer to `ping`. */
  | { readonly type: 'alive' };

const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Longer than any question a model could take, short enough that a broken panel can not fill the host's memory. */
const text = z.string().check(z.maxLength(8_000_000));

/**
 * A wish of the panel. `sendId` is made once for one click or Enter, so that the same wish can never be paid twice;
 * `editing` says which turn's question the text is, so that no text is taken for another.
 */
export const panelMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('send'), sendId: id, text, editing: z.optional(id) }),
  /** `replyId` is also that of a `send` or an `act` whose reply is not known yet: nothing is sent then, or it ends. */
  z.object({ type: z.literal('stop'), replyId: id }),
  z.object({ type: z.literal('stopAll') }),
  /** `replyId` says which one is meant of those side by side. */
  z.object({
    type: z.literal('act'),
    sendId: id,
    turnId: id,
    replyId: z.optional(id),
    action: z.enum(troubleActions),
  }),
  z.object({ type: z.literal('edit'), turnId: id }),
  z.object({ type: z.literal('cancelEdit') }),
  z.object({ type: z.literal('chooseReply'), replyId: id }),
  z.object({ type: z.literal('chooseTurn'), turnId: id }),
  /** Of the answers side by side, the conversation goes on from this one. */
  z.object({ type: z.literal('keep'), replyId: id }),
  z.object({ type: z.literal('compareAgain'), turnId: id }),
  z.object({ type: z.literal('copy'), text }),
  /** `block` counts the blocks of the reply from 0; `fence` is what stands behind the back-ticks that open it. */
  z.object({
    type: z.literal('useCode'),
    action: z.enum(codeActions),
    replyId: id,
    block: z.number().check(z.int(), z.minimum(0), z.maximum(100_000)),
    fence: z.string().check(z.maxLength(1_000)),
    text,
  }),
  z.object({ type: z.literal('openLink'), href: z.string().check(z.maxLength(8_192)) }),
  z.object({ type: z.literal('chooseModel') }),
  z.object({ type: z.literal('addContext') }),
  z.object({ type: z.literal('removeChip'), id }),
  z.object({ type: z.literal('draft'), text, editing: z.optional(id) }),
  /** Both show a document and send nothing: what the text in the box would send, and what a reply was asked with. */
  z.object({ type: z.literal('showRequest'), text, editing: z.optional(id) }),
  z.object({ type: z.literal('showSent'), replyId: id }),
  z.object({ type: z.literal('broken'), message: z.string().check(z.maxLength(4_000)) }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;
