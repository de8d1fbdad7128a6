import * as l10n from '@vscode/l10n';
import { dateText, numberText, plural, sentences } from '../base/localization.ts';
import { sumsText } from '../base/money.ts';
import { visibleText } from '../base/visibleText.ts';
import type { UsageSums, UsageTotals } from './usageTotals.ts';

/** The sums of a span of time, with its name, such as “Today”. */
export type UsageSpan = { readonly title: string; readonly totals: UsageTotals };

/** Gives the name of a connection, or its id if it was removed. */
type NameOf = (connectionId: string) => string;

/**
 * Formats sums as a Markdown document for reading. A figure that no gateway reported is shown as unknown, never as 0.
 *
 * @param later the calls that are dated after today, because the clock was set back, and that no span has.
 */
export function usageReport(spans: readonly UsageSpan[], later: number, now: number, connectionName: NameOf): string {
  const parts = spans.flatMap(({ title, totals }) => ['', `## ${title}`, '', ...spanLines(totals, connectionName)]);
  return [
    `# ${l10n.t('Usage of Ask Model')}`,
    '',
    sentences(
      l10n.t('Paid calls from this computer, as of {0}.', dateText(now)),
      l10n.t(
        "Tokens and costs are as reported by the gateways. The usage log in a gateway's console shows what was charged.",
      ),
    ),
    ...laterLines(later),
    ...parts,
    '',
  ].join('\n');
}

function spanLines(totals: UsageTotals, connectionName: NameOf): string[] {
  if (totals.calls === 0) {
    return [l10n.t('No calls.'), ...unreadableLines(totals)];
  }
  return [
    ...table([l10n.t('Model')], rowsOf(totals.byModel), totals),
    // A single row would only repeat the total.
    ...(totals.byConnection.size > 1 ? connectionTables(totals, connectionName) : []),
    ...(totals.byCaller.size > 1 ? ['', ...table([l10n.t('Used by')], rowsOf(totals.byCaller, callerText))] : []),
    ...noteLines(totals),
    ...unreadableLines(totals),
  ];
}

/** The sums of each connection, and then those of its models. */
function connectionTables({ byConnection, modelsByConnection }: UsageTotals, connectionName: NameOf): string[] {
  const label = l10n.t('Connection');
  const models = mostUsedFirst(byConnection).flatMap(([id]) =>
    mostUsedFirst(modelsByConnection.get(id) ?? new Map()).map(([model, sums]) => ({
      names: [connectionName(id), model],
      sums,
    })),
  );
  return ['', ...table([label], rowsOf(byConnection, connectionName)), '', ...table([label, l10n.t('Model')], models)];
}

/** A row of a table. */
type Row = { readonly names: readonly string[]; readonly sums: UsageSums };

function rowsOf(sums: ReadonlyMap<string, UsageSums>, nameOf: (key: string) => string = (key) => key): Row[] {
  return mostUsedFirst(sums).map(([key, each]) => ({ names: [nameOf(key)], sums: each }));
}

function mostUsedFirst(sums: ReadonlyMap<string, UsageSums>): (readonly [string, UsageSums])[] {
  return [...sums].sort(([, one], [, other]) => other.calls - one.calls);
}

/** A table; with `all`, its last row is the total. */
function table(labels: readonly string[], rows: readonly Row[], all?: UsageSums): string[] {
  const heads = [
    ...labels,
    l10n.t('Calls'),
    l10n.t('Input'),
    l10n.t('Cached'),
    l10n.t('Output'),
    l10n.t('Reasoning'),
    l10n.t('Cost'),
  ];
  const body = [
    ...rows.map(({ names, sums }) => [...names.map(cell), ...figures(sums)]),
    ...(all === undefined ? [] : [[`**${l10n.t('Total')}**`, ...figures(all)]]),
  ];
  return aligned(heads, body, labels.length);
}

function figures(sums: UsageSums): string[] {
  const unknown = l10n.t('unknown');
  // Nothing was reported for any of these calls.
  const isUnknown = sums.unreported > 0 && sums.inputTokens + sums.outputTokens === 0;
  const tokens = (count: number) => (isUnknown ? unknown : numberText(count));
  return [
    numberText(sums.calls),
    tokens(sums.inputTokens),
    tokens(sums.cachedTokens),
    tokens(sums.outputTokens),
    tokens(sums.reasoningTokens),
    sumsText(sums.costs) || unknown,
  ];
}

/** What the sums leave out. */
function noteLines({ unreported, states }: UsageTotals): string[] {
  const notes = [
    unreported > 0 &&
      plural(
        unreported,
        l10n.t('The gateway reported no tokens for {0} call.', numberText(unreported)),
        l10n.t('The gateway reported no tokens for {0} calls.', numberText(unreported)),
      ),
    states.unknown > 0 &&
      plural(
        states.unknown,
        l10n.t('The outcome of {0} call is unknown. It may have been charged.', numberText(states.unknown)),
        l10n.t('The outcome of {0} calls is unknown. They may have been charged.', numberText(states.unknown)),
      ),
    states.notSent > 0 &&
      plural(
        states.notSent,
        l10n.t('{0} call never reached the gateway.', numberText(states.notSent)),
        l10n.t('{0} calls never reached the gateway.', numberText(states.notSent)),
      ),
  ].filter((note) => note !== false);
  return notes.flatMap((note) => ['', note]);
}

function laterLines(later: number): string[] {
  return later === 0
    ? []
    : [
        '',
        plural(
          later,
          l10n.t(
            "{0} call is dated after today and isn't counted. This computer's clock was set back after it.",
            numberText(later),
          ),
          l10n.t(
            "{0} calls are dated after today and aren't counted. This computer's clock was set back after them.",
            numberText(later),
          ),
        ),
      ];
}

function unreadableLines({ unreadable }: UsageTotals): string[] {
  return unreadable === 0
    ? []
    : [
        '',
        plural(
          unreadable,
          l10n.t('{0} line of the usage data is damaged and was skipped.', numberText(unreadable)),
          l10n.t('{0} lines of the usage data are damaged and were skipped.', numberText(unreadable)),
        ),
      ];
}

/** What a caller is called; see `callerName`. */
function callerText(name: string): string {
  switch (name) {
    case 'panel':
      return l10n.t('Panel');
    case 'comparison':
      return l10n.t('Comparison');
    case 'extension':
      return l10n.t('Another extension');
    default:
      return name.replace(/^extension:/, '');
  }
}

/** A name as it is: models, connections and extensions are named from outside. */
function cell(text: string): string {
  return visibleText(text).replaceAll(/[\\`*_{}[\]<>()#|~]/g, '\\$&');
}

/** A Markdown table whose columns are also aligned in its source; those after the first few, to the right. */
function aligned(heads: readonly string[], body: readonly (readonly string[])[], leftAligned: number): string[] {
  const widths = heads.map((_, at) => Math.max(3, ...[heads, ...body].map((cells) => widthOf(cells[at] ?? ''))));
  const row = (cells: readonly string[]) =>
    `| ${cells.map((text, at) => padded(text, (widths[at] ?? 0) - widthOf(text), at >= leftAligned)).join(' | ')} |`;
  const rule = widths.map((width, at) => (at < leftAligned ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [row(heads), row(rule), ...body.map(row)];
}

function padded(text: string, blanks: number, isRight: boolean): string {
  return isRight ? `${' '.repeat(blanks)}${text}` : `${text}${' '.repeat(blanks)}`;
}

/** The columns that a text takes in an editor, where a Chinese character takes two. */
function widthOf(text: string): number {
  return text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);
}
