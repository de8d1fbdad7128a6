import type { FilePlace } from '../../protocol/protocol.ts';

/**
 * The nodes of a rendered reply. These types cannot express "script", "iframe" or an event handler: the text of a model
 * becomes these nodes first, and only these nodes become elements.
 */

/** Elements of rendered replies that Markdown has tags for, and the elements of HTML that it may have. */
export const blockTags = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'ul',
  'ol',
  'li',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'em',
  'strong',
  's',
  'kbd',
  'sub',
  'sup',
  'mark',
  'details',
  'summary',
] as const;

/** The notes of `> [!NOTE]` and its kin. */
export const noteKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type NoteKind = (typeof noteKinds)[number];

/** `div` is the scroll box of a table, `span` a formula or a picture. */
export type MarkdownTag = (typeof blockTags)[number] | 'hr' | 'br' | 'wbr' | 'code' | 'span' | 'a' | 'div' | 'input';

export type MarkdownElement = {
  readonly kind: 'element';
  readonly tag: MarkdownTag;
  readonly children: readonly MarkdownNode[];
  /** Only on `a`: a validated http, https or mailto address. */
  readonly href?: string;
  /** Only on `a` without `href`: what may be a file of the workspace. */
  readonly place?: FilePlace;
  /** Only on `a`, the words that Markdown has after the address, and on pictures. */
  readonly title?: string;
  /** Only on `span`: the name of a picture of the answer; `title` has the words for it. */
  readonly picture?: string;
  /** Only on `span`, and on `p` if it is displayed on lines of its own: the children are LaTeX with its delimiters. */
  readonly isFormula?: true;
  /** Only on formulas that can be drawn: their LaTeX without delimiters. */
  readonly tex?: string;
  /** Only on formulas that can be drawn, if they have lines of their own. */
  readonly isDisplayed?: true;
  /** Only on `blockquote`. */
  readonly note?: NoteKind;
  /** Only on `ol`: its first number, when that is not 1. */
  readonly start?: number;
  /** Only on `th` and `td`. */
  readonly align?: 'left' | 'center' | 'right';
  /** Only on `li`: it starts with a checkbox. */
  readonly isTask?: true;
  /** Only on `input`: the checkbox of a task list item. */
  readonly checked?: boolean;
};

/** A code block. It is not an element, because it grows line by line and has its own buttons. */
type MarkdownCode = { readonly kind: 'code'; readonly info: string; readonly text: string };

export type MarkdownNode = string | MarkdownElement | MarkdownCode;
