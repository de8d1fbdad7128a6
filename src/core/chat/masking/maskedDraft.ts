import type { CodeContext } from '../context/prompt.ts';
import { findSecrets } from './findSecrets.ts';
import { Masks } from './masks.ts';
import type { FoundSecret } from './secretRules.ts';

/** A secret that is masked in the next question or in its context. */
export type MaskedSecret = Pick<FoundSecret, 'kind' | 'vendor'> & {
  /** The context it is in; undefined for the question itself. */
  readonly context?: CodeContext;
  /** One-based, in the file of the context, or in the question. */
  readonly line: number;
};

/** Masks what a person is about to send, before it is stored anywhere. */
export class MaskedDraft {
  readonly masks: Masks;
  readonly #isScanned: (path: string) => boolean;
  /** The secrets in contexts that were scanned. */
  readonly #inContexts = new WeakMap<CodeContext, readonly MaskedSecret[]>();
  #inText: { readonly text: string; readonly secrets: readonly MaskedSecret[] } = { text: '', secrets: [] };
  /** The masks that only the typed text has; they are dropped when it changes, because it may be half a secret. */
  #typed: readonly string[] = [];

  /**
   * @param isScanned whether secrets are looked for in the context of a file.
   * @param firstNumber in the names of the masks.
   */
  constructor(isScanned: (path: string) => boolean = () => true, firstNumber = 1) {
    this.#isScanned = isScanned;
    this.masks = new Masks(firstNumber);
  }

  /**
   * Masks the typed text. Replaces what was typed before.
   *
   * @param elsewhere the other texts that are not sent yet; a mask in one of them remains.
   */
  text(text: string, elsewhere: readonly string[] = []): string {
    this.masks.drop(this.#typed.filter((mask) => !elsewhere.some((each) => each.includes(mask))));
    const before = new Set(this.masks.all);
    const found = findSecrets(text, '');
    const masked = this.masks.mask(text, found);
    this.#typed = this.masks.all.filter((mask) => !before.has(mask));
    const secrets = found.map(({ kind, vendor, start }) => ({ kind, vendor, line: lineOf(text, start) }));
    this.#inText = { text: masked, secrets };
    return masked;
  }

  /** Call this when the typed text has become a question: its masks stay. */
  sent(): void {
    this.#typed = [];
    this.#inText = { text: '', secrets: [] };
  }

  contexts(contexts: readonly CodeContext[]): CodeContext[] {
    return contexts.map((context) => (this.#inContexts.has(context) ? context : this.#masked(context)));
  }

  #masked(context: CodeContext): CodeContext {
    const { text, path, startLine } = context;
    const found = path === '' || this.#isScanned(path) ? findSecrets(text, path) : [];
    const masked = found.length === 0 ? context : { ...context, text: this.masks.mask(text, found) };
    const secrets = found.map(({ kind, vendor, start }) => ({
      kind,
      vendor,
      context: masked,
      line: startLine - 1 + lineOf(text, start),
    }));
    this.#inContexts.set(masked, secrets);
    return masked;
  }

  /** The secrets that are masked in a draft, as this object has masked it. */
  secrets(text: string, contexts: readonly CodeContext[]): readonly MaskedSecret[] {
    const inText = text === this.#inText.text ? this.#inText.secrets : [];
    return [...contexts.flatMap((context) => this.#inContexts.get(context) ?? []), ...inText];
  }
}

/** The line of a place in a text, counted from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
