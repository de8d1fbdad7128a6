import * as l10n from '@vscode/l10n';
import { type CodePlace, indentOf, lineBreakOf, linesOf, placesOf, wholeLines, withLineBreak } from './codeTarget.ts';
import { fitCode, lineOffsets } from './fitCode.ts';
import { endOfItem } from './locateCode.ts';
import type { Hunk } from './readBlock.ts';

/** Each is looked for in the whole file. */
const maxHunks = 200;

/**
 * Applies hunks to a file: each must be found exactly once, first as it is, then without regard to indentation, then to
 * characters that look alike.
 *
 * @returns one change that contains all of them, or the reason why they can't be applied.
 */
export function applyHunks(
  file: string,
  hunks: readonly Hunk[],
  name: string,
): { readonly place: CodePlace; readonly code: string } | string {
  if (hunks.length > maxHunks) {
    return l10n.t('This change has more than {0} parts. Nothing was changed. Ask for the whole file.', maxHunks);
  }
  const lines = linesOf(file);
  const forms = [(line: string) => line, (line: string) => line.trim(), plainForm].map((form) => ({
    form,
    own: lines.map(form),
  }));
  const found: { readonly place: CodePlace; readonly code: string }[] = [];
  for (const [index, { search, replace, scope }] of hunks.entries()) {
    if (search.trim() === '') {
      if (file.trim() !== '' || hunks.length > 1) {
        return l10n.t('Part {0} of this change has no lines to look for in {1}. Nothing was changed.', index + 1, name);
      }
      return { place: wholeLines(lines, 0, lines.length - 1), code: `${replace}\n` };
    }
    const wanted = linesOf(search);
    const inForms = forms.map(({ form, own }) => placesOf(own, wanted.map(form)));
    const isExact = inForms[0]?.length !== 0;
    const all = inForms.find(({ length }) => length > 0) ?? [];
    const inScope = all.length > 1 ? placesIn(lines, scope, all) : [];
    const places = inScope.length > 0 ? inScope : all;
    const [start] = places;
    const place = start === undefined ? undefined : wholeLines(lines, start, start + wanted.length - 1);
    const code = place && (isExact ? linesOf(replace).join(lineBreakOf(file)) : indented(file, place, search, replace));
    if (places.length < 2 && (place === undefined || code === undefined)) {
      return l10n.t(
        'Part {0} of this change was not found in {1}: "{2}". Nothing was changed.',
        index + 1,
        name,
        firstOf(wanted),
      );
    }
    if (place === undefined || code === undefined || places.length > 1) {
      return l10n.t(
        'Part {0} of this change is in several places of {1}: "{2}". Nothing was changed. Ask for a change with more lines around it.',
        index + 1,
        name,
        firstOf(wanted),
      );
    }
    found.push({ place, code });
  }
  found.sort((a, b) => a.place.startLine - b.place.startLine);
  if (found.some(({ place }, index) => place.startLine <= (found[index - 1]?.place.endLine ?? -1))) {
    return l10n.t('Two parts of this change overlap in {0}. Nothing was changed.', name);
  }
  // Removed lines go with their line breaks.
  const parts = found.map(({ place, code }) => ({ place: code === '' ? withLineBreak(lines, place) : place, code }));
  const { startLine = 0, startCharacter = 0 } = parts[0]?.place ?? {};
  const { endLine = 0, endCharacter = 0 } = parts.at(-1)?.place ?? {};
  const starts = lineOffsets(file);
  let all = '';
  let at = (starts[startLine] ?? 0) + startCharacter;
  for (const { place, code } of parts) {
    all += file.slice(at, (starts[place.startLine] ?? 0) + place.startCharacter) + code;
    at = (starts[place.endLine] ?? 0) + place.endCharacter;
  }
  return { place: { startLine, startCharacter, endLine, endCharacter }, code: all };
}

/** The places inside the class, function or the like that a diff names; none unless its beginning is in the file once. */
function placesIn(lines: readonly string[], scope: Hunk['scope'] = [], places: readonly number[]): readonly number[] {
  let [start, end] = [0, scope.length > 0 ? lines.length - 1 : -1];
  for (const begin of scope) {
    const found = [...lines.keys()].filter((at) => at >= start && at <= end && lines[at]?.trim().startsWith(begin));
    const [only = lines.length] = found.length === 1 ? found : [];
    [start, end] = [only, endOfItem(lines, only)];
  }
  return places.filter((at) => at >= start && at <= end);
}

/**
 * A line without its indentation and with the characters that models write for others: they rarely return other dashes,
 * quotes and blanks, or letters in two parts (openai/codex#610, anomalyco/opencode#31651).
 */
function plainForm(line: string): string {
  return line
    .trim()
    .normalize('NFC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/\p{Zs}/gu, ' ');
}

/**
 * New lines with the indentation of the file, where the old ones have another; undefined if it differs from line to
 * line, and the new ones would be indented wrongly (codex#30505).
 */
function indented(file: string, place: CodePlace, search: string, replace: string): string | undefined {
  const bare = (lines: readonly string[]) =>
    lines
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/^\n+|\n+$/g, '');
  const oldLines = linesOf(file).slice(place.startLine, place.endLine + 1);
  const old = bare(oldLines);
  // Unchanged lines keep their characters.
  const kept = new Map(linesOf(search).map((line, at) => [line, indentOf(line) + (oldLines[at] ?? '').trim()]));
  const withKept = (text: string) =>
    linesOf(text)
      .map((line) => kept.get(line) ?? line)
      .join('\n');
  const from = withKept(search);
  if (bare(linesOf(from)) === old) {
    return linesOf(withKept(replace)).join(lineBreakOf(file));
  }
  const selected = [from, ''].find((text) => bare(linesOf(fitCode(file, place, from, text))) === old);
  return selected === undefined ? undefined : fitCode(file, place, withKept(replace), selected);
}

function firstOf(lines: readonly string[]): string {
  return (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, 80);
}
