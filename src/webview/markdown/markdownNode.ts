/**
 * What a reply may become in the page. There is no way to say "script", "iframe" or an event handler in these types:
 * text of a model turns into these nodes first and only these nodes turn into elements.
 */

/** Elements that exist in rendered replies; `div` is the box a table scrolls in. */
export type MarkdownTag =
  | 'p'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'h4'
  | 'h5'
  | 'h6'
  | 'blockquote'
  | 'ul'
  | 'ol'
  | 'li'
  | 'hr'
  | 'br'
  | 'wbr'
  | 'em'
  | 'strong'
  | 's'
  | 'code'
  | 'a'
  | 'div'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'input';

export type MarkdownElement = {
  readonly kind: 'element';
  readonly tag: MarkdownTag;
  readonly children: readonly MarkdownNode[];
  /** Only on `a`: a checked http, https or mailto address. */
  readonly href?: string;
  /** Only on `ol`: its first number, when that is not 1. */
  readonly start?: number;
  /** Only on `th` and `td`. */
  readonly align?: 'left' | 'center' | 'right';
  /** Only on `li`: it begins with a box. */
  readonly isTask?: true;
  /** Only on `input`: the box of a task list item. */
  readonly checked?: boolean;
};

/** A code block. It is no element, because it grows line by line and brings its own buttons. */
type MarkdownCode = { readonly kind: 'code'; readonly info: string; readonly text: string };

export type MarkdownNode = string | MarkdownElement | MarkdownCode;
