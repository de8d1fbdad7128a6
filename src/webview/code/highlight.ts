import hljs from 'highlight.js/lib/common';
import dart from 'highlight.js/lib/languages/dart';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import powershell from 'highlight.js/lib/languages/powershell';

/** The kinds of code that have their own color, each a class in `code.css`, by the scopes of highlight.js. */
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

/** A run of code in one color; without `token` it has the color of plain code. */
export type CodeRun = { text: string; readonly token: CodeToken | undefined };

/** `language`: a word that `languageName` knows. */
export type HighlightRequest = { readonly code: string; readonly language: string };

export type Highlighted = {
  readonly runs: readonly CodeRun[];
  /** The code ends outside of any comment, string or tag, so the code after it can be highlighted on its own. */
  readonly isWhole: boolean;
};

/** A node of the tree that highlight.js makes of code. */
type Scope = { readonly scope?: string; readonly children: readonly unknown[] };

const isScope = (node: unknown): node is Scope => typeof node === 'object' && node !== null && 'children' in node;

/** Adds the runs of a scope, which has the color of the one around it if it has none of its own. */
function addRuns(runs: CodeRun[], { scope = '', children }: Scope, around?: CodeToken): CodeRun[] {
  const token = tokenOf.get(scope) ?? around;
  for (const child of children) {
    const last = runs.at(-1);
    if (isScope(child)) {
      addRuns(runs, child, token);
    } else if (last !== undefined && last.token === token) {
      last.text += String(child);
    } else {
      runs.push({ text: String(child), token });
    }
  }
  return runs;
}

hljs.registerLanguage('dart', dart);
hljs.registerLanguage('dockerfile', dockerfile);
hljs.registerLanguage('powershell', powershell);
hljs.registerAliases('objective-c', { languageName: 'objectivec' });
hljs.registerAliases('vue', { languageName: 'xml' });

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
  const root = 'root' in _emitter && isScope(_emitter.root) ? _emitter.root : undefined;
  if (errorRaised !== undefined || root === undefined) {
    return plain;
  }
  return { runs: addRuns([], root), isWhole: _top === undefined || _top.parent === undefined };
}
