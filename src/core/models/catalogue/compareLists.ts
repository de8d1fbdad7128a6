import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';
import { redact } from '../../secrets/redact.ts';
import { leftOutModels } from '../list/leftOutModels.ts';
import type { ModelList } from '../list/model.ts';
import { modelCount } from '../list/modelCount.ts';
import { sortedByIds } from '../list/sortedByIds.ts';

/** The list that the key of one connection can read; never the key itself. */
export type ComparedList = {
  /** The connection's name. */
  readonly name: string;
  readonly host: string;
  /** The person's note about the connection, such as the group of its key. */
  readonly note?: string;
  readonly list: ModelList;
  /** Unix milliseconds. */
  readonly readAt: number;
};

/** Exact ids, in the order of `sortedByIds`. */
export type ListComparison = {
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly both: readonly string[];
};

/** Compares two lists by exact id; ids that differ in case are different models. */
export function compareLists(
  a: Pick<ComparedList, 'name' | 'list'>,
  b: Pick<ComparedList, 'name' | 'list'>,
): ListComparison {
  const [inA, inB] = [idsOf(a.list), idsOf(b.list)];
  const sorted = (ids: Iterable<string>) => sortedByIds([...ids], (id) => id);
  return {
    onlyA: sorted([...inA].filter((id) => !inB.has(id))),
    onlyB: sorted([...inB].filter((id) => !inA.has(id))),
    both: sorted([...inA].filter((id) => inB.has(id))),
  };
}

function idsOf({ models }: ModelList): Set<string> {
  return new Set(models.map(({ id }) => id));
}

/** Writes the comparison as a Markdown document. Text from the person and the gateway is escaped. */
export function comparisonDocument(a: ComparedList, b: ComparedList): string {
  const { onlyA, onlyB, both } = compareLists(a, b);
  const [nameA, nameB] = namesOf(a, b);
  const sizes = contextDifferences(a.list, b.list, both);
  return [
    `# ${l10n.t('Models of two keys: {0} and {1}', nameA, nameB)}`,
    '',
    ...factsOf(nameA, a),
    ...factsOf(nameB, b),
    '',
    [
      l10n.t('Only {0}: {1}', nameA, modelCount(onlyA.length)),
      l10n.t('Only {0}: {1}', nameB, modelCount(onlyB.length)),
      l10n.t('Both: {0}', modelCount(both.length)),
    ].join(' · '),
    '',
    ...section(l10n.t('Only {0}', nameA), onlyA),
    ...section(l10n.t('Only {0}', nameB), onlyB),
    ...section(l10n.t('Both'), both),
    ...(sizes.length === 0 ? [] : [`## ${l10n.t('Different context sizes')}`, '']),
    ...sizes.map(({ id, a: inA, b: inB }) => {
      const [sizeA, sizeB] = [numberText(inA), numberText(inB)];
      return `- ${l10n.t('{0}: {1} tokens in {2}, {3} tokens in {4}', code(id), sizeA, nameA, sizeB, nameB)}`;
    }),
    ...(sizes.length === 0 ? [] : ['']),
  ].join('\n');
}

/** Makes the names distinct: adds the hosts to equal names, or `first` and `second` if the hosts are equal too. */
function namesOf(a: ComparedList, b: ComparedList): [string, string] {
  if (a.name !== b.name) {
    return [plain(a.name), plain(b.name)];
  }
  return a.host === b.host
    ? [l10n.t('{0} (first)', plain(a.name)), l10n.t('{0} (second)', plain(b.name))]
    : [`${plain(a.name)} (${plain(a.host)})`, `${plain(b.name)} (${plain(b.host)})`];
}

function factsOf(name: string, { host, note, list, readAt }: ComparedList): string[] {
  const { models, dropped } = list;
  const leftOut = leftOutModels(list);
  const time = localIsoTime(readAt);
  return [
    `- ${l10n.t('{0}: {1}, {2}, read at {3}', name, plain(host), modelCount(models.length), time)}`,
    ...(dropped > 0 ? [`  - ${droppedText(dropped)}`] : []),
    ...(leftOut === '' ? [] : [`  - ${leftOut}`]),
    ...(note === undefined || note.trim() === '' ? [] : [`  - ${l10n.t('Note: {0}', plain(note))}`]),
  ];
}

function droppedText(count: number): string {
  return plural(
    count,
    l10n.t('{0} item without a usable ID is left out.', numberText(count)),
    l10n.t('{0} items without a usable ID are left out.', numberText(count)),
  );
}

function section(title: string, ids: readonly string[]): string[] {
  const items = ids.length === 0 ? [l10n.t('None.')] : ids.map((id) => `- ${code(id)}`);
  return [`## ${title} (${numberText(ids.length)})`, '', ...items, ''];
}

/** Models of both lists whose stated context sizes differ; a size that only one list states is not a difference. */
function contextDifferences(a: ModelList, b: ModelList, both: readonly string[]) {
  const sizes = (list: ModelList) => new Map(list.models.map(({ id, contextTokens }) => [id, contextTokens]));
  const [inA, inB] = [sizes(a), sizes(b)];
  return both.flatMap((id) => {
    const [sizeA, sizeB] = [inA.get(id), inB.get(id)];
    return sizeA === undefined || sizeB === undefined || sizeA === sizeB ? [] : [{ id, a: sizeA, b: sizeB }];
  });
}

/**
 * Writes an exact id as a code span, with a fence longer than any backtick run inside (CommonMark 6.1). An id with line
 * breaks or invisible characters is written as a JSON string.
 */
function code(id: string): string {
  const text = /[\p{C}\p{Zl}\p{Zp}]/u.test(id) ? visible(JSON.stringify(id)) : id;
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function visible(json: string): string {
  return json.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** Makes a text one line of at most 300 characters, redacts keys, and escapes Markdown and HTML. */
function plain(text: string): string {
  return redact(text)
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

/** Local time with its UTC offset, such as `2026-11-21T18:24:59+01:00`. */
function localIsoTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
