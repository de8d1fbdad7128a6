import type { KeyRemover } from '../../secrets/keyRemover.ts';
import type { CodeContext } from '../context/prompt.ts';
import { findSecrets } from './findSecrets.ts';
import { Masks } from './masks.ts';
import type { FoundSecret, SecretKind } from './secretRules.ts';

/** A secret that is masked in the next question or in its context. */
export type MaskedSecret = Pick<FoundSecret, 'vendor'> & {
  /** `connectionKey`: a key that the extension uses itself. Its mask is never replaced by the key. */
  readonly kind: SecretKind | 'connectionKey';
  /** The same for the same secret in a conversation; undefined for the key of a connection. */
  readonly mask?: string;
  /** The context it is in; undefined for the question itself. */
  readonly context?: CodeContext;
  /** The address of the file it is in; undefined in a question, a folder, a diff or an output. */
  readonly uri?: string;
  /** One-based, in the file of the context, or in the question. */
  readonly line: number;
};

/** What was found in a text without its connection keys. */
type Scanned = { readonly text: string; readonly found: readonly FoundSecret[] };
/** The fields of a context that are sent as they are. */
type Sent = Record<'text' | 'name' | 'path', Scanned>;

/** The texts of a context, each with the path whose rules hold for it: a folder and a diff have several files. */
function textsOf({ kind, path, text }: CodeContext): { readonly path: string; readonly text: string }[] {
  const [rule = '==='] = /^={3,}/.exec(text) ?? [];
  const heading =
    kind === 'folder'
      ? new RegExp(`^${rule} (.+) ${rule}$`, 'gm')
      : kind === 'changes'
        ? // Git's settings can omit `b/`, and a merge has one path.
          /^diff --\w+ (?:.* )?"?(.+?)"?$/gm
        : undefined;
  const files = heading ? [...text.matchAll(heading)] : [];
  const starts = [{ index: 0, 1: path }, ...files];
  return starts.map(({ index, 1: of = path }, at) => ({ path: of, text: text.slice(index, starts[at + 1]?.index) }));
}

/**
 * A typed text without the word that is being typed, if it may be the beginning of a secret: what is on disk stays there.
 *
 * @param before the text before the last change.
 */
export function withoutUnfinished(before: string, text: string): string {
  let same = 0;
  while (same < Math.min(before.length, text.length) && before.at(-1 - same) === text.at(-1 - same)) {
    same++;
  }
  const at = text.length - same;
  let word = at;
  while (word > Math.max(0, at - 4_096) && /[\x21-\x7e]/.test(text[word - 1] ?? '')) {
    word--;
  }
  const [label = ''] =
    /(?:(?:[:=]|\bis)[ \t]{1,3}|[：是为][ \t]{0,3}|--[\w-]{1,60} )$/.exec(text.slice(Math.max(0, word - 64), word)) ??
    [];
  const start = label + text.slice(word, at);
  const [end = ''] = /^[\x21-\x7e]*/.exec(text.slice(at)) ?? [];
  return /^[A-Za-z]*[.,;!?]*$/.test(start + end)
    ? text
    : text.slice(0, at - start.length) + text.slice(at + end.length);
}

/** Masks what a person is about to send, before it is stored anywhere. */
export class MaskedDraft {
  readonly masks: Masks;
  readonly #isScanned: (uri: string) => boolean;
  readonly #keys: KeyRemover | undefined;
  /** What was found in a context, and the context as it was read, by the context with masks. */
  readonly #inContexts = new WeakMap<
    CodeContext,
    { readonly secrets: readonly MaskedSecret[]; readonly read: CodeContext; readonly made: number }
  >();
  /** What was found in a text, and the text as it was read, by the text with masks. */
  readonly #inTexts = new Map<string, { readonly secrets: readonly MaskedSecret[]; readonly read: string }>();

  /**
   * @param suffix the random part of the masks.
   * @param isScanned whether secrets are looked for in the context of a file. Connection keys always are.
   */
  constructor(suffix: string, isScanned: (uri: string) => boolean = () => true, keys?: KeyRemover) {
    this.#isScanned = isScanned;
    this.#keys = keys;
    this.masks = new Masks(suffix, (secret) => keys?.without(secret) ?? secret);
  }

  /** Masks the text of a question. */
  text(text: string): string {
    const scanned = this.#scan(text);
    const masked = this.masks.mask(scanned.text, scanned.found);
    this.#inTexts.set(masked, { secrets: this.#secretsOf(text, scanned), read: text });
    return masked;
  }

  /** Call this when a masked text is nowhere any more. */
  forget(text: string): void {
    this.#inTexts.delete(text);
  }

  /** Masks every text in data that is sent beside the question. */
  data<T>(data: T, name = ''): T {
    if (typeof data === 'string') {
      const lead = name === '' ? '' : `${name}: "`;
      const scanned = this.#scan(lead + data);
      return this.masks.mask(scanned.text, scanned.found).slice(lead.length) as T;
    }
    if (Array.isArray(data)) {
      return data.map((each) => this.data<unknown>(each, name)) as T;
    }
    return typeof data === 'object' && data !== null
      ? (Object.fromEntries(Object.entries(data).map(([key, each]) => [key, this.data<unknown>(each, key)])) as T)
      : data;
  }

