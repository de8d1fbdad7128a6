import hljs from 'highlight.js/lib/core';
import { type CodeToken, tokenOfScope } from './codeToken.ts';
import { grammars } from './grammars.ts';

/** A run of code in one colour; without `token` it has the colour of plain code. */
export type CodeRun = { text: string; readonly token: CodeToken | undefined };

/** Collects coloured runs where highlight.js would write HTML. */
class RunCollector {
  readonly runs: CodeRun[] = [];
  readonly #scopes: (CodeToken | undefined)[] = [];

  startScope(name: string): void {
    this.#scopes.push(tokenOfScope(name) ?? this.#scopes.at(-1));
  }

  endScope(): void {
    this.#scopes.pop();
  }

  // highlight.js calls these as well as `startScope` and `endScope`.
  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    this.add({ text, token: this.#scopes.at(-1) });
  }

  add({ text, token }: CodeRun): void {
    const last = this.runs.at(-1);
    if (text === '') {
      return;
    }
    if (last !== undefined && last.token === token) {
      last.text += text;
    } else {
      this.runs.push({ text, token });
    }
  }

  /** Adds the runs of an embedded language, such as CSS in HTML. */
  __addSublanguage(inner: unknown): void {
    if (!(inner instanceof RunCollector)) {
      return;
    }
    for (const run of inner.runs) {
      this.add({ text: run.text, token: run.token ?? this.#scopes.at(-1) });
    }
  }

  toHTML(): string {
    return '';
  }

  finalize(): void {}
}

hljs.configure({ __emitter: RunCollector });
for (const [name, grammar] of Object.entries(grammars)) {
  hljs.registerLanguage(name, grammar);
}

/**
 * Matches text that is not highlighted: some grammars take time that grows with the square of the length of a line, or
 * of words without punctuation between them. Real code has neither.
 */
const slowCode = /[^\n]{301}|[\w\s$-]{401}/;

/**
 * Highlights code. `isWhole` is true if the code ends outside of any comment, string or tag, so that the code after it
 * can be highlighted on its own.
 */
export function highlight(
  code: string,
  language: string,
): { readonly runs: readonly CodeRun[]; readonly isWhole: boolean } {
  if (slowCode.test(code)) {
    return { runs: [{ text: code, token: undefined }], isWhole: true };
  }
  const { _emitter, _top, errorRaised } = hljs.highlight(code, { language, ignoreIllegals: true });
  if (errorRaised !== undefined || !(_emitter instanceof RunCollector)) {
    return { runs: [{ text: code, token: undefined }], isWhole: true };
  }
  return { runs: _emitter.runs, isWhole: _top === undefined || _top.parent === undefined };
}
