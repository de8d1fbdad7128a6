import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import powershell from 'highlight.js/lib/languages/powershell';

/** The kinds of code that have their own colour, each a class in `code.css`, by the scopes of highlight.js. */
const tokens = {
  keyword: 'keyword',
  'meta.keyword': 'keyword',
  'template-tag': 'keyword',
  doctag: 'keyword',
  literal: 'literal',
  'variable.language': 'literal',
  'variable.constant': 'literal',
  symbol: 'literal',
  bullet: 'literal',
  number: 'number',
  string: 'string',
  regexp: 'string',
  'char.escape': 'string',
  'meta.string': 'string',
  link: 'string',
  code: 'string',
  formula: 'string',
  comment: 'comment',
  quote: 'comment',
  title: 'function',
  'title.function': 'function',
  'title.function.invoke': 'function',
  built_in: 'function',
  'title.class': 'type',
  'title.class.inherited': 'type',
  type: 'type',
  'selector-class': 'type',
  'selector-id': 'type',
  'selector-pseudo': 'type',
  'selector-attr': 'type',
  tag: 'tag',
  name: 'tag',
  'selector-tag': 'tag',
  attr: 'property',
  attribute: 'property',
  property: 'property',
  variable: 'property',
  'template-variable': 'property',
  meta: 'meta',
  'meta.prompt': 'meta',
  addition: 'added',
  deletion: 'removed',
  section: 'heading',
  strong: 'strong',
  emphasis: 'emphasis',
} as const;
type CodeToken = (typeof tokens)[keyof typeof tokens];
const tokenOf: ReadonlyMap<string, CodeToken> = new Map(Object.entries(tokens));

/** A run of code in one colour; without `token` it has the colour of plain code. */
export type CodeRun = { text: string; readonly token: CodeToken | undefined };

/** `language`: a word that `languageName` knows. */
export type HighlightRequest = { readonly code: string; readonly language: string };

export type Highlighted = {
  readonly runs: readonly CodeRun[];
  /** The code ends outside of any comment, string or tag, so the code after it can be highlighted on its own. */
  readonly isWhole: boolean;
};

/** Collects coloured runs where highlight.js would write HTML. */
class RunCollector {
  readonly runs: CodeRun[] = [];
  readonly #scopes: (CodeToken | undefined)[] = [];

  startScope(name: string): void {
    this.#scopes.push(tokenOf.get(name) ?? this.#scopes.at(-1));
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
hljs.registerLanguage('dockerfile', dockerfile);
hljs.registerLanguage('powershell', powershell);

/**
 * Matches text that is not highlighted: some grammars take time that grows with the square of the length of a line, or
 * of words without punctuation between them. Real code has neither.
 */
const slowCode = /[^\n]{301}|[\w\s$-]{401}/;

/** Highlights code. */
export function highlight(code: string, language: string): Highlighted {
  const plain = { runs: [{ text: code, token: undefined }], isWhole: true };
  if (slowCode.test(code)) {
    return plain;
  }
  const { _emitter, _top, errorRaised } = hljs.highlight(code, { language, ignoreIllegals: true });
  if (errorRaised !== undefined || !(_emitter instanceof RunCollector)) {
    return plain;
  }
  return { runs: _emitter.runs, isWhole: _top === undefined || _top.parent === undefined };
}
