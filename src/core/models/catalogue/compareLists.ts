import { redact } from '../../secrets/redact.ts';
import { leftOutForKey } from '../list/leftOutForKey.ts';
import type { ModelList } from '../list/model.ts';
import { sortedByIds } from '../list/sortedByIds.ts';

/** What one key sees, and whose it is; never the key itself. */
export type ComparedList = {
  /** The connection's name. */
  readonly name: string;
  readonly host: string;
  /** The person's own words, such as the group the key is in. */
  readonly note?: string;
  readonly list: ModelList;
  /** Unix milliseconds. */
  readonly readAt: number;
};

/** Exact ids, in the order of every list. */
export type ListComparison = {
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly both: readonly string[];
};

/** Tells two lists apart by exact id: letters in another case are another model. */
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

/** The comparison as a Markdown text a person can keep. Nothing in it but our own headings is Markdown. */
export function comparisonDocument(a: ComparedList, b: ComparedList): string {
  const { onlyA, onlyB, both } = compareLists(a, b);
  const [nameA, nameB] = namesOf(a, b);
  const sizes = contextDifferences(a.list, b.list, both);
  return [
    `# What two keys see: ${nameA} and ${nameB}`,
    '',
    ...factsOf(nameA, a),
    ...factsOf(nameB, b),
    '',
    `Only ${nameA}: ${counted(onlyA.length)}. Only ${nameB}: ${counted(onlyB.length)}. Both: ${counted(both.length)}.`,
    '',
    ...section(`Only ${nameA}`, onlyA),
    ...section(`Only ${nameB}`, onlyB),
    ...section('Both', both),
    ...(sizes.length === 0 ? [] : [`## Another context size`, '']),
    ...sizes.map(({ id, a: inA, b: inB }) => `- ${code(id)}: ${tokens(inA)} in ${nameA}, ${tokens(inB)} in ${nameB}`),
    ...(sizes.length === 0 ? [] : ['']),
  ].join('\n');
}

/** Two connections of one name are told apart by their host, or else by their place. */
function namesOf(a: ComparedList, b: ComparedList): [string, string] {
  if (a.name !== b.name) {
    return [plain(a.name), plain(b.name)];
  }
  return a.host === b.host
    ? [`${plain(a.name)} (first)`, `${plain(b.name)} (second)`]
    : [`${plain(a.name)} (${plain(a.host)})`, `${plain(b.name)} (${plain(b.host)})`];
}

function factsOf(name: string, { host, note, list, readAt }: ComparedList): string[] {
  const dropped = list.dropped > 0 ? `; ${list.dropped} items without a usable id are left out` : '';
  return [
    `- ${name}: ${plain(host)}, ${counted(list.models.length)}${dropped}, read ${localIsoTime(readAt)}`,
    ...(list.withKey === undefined ? [] : [`  - ${leftOutForKey(list)}`]),
    ...(note === undefined || note.trim() === '' ? [] : [`  - Note: ${plain(note)}`]),
  ];
}

function section(title: string, ids: readonly string[]): string[] {
  return [`## ${title} (${ids.length})`, '', ...(ids.length === 0 ? ['None.'] : ids.map((id) => `- ${code(id)}`)), ''];
}

/** Models both see, whose stated context size is not the same; a size only one of them states is no difference. */
function contextDifferences(a: ModelList, b: ModelList, both: readonly string[]) {
  const sizes = (list: ModelList) => new Map(list.models.map(({ id, contextTokens }) => [id, contextTokens]));
  const [inA, inB] = [sizes(a), sizes(b)];
  return both.flatMap((id) => {
    const [sizeA, sizeB] = [inA.get(id), inB.get(id)];
    return sizeA === undefined || sizeB === undefined || sizeA === sizeB ? [] : [{ id, a: sizeA, b: sizeB }];
  });
}

function counted(count: number): string {
  return count === 1 ? '1 model' : `${count} models`;
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`;
}

/**
 * An exact id as a code span, whose fence is longer than any inside (CommonMark 6.1). What a line can not hold or an
 * eye can not see stands as a JSON string.
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

/** A person's words in one line, with nothing left that Markdown or HTML would act on. A key in them is taken out. */
function plain(text: string): string {
  return redact(text)
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&');
}

/** `2026-11-21T18:24:59+01:00`: the time of the person's own clock, and where that is. */
function localIsoTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const two = (value: number) => String(Math.trunc(value)).padStart(2, '0');
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}