  /**
   * A masked text as it was typed: only where this object has masked it, so that no mask in a text gets a secret.
   *
   * @param only the masks to replace; by default all.
   */
  clearText(text: string, only?: ReadonlySet<string>): string {
    const { read } = this.#inTexts.get(text) ?? {};
    if (read === undefined) {
      return text;
    }
    return only ? this.#maskAllBut(only, this.#scan(read)) : (this.#keys?.without(read) ?? read);
  }

  /** A masked context as it was read, but without keys. @param only see `clearText`. */
  clearContext(context: CodeContext, only?: ReadonlySet<string>): CodeContext {
    const read = this.#inContexts.get(context)?.read;
    if (read && only) {
      return this.#contextWith(read, this.#scanContext(read), (of) => this.#maskAllBut(only, of, read.path));
    }
    const { uri: _, ...clear } = read ?? context;
    return this.#keys?.withoutIn(clear) ?? clear;
  }

  /** Looks for secrets again, in contexts as they were read. */
  again(contexts: readonly CodeContext[]): CodeContext[] {
    return this.contexts(contexts.map((each) => this.#inContexts.get(each)?.read ?? each));
  }

  /**
   * Masks contexts; each has at most 400,000 units, which take 40 ms. Those that are masked already stay, unless a secret
   * became known since, also in one after them.
   */
  contexts(contexts: readonly CodeContext[]): CodeContext[] {
    const mask = (context: CodeContext) => {
      const { read = context, made = -1 } = this.#inContexts.get(context) ?? {};
      return made === this.masks.size ? context : this.#masked(read);
    };
    return contexts.map(mask).map(mask);
  }

  #scanContext(context: CodeContext): Sent {
    const isScanned = context.uri === undefined || this.#isScanned(context.uri);
    let text = '';
    const found: FoundSecret[] = [];
    for (const part of textsOf(context)) {
      const clean = this.#keys?.without(part.text) ?? part.text;
      for (const each of isScanned ? findSecrets(clean, part.path) : []) {
        found.push({ ...each, start: text.length + each.start, end: text.length + each.end });
      }
      text += clean;
    }
    const all = isScanned ? this.masks.everywhere(text, found) : found;
    return { text: { text, found: all }, name: this.#scan(context.name ?? ''), path: this.#scan(context.path) };
  }

  #scan(text: string): Scanned {
    const clean = this.#keys?.without(text) ?? text;
    return { text: clean, found: this.masks.everywhere(clean, findSecrets(clean, '')) };
  }

  #maskAllBut(clear: ReadonlySet<string>, { text, found }: Scanned, path = ''): string {
    const masked = found.filter(({ start, end }) => !clear.has(this.masks.of(text.slice(start, end)) ?? ''));
    return this.masks.mask(text, masked, path);
  }

  #contextWith({ uri: _, ...read }: CodeContext, { text, name, path }: Sent, masked: (of: Scanned) => string) {
    return { ...read, text: masked(text), path: masked(path), ...(read.name !== undefined && { name: masked(name) }) };
  }

  #masked(read: CodeContext): CodeContext {
    const scanned = this.#scanContext(read);
    const { uri, startLine, name = '', path } = read;
    const result = this.#contextWith(read, scanned, (of) => this.masks.mask(of.text, of.found, path));
    const secrets = [
      ...this.#secretsOf(read.text, scanned.text),
      ...this.#secretsOf(name, scanned.name),
      ...this.#secretsOf(path, scanned.path),
    ].map((secret) => ({ ...secret, context: result, uri, line: startLine - 1 + secret.line }));
    this.#inContexts.set(result, { secrets, read, made: this.masks.size });
    return result;
  }

  /** The secrets that are masked in a draft, as this object has masked it. */
  secrets(text: string, contexts: readonly CodeContext[]): readonly MaskedSecret[] {
    const inText = this.#inTexts.get(text)?.secrets ?? this.#secretsOf(text, this.#scan(text));
    return [...contexts.flatMap((context) => this.#inContexts.get(context)?.secrets ?? []), ...inText];
  }

  /** The secrets of a text: first the connection keys that were removed from it, one for each line that had any. */
  #secretsOf(text: string, { text: clean, found }: Scanned): MaskedSecret[] {
    const lines = clean === text ? [] : clean.split('\n');
    const before = lines.length === 0 ? [] : text.split('\n');
    let at = 0;
    let line = 1;
    const lineOf = (start: number) => {
      line += clean.slice(at, start).split('\n').length - 1;
      at = start;
      return line;
    };
    return [
      ...lines.flatMap((line, at): MaskedSecret[] =>
        line === before[at] ? [] : [{ kind: 'connectionKey', vendor: '', line: at + 1 }],
      ),
      ...found.map(({ kind, vendor, start, end }) => {
        return { kind, vendor, mask: this.masks.of(clean.slice(start, end)), line: lineOf(start) };
      }),
    ];
  }
}
