import hljs from 'highlight.js/lib/core';
import { type CodeToken, tokenOfScope } from './codeToken.ts';
import { grammars } from './grammars.ts';

/** A piece of code of one colour; without `token` it has the colour of plain code. */
export type CodeRun = { text: string; readonly token: CodeToken | undefined };

/** Collects coloured pieces where highlight.js would write HTML. */
class RunCollector {
  readonly runs: CodeRun[] = [];
  readonly #scopes: (CodeToken | undefined)[] = [];

  startScope(name: string): void {
    this.#scopes.push(tokenOfScope(name) ?? this.#scopes.at(-1));
  }

  endScope(): void {
    this.#scopes.pop();
  }

  // Its parser says open and close in two ways.
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

  /** A language inside another one, such as CSS in HTML. */
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
 * The time some grammars take grows with the square of a line, or of words without any sign between them. Code has
 * neither; what has is not coloured.
 */
const slowCode = /[^\n]{301}|[\w\s$-]{401}/;

/**
 * Colours code. `isWhole` says that the code ends where it began, outside of any comment, string or tag, so that what
 * follows can be coloured on its own.
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
