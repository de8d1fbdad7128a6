import * as l10n from '@vscode/l10n';
import { FencedCode } from '../../base/fencedCode.ts';
import { contextLine } from '../context/contextText.ts';
import type { CodeContext } from '../context/prompt.ts';
import { applyHunks } from './applyHunks.ts';
import { type CodePlace, linesOf, normalizePlace, placesOf, wholeLines, withLineBreak } from './codeTarget.ts';
import { fitCode, lineOffsets, withCode } from './fitCode.ts';
import { locateCode } from './locateCode.ts';
import { findOmission } from './omission.ts';
import { readBlock, withoutPathLine } from './readBlock.ts';

/** The question of an edit in place: what to change in the lines of a context, and the form of the answer. */
export function editQuestion(instruction: string, code: CodeContext): string {
  const form = l10n.t(
    'Answer with one code block that has only the new text for {0}: all of it, with its indentation. Leave nothing out, and write nothing else.',
    contextLine(code),
  );
  return `${instruction.trim()}\n\n${form}`;
}

/** A code block of an answer, with the line of the answer before it. */
type AnswerBlock = { readonly fence: string; readonly text: string; readonly lead: string };

/** Finds the only code block of an answer. @returns a reason when there isn't exactly one, or its end is missing. */
export function onlyBlock(answer: string): AnswerBlock | string {
  const found: AnswerBlock[] = [];
  const lines = linesOf(answer);
  for (let at = 0; at < lines.length; at++) {
    const [, fence, info = ''] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) {
      continue;
    }
    const code = new FencedCode(fence, info);
    const end = lines.findIndex((line, index) => index > at && code.endsAt(line, lines[index + 1] ?? ''));
    if (end === -1) {
      return l10n.t('The code block of this answer has no end.');
    }
    const lead = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
    found.push({ fence: info.trim(), text: lines.slice(at + 1, end).join('\n'), lead });
    at = end;
  }
  const [block] = found;
  return block === undefined
    ? l10n.t('This answer has no code block.')
    : found.length > 1
      ? l10n.t("This answer has several code blocks, so it isn't clear which one to use.")
      : block;
}

/**
 * Reads the new text for some lines from an answer.
 *
 * @param selected the lines as they were sent.
 * @returns a reason when it can't be used: several blocks, parts that are left out, or a diff of other lines.
 */
export function readEdit(
  answer: string,
  { text: selected, languageId, path }: Pick<CodeContext, 'text' | 'languageId' | 'path'>,
): { readonly code: string } | { readonly reason: string } {
  const block = onlyBlock(answer);
  if (typeof block === 'string') {
    // Some models leave out the fences when they are asked for code alone.
    return /^ {0,3}(?:`{3}|~{3})/m.test(answer) || !hasLineOf(answer, selected)
      ? { reason: block }
      : complete(answer, selected, languageId);
  }
  const { fence, text, lead } = block;
  const edits = languageId === 'diff' ? [{ path, code: text }] : readBlock(fence, text, lead);
  if (typeof edits === 'string') {
    return { reason: edits };
  }
  // Hunks that name another file are in none of these lines.
  const hunks = edits.flatMap((edit) => edit.hunks ?? []);
  if (hunks.length === 0) {
    return complete(withoutPathLine(edits[0]?.code ?? '', selected), selected, languageId);
  }
  const change = applyHunks(selected, hunks, path);
  return typeof change === 'string'
    ? { reason: change }
    : complete(withCode(selected, change.place, change.code), selected, languageId);
}

function complete(code: string, selected: string, languageId: string) {
  const omitted = findOmission(code, languageId, selected);
  return omitted === undefined
    ? { code }
    : { reason: l10n.t('This answer leaves out code: "{0}".', omitted.slice(0, 80)) };
}

/** Whether an answer without fences is code: it repeats a line of what was sent. */
function hasLineOf(answer: string, selected: string): boolean {
  const own = new Set(linesOf(selected).map((line) => line.trim()));
  return linesOf(answer).some((line) => /\w{2}/.test(line) && own.has(line.trim()));
}

/**
 * Finds whole lines in a file that may have changed since they were sent: first as they were, then without regard to
 * indentation.
 *
 * @param before the file when they were sent.
 * @returns undefined when they are missing, or in several places: one of them may be all that is left of other lines.
 */
export function findLines(
  file: string,
  before: string,
  { text, startLine, endLine }: Pick<CodeContext, 'text' | 'startLine' | 'endLine'>,
): CodePlace | undefined {
  const lines = linesOf(file);
  if (file === before) {
    return wholeLines(lines, startLine - 1, endLine - 1);
  }
  const wanted = linesOf(text);
  const trimmed = (all: readonly string[]) => all.map((line) => line.trim());
  const exact = placesOf(lines, wanted);
  const [start, ...others] = exact.length > 0 ? exact : placesOf(trimmed(lines), trimmed(wanted));
  return start === undefined || others.length > 0 ? undefined : wholeLines(lines, start, start + wanted.length - 1);
}

/**
 * The change that puts new code in the place of some lines. If the code repeats lines around them, these stay as they
 * are in the file.
 *
 * @param at whole lines.
 * @param selected the lines as they were sent.
 * @returns undefined when the code would also change lines around the place.
 */
export function fitEdit(
  file: string,
  at: CodePlace,
  code: string,
  selected: string,
): { readonly place: CodePlace; readonly code: string } | undefined {
  const lines = linesOf(file);
  const place = normalizePlace(lines, at);
  if (code.trim() === '') {
    return { place: withLineBreak(lines, place), code: '' };
  }
  const around = normalizePlace(lines, locateCode(file, place, code));
  const block = linesOf(code).filter((line) => line.trim() !== '');
  // The answer has lines around the place only if it begins and ends as these do, and not as the place does.
  const begins = ({ startLine }: CodePlace) => lines[startLine]?.trimEnd() === block[0]?.trimEnd();
  const ends = ({ endLine }: CodePlace) => lines[endLine]?.trimEnd() === block.at(-1)?.trimEnd();
  const isAround =
    around.startLine <= place.startLine &&
    around.endLine >= place.endLine &&
    begins(around) &&
    (around.endLine === place.endLine || ends(around)) &&
    !(begins(place) && ends(place));
  if (!isAround) {
    return { place, code: fitCode(file, place, code, selected, true) };
  }
  const starts = lineOffsets(file);
  const start = (starts[place.startLine] ?? 0) + place.startCharacter;
  const rest = file.slice((starts[place.endLine] ?? 0) + place.endCharacter);
  const after = withCode(file, around, fitCode(file, around, code, selected, true));
  const isSame = after.length >= start + rest.length && after.startsWith(file.slice(0, start)) && after.endsWith(rest);
  return isSame ? { place, code: after.slice(start, after.length - rest.length) } : undefined;
}
