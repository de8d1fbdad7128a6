import { runToEnd, type Steps } from '../../base/runInSlices.ts';
import type { CodeContext } from '../context/prompt.ts';
import { findingSecrets, findSecrets } from './findSecrets.ts';
import { Masks } from './masks.ts';
import type { FoundSecret, SecretKind } from './secretRules.ts';

/** A secret that is masked in the next question or in its context. */
export type MaskedSecret = Pick<FoundSecret, 'vendor'> & {
  /** `connectionKey`: a key that the extension uses itself. Its mask is never replaced by the key. */
  readonly kind: SecretKind | 'connectionKey';
  /** The context it is in; undefined for the question itself. */
  readonly context?: CodeContext;
  /** One-based, in the file of the context, or in the question. */
  readonly line: number;
};

/** Removes the keys of all connections from texts; see `StoredKeys`. */
export type KeyRemover = {
  without(text: string): string;
  withoutIn<T>(data: T): T;
  removing(text: string): Steps<string>;
};

/** What was found in a text without its connection keys. */
type Scanned = { readonly text: string; readonly found: readonly FoundSecret[] };

/** Masks what a person is about to send, before it is stored anywhere. */
export class MaskedDraft {
  readonly masks: Masks;
  readonly #isScanned: (path: string) => boolean;
  readonly #keys: KeyRemover | undefined;
  /** The secrets in contexts that were scanned. */
  readonly #inContexts = new WeakMap<CodeContext, readonly MaskedSecret[]>();
  /** The secrets in the last text that they were asked for. */
  #inText: { readonly text: string; readonly secrets: readonly MaskedSecret[] } = { text: '', secrets: [] };
  /** The masks that only the typed text has; they are dropped when it changes, because it may be half a secret. */
  #typed: readonly string[] = [];

  /**
   * @param isScanned whether secrets are looked for in the context of a file. Connection keys always are.
   * @param firstNumber in the names of the masks.
   */
  constructor(isScanned: (path: string) => boolean = () => true, firstNumber = 1, keys?: KeyRemover) {
    this.#isScanned = isScanned;
    this.#keys = keys;
    this.masks = new Masks(firstNumber, (secret) => keys?.without(secret) ?? secret);
  }

  /**
   * Masks the typed text. Replaces what was typed before.
   *
   * @param elsewhere the other texts that are not sent yet; a mask in one of them remains.
   */
  text(text: string, elsewhere: readonly string[] = []): string {
    this.masks.drop(this.#typed.filter((mask) => !elsewhere.some((each) => each.includes(mask))));
    const before = new Set(this.masks.all);
    const scanned = this.#scan(text);
    const masked = this.masks.mask(scanned.text, scanned.found);
    this.#typed = this.masks.all.filter((mask) => !before.has(mask));
    this.#inText = { text: masked, secrets: secretsOf(text, scanned) };
    return masked;
  }

  /** Call this when the typed text has become a question: its masks stay. */
  sent(): void {
    this.#typed = [];
  }

  contexts(contexts: readonly CodeContext[]): CodeContext[] {
    return runToEnd(this.maskingContexts(contexts));
  }

  /** Like `contexts`, in steps of a few milliseconds. */
  *maskingContexts(contexts: readonly CodeContext[]): Steps<CodeContext[]> {
    const scanned: (Scanned | undefined)[] = [];
    for (const context of contexts) {
      scanned.push(this.#inContexts.has(context) ? undefined : yield* this.#scanning(context));
    }
    // Without a pause from here on: a mask that is in no draft yet could be dropped.
    return contexts.map((context, at) => {
      const each = scanned[at];
      return each ? this.#masked(context, each) : context;
    });
  }

  *#scanning({ text, path }: CodeContext): Steps<Scanned> {
    const clean = this.#keys ? yield* this.#keys.removing(text) : text;
    return { text: clean, found: path === '' || this.#isScanned(path) ? yield* findingSecrets(clean, path) : [] };
  }

  #scan(text: string): Scanned {
    const clean = this.#keys?.without(text) ?? text;
    return { text: clean, found: findSecrets(clean, '') };
  }

  #masked(context: CodeContext, scanned: Scanned): CodeContext {
    const text = this.masks.mask(scanned.text, scanned.found);
    const masked = text === context.text ? context : { ...context, text };
    const secrets = secretsOf(context.text, scanned).map((secret) => ({
      ...secret,
      context: masked,
      line: context.startLine - 1 + secret.line,
    }));
    this.#inContexts.set(masked, secrets);
    return masked;
  }

  /** The secrets that are masked in a draft, as this object has masked it. */
  secrets(text: string, contexts: readonly CodeContext[]): readonly MaskedSecret[] {
    if (text !== this.#inText.text) {
      const original = this.masks.restore(text);
      this.#inText = { text, secrets: secretsOf(original, this.#scan(original)) };
    }
    return [...contexts.flatMap((context) => this.#inContexts.get(context) ?? []), ...this.#inText.secrets];
  }
}

/** The secrets of a text: first the connection keys that were removed from it, one for each line that had any. */
function secretsOf(text: string, { text: clean, found }: Scanned): MaskedSecret[] {
  const lines = clean === text ? [] : clean.split('\n');
  const before = lines.length === 0 ? [] : text.split('\n');
  return [
    ...lines.flatMap((line, at): MaskedSecret[] =>
      line === before[at] ? [] : [{ kind: 'connectionKey', vendor: '', line: at + 1 }],
    ),
    ...found.map(({ kind, vendor, start }) => ({ kind, vendor, line: lineOf(clean, start) })),
  ];
}

/** The line of a place in a text, counted from 1. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
