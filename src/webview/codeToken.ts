/** The few kinds of code that have a colour; each is a class in `code.css`. */
export type CodeToken =
  | 'keyword'
  | 'literal'
  | 'number'
  | 'string'
  | 'comment'
  | 'function'
  | 'type'
  | 'tag'
  | 'property'
  | 'meta'
  | 'added'
  | 'removed'
  | 'heading'
  | 'strong'
  | 'emphasis';

const tokens: Readonly<Record<string, CodeToken>> = {
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
};

/** The kind of a highlight.js scope such as `title.function`; scopes without a colour of their own have none. */
export const tokenOfScope = (scope: string): CodeToken | undefined => tokens[scope];
