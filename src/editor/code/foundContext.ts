import * as l10n from '@vscode/l10n';
import { estimatedTokensText, factsText, numberText } from '../../core/base/localization.ts';
import { bestMatches } from '../../core/chat/context/bestMatches.ts';
import { type CodeContext, contextTokens, newPieces } from '../../core/chat/context/prompt.ts';
import type { NamedPrompt } from '../../core/chat/prompts/namedPrompt.ts';
import type { FoundView } from '../../protocol/protocol.ts';

/** Context, with sentences about what is left out of it. Without pieces, they say why there are none. */
export type ReadContext = {
  readonly pieces: readonly CodeContext[];
  readonly notes?: readonly string[];
  /** Everything is included, and the sentences only say something about it. */
  readonly isOnlyNote?: boolean;
};

/** Reads several things, one after the other, because each may ask the person something. */
export async function readAll(reads: readonly (() => Promise<ReadContext>)[]): Promise<Required<ReadContext>> {
  const all: ReadContext[] = [];
  for (const read of reads) {
    all.push(await read());
  }
  return {
    pieces: all.flatMap(({ pieces }) => pieces),
    notes: all.flatMap(({ notes = [] }) => notes),
    isOnlyNote: all.every(({ notes = [], isOnlyNote }) => isOnlyNote || notes.length === 0),
  };
}

/** The largest file that is sent whole, in UTF-16 units: about 100,000 tokens, more than most models accept. */
export const fileLimit = 400_000;

/** Says why a file is not added, and what to do. @param units its UTF-16 units. */
export function tooLargeText(name: string, units: number): string {
  return l10n.t(
    '{0} is too large to include: it has {1} characters, and the limit is {2}. Select the part you need and add that.',
    name,
    numberText(units),
    numberText(fileLimit),
  );
}

/** A row of the list that opens after `#` or `/`. */
type Row = Omit<FoundView, 'isSearch'>;

/** Something that a question can include, by its name. */
export type IncludableContext = Row & {
  /** Reads it; called when it is chosen. */
  readonly read: () => Promise<ReadContext>;
  /** What it includes, where that is known. */
  readonly pieces?: readonly CodeContext[];
};

/** Something that takes long to look for, so that it is looked for only on request. */
export type ContextSearch = Row & { readonly search: () => Promise<readonly FoundContext[]> };

/** A prompt whose text replaces its name in the question box. */
type FoundPrompt = Row & { readonly prompt: NamedPrompt };

export type FoundContext = IncludableContext | ContextSearch | FoundPrompt;

/** A row for a prompt. */
export function promptRow(prompt: NamedPrompt): FoundPrompt {
  const { name, description } = prompt;
  return { id: `prompt:${name}`, kind: 'prompt', label: `/${name}`, detail: description, prompt };
}

/** A row whose content is known. */
export function knownRow(row: Row & { readonly pieces: readonly CodeContext[] }): IncludableContext {
  return { ...row, read: async () => ({ pieces: row.pieces }) };
}

/** Those of the rows whose labels match, best first. */
export function matching<T extends Row>(rows: readonly T[], query: string, limit: number): readonly T[] {
  return bestMatches(rows, ({ label }) => label, query, limit);
}

/**
 * The row as it is shown. Its tokens are those that its chip will have.
 *
 * @param included what the question includes already.
 * @param tokenFactor what to multiply estimates of tokens with.
 */
export function foundView(found: FoundContext, included: readonly CodeContext[], tokenFactor: number): FoundView {
  const { id, kind, label, detail } = found;
  const { pieces = [] } = 'read' in found ? found : {};
  const tokens = pieces.reduce((sum, piece) => sum + contextTokens(piece), 0);
  const isIncluded = pieces.length > 0 && newPieces(pieces, included).length === 0;
  const size = factsText(
    pieces.length > 0 ? estimatedTokensText(Math.round(tokens * tokenFactor)) : found.size,
    isIncluded && l10n.t('already included'),
  );
  const isSearch = 'search' in found || undefined;
  return { id, kind, label, detail, size: size || undefined, isSearch };
}

/**
 * Whether a text contains what was typed, apart from blanks. Stricter than the search for files, because
 * scattered letters are in nearly every command and line of code.
 */
export function containsTyped(text: string, typed: string): boolean {
  return text.replace(/\s+/g, '').toLowerCase().includes(typed.replace(/\s+/g, '').toLowerCase());
}
