import MarkdownIt, { type Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { FencedCode } from '../../core/base/fencedCode.ts';
import { pictureAt } from '../../core/base/pictures.ts';
import { addClosingRules } from './closingRules.ts';
import { breakable } from './longStretch.ts';
import { blockTags, type MarkdownElement, type MarkdownNode, type MarkdownTag, noteKinds } from './markdownNode.ts';
import { addRules, restorePipes } from './markdownRules.ts';
import { placeNamed, placeOfAddress, placesIn } from './places.ts';

/** One top-level block, which begins at `start` in the text. `openFence` is a code block whose end has not arrived. */
export type Block = {
  readonly node: MarkdownNode;
  readonly start: number;
  readonly openFence: FencedCode | undefined;
};

/** Maximum nesting of quotes and lists. A deeper block would have no room in any panel and is shown as written. */
const maxDepth = 24;

/**
 * A paragraph with more UTF-16 units or more marks is shown as written. A person would read a tenth of it at most, and
 * the time to pair emphasis and brackets grows faster than their number.
 */
const maxParagraphLength = 16_000;
const maxMarks = 2_000;

const parser = new MarkdownIt({ html: false, linkify: true });
// Addresses are validated when a link is created; rejecting one here would show its markup instead of its text.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
parser.set({ maxNesting: maxDepth });
// Bare addresses become links only with a scheme: `main.rs` and `README.md` are files, not hosts.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.linkify.add('//', null).add('ftp:', null);
// linkify searches every text letter by letter for schemes, which all end with a colon.
const findsLink = parser.linkify.test.bind(parser.linkify);
parser.linkify.test = (text) => text.includes(':') && findsLink(text);
// Marks that close bold or struck words end an address (KiroCrew#3519), and so does Chinese right after its host.
const linkAtStart = parser.linkify.matchAtStart.bind(parser.linkify);
const hostBefore = /^(\w+:\/\/(?:localhost|[^\s/?#:]*\.[a-z\d-]+)(?::\d+)?)\p{Lo}.*/isu;
parser.linkify.matchAtStart = (text) =>
  linkAtStart(
    text
      .split(/\*\*|~~/, 1)
      .join()
      .replace(hostBefore, '$1'),
  );
parser.use(cjkFriendly);
// Words in bold may end with punctuation before any letter, and begin with a quotation mark after one (future-os#744,
// marked#2154, markdown-it#410).
const { scanDelims } = parser.inline.State.prototype;
parser.inline.State.prototype.scanDelims = function (start, canSplitWord) {
  const found = scanDelims.call(this, start, canSplitWord);
  const isBold = this.src[start] === '*' && found.length === 2;
  return {
    ...found,
    can_open: found.can_open || (isBold && /[“‘]/.test(this.src.charAt(start + 2))),
    can_close: found.can_close || (isBold && /[:.!?)\]”’…%;]/.test(this.src.charAt(start - 1))),
  };
};
addRules(parser);
addClosingRules(parser);

// `parseBlocks` has already parsed the block structure; this processor only parses inline content, on demand.
parser.core.ruler.at('block', () => undefined);

/**
 * Parses text into top-level blocks. The inline content of a block is parsed only when its `node` is read: for a block
 * that still grows, most of that work would be thrown away.
 *
 * @param text has no carriage return and no NUL.
 * @param unfinished closes inline Markdown that is still open at the end.
 */
export function parseBlocks(text: string, unfinished = false): Block[] {
  const tokens: Token[] = [];
  const state = new parser.block.State(text, parser, { isUnfinished: unfinished }, tokens);
  parser.block.tokenize(state, 0, state.lineMax);
  restorePipes(tokens);
  if (unfinished) {
    closeLast(tokens);
  }
  return topLevel(text, state.bMarks, tokens);
}

/** Only in the last block: one that another follows is finished, also while that one is still empty. */
function closeLast(tokens: readonly Token[]): void {
  const start = tokens.findLastIndex(({ level, nesting }) => level === 0 && nesting >= 0);
  const last = tokens.slice(start).findLast(({ content }) => content !== '');
  if (last?.type === 'inline' && !exceedsLimits(last.content)) {
    last.content = closable(last.content);
    last.meta = { isUnfinished: true };
  }
}

/** A link or an image whose end has not arrived: only its text is shown. */
const halfLink =
  /(?<![\w\]\\])!?\[(?!!)([^[\]\n]{0,300})(?:\](?:\((?:<[^<>]*>?|(?:[^()\s]|\([^()\s]*\)?)*)(?:\s+(?:"[^"]*"?|'[^']*'?))?\s*)?)?$/;
/** An address in angle brackets whose end has not arrived. */
const halfAddress = /<((?:https?|mailto):[^\s<>]*)$/;
/** The start of such an address, a tag, a footnote's mark, a character reference, an image or an escape: too short to be shown. */
const tooShort = /(?:\\?<\/?(?:[a-z]{0,6}|br\s*\/?)|\[\^[^\s[\]^]{0,50}\]?|&#?\w{0,8}|!|\\)$/;

/** Unfinished inline Markdown without what is too short to be shown at its end, and without half a link. */
function closable(content: string): string {
  // Half a link started near the end. In inline code, brackets are code.
  const start = Math.max(0, content.length - 3_000);
  const end = content.slice(start);
  if (end.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gs, '').includes('`')) {
    // It may be the text of a link.
    return content.slice(0, start) + end.replace(/(?<![\w\]\\])\[([^[\]`\n]{0,300}`+[^`\n]*)$/, '$1');
  }
  const shown = end.replace(tooShort, '').replace(halfAddress, '$1').replace(halfLink, '$1');
  return content.slice(0, start) + shown.replace(/\\?[*_~]+$/, '');
}

/** @param lineAt where each line of the text begins. */
function topLevel(text: string, lineAt: readonly number[], tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  tokens.forEach(({ level, nesting }, index) => {
    if (level !== 0 || nesting > 0) {
      return;
    }
    const own = tokens.slice(first, index + 1);
    first = index + 1;
    const { map = null, meta } = own[0] ?? {};
    const [start, end] = (map ?? []).map((line) => lineAt[line]);
    let node: MarkdownNode | undefined;
    if (start !== undefined) {
      blocks.push({
        start,
        openFence: meta?.openFence instanceof FencedCode ? meta.openFence : undefined,
        get node() {
          node ??= isTooDeep(own) ? asWritten(text.slice(start, end).replace(/\n$/, '')) : nodeOf(own);
          return node;
        },
      });
    }
  });
  return blocks;
}

/** Beyond its nesting limit, markdown-it drops the rest of a block. */
const isTooDeep = (tokens: readonly Token[]): boolean => tokens.some(({ level }) => level >= maxDepth - 1);

const asWritten = (text: string): MarkdownNode => ({ kind: 'element', tag: 'p', children: breakable(text) });

function nodeOf(tokens: Token[]): MarkdownNode {
  for (const token of tokens) {
    if (token.type === 'inline' && exceedsLimits(token.content)) {
      token.type = 'text';
    }
  }
  const state = new parser.core.State('', parser, {});
  state.tokens = tokens;
  parser.core.process(state);
  return markdownTree(state.tokens)[0] ?? '';
}

/** Whether a paragraph is too long, or has too many marks, to be parsed. */
function exceedsLimits(text: string): boolean {
  return (
    text.length > maxParagraphLength ||
    (text.length > maxMarks && text.replaceAll(/[\p{L}\p{N}\s.,;]/gu, '').length > maxMarks)
  );
}

const isBlockTag = (tag: string): tag is MarkdownTag => blockTags.some((each) => each === tag);

/** An element that is still open. Without `tag`, its children are added to its parent. */
type Open = { tag?: MarkdownTag; token: Token; children: MarkdownNode[] };

/** Turns markdown-it's flat tokens into a tree. Unknown tokens become text or nothing, never an element. */
function markdownTree(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: Open[] = [];
  const add = (nodes: readonly MarkdownNode[]) => {
    const to = open.at(-1)?.children ?? root;
    // One by one: a text can have more lines than a call can take arguments.
    for (const node of nodes) {
      const last = to.at(-1);
      if (typeof node === 'string' && typeof last === 'string') {
        to[to.length - 1] = last + node;
      } else {
        to.push(node);
      }
    }
  };

  for (const token of tokens) {
    if (token.nesting > 0) {
      open.push({ ...opened(token), token, children: [] });
    } else if (token.nesting < 0) {
      const closed = open.pop();
      if (closed !== undefined) {
        add(close(closed));
      }
    } else {
      add(
        leaf(
          token,
          open.some(({ tag }) => tag === 'a'),
        ),
      );
    }
  }
  return root;
}

function opened({ hidden, type, tag }: Token): Pick<Open, 'tag'> {
  if (type === 'link_open') {
    return { tag: 'a' };
  }
  return !hidden && isBlockTag(tag) ? { tag } : {};
}

function close({ tag, token, children }: Open): MarkdownNode[] {
  if (tag === undefined) {
    return children;
  }
  const element = (extra: Partial<MarkdownElement> = {}): MarkdownElement => ({
    kind: 'element',
    tag,
    children,
    ...extra,
  });
  switch (tag) {
    case 'a':
      return link(token, 'href', children);
    case 'blockquote':
      return [note(element())];
    case 'ol': {
      const start = token.attrGet('start');
      return [start === null ? element() : element({ start: Number(start) })];
    }
    case 'li': {
      const inside = withTaskBox(children);
      return [{ ...element(inside === children ? {} : { isTask: true }), children: inside }];
    }
    case 'table':
      return [{ kind: 'element', tag: 'div', children: [element()] }];
    case 'th':
    case 'td': {
      const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1];
      return [align === 'left' || align === 'center' || align === 'right' ? element({ align }) : element()];
    }
    default:
      return [element()];
  }
}

function leaf(token: Token, isInLink: boolean): readonly MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return markdownTree(token.children ?? []);
    case 'text':
      return (isInLink ? [{ text: token.content, place: undefined }] : placesIn(token.content)).flatMap(
        ({ text, place }): readonly MarkdownNode[] => {
          const children = text === '' ? [] : breakable(text);
          return place === undefined ? children : [{ kind: 'element', tag: 'a', place, children }];
        },
      );
    case 'softbreak':
      return ['\n'];
    case 'hardbreak':
      return [{ kind: 'element', tag: 'br', children: [] }];
    case 'formula':
      return [formula(token.content, token.tag === 'p')];
    case 'code_inline': {
      const code: MarkdownNode = { kind: 'element', tag: 'code', children: breakable(token.content) };
      const place = isInLink ? undefined : placeNamed(token.content);
      return [place === undefined ? code : { kind: 'element', tag: 'a', place, children: [code] }];
    }
    case 'hr':
      return [{ kind: 'element', tag: 'hr', children: [] }];
    case 'fence':
      return [{ kind: 'code', info: token.info.trim(), text: token.content }];
    case 'code_block':
      return [{ kind: 'code', info: '', text: token.content }];
    case 'image':
      return image(token);
    default:
      return token.content === '' ? [] : [token.content];
  }
}

/** A quote that begins with `[!NOTE]` or its kin is a note (dart-lang/markdown#567). */
function note(quote: MarkdownElement): MarkdownElement {
  const [first, ...others] = quote.children;
  const [text, ...inside] =
    typeof first === 'object' && first.kind === 'element' && first.tag === 'p' ? first.children : [];
  const [mark = '', name = ''] = typeof text === 'string' ? (/^\[!([A-Z]+)\](?:\s+|$)/i.exec(text) ?? []) : [];
  const kind = noteKinds.find((each) => each === name.toLowerCase());
  if (kind === undefined || typeof first !== 'object' || typeof text !== 'string' || first.kind !== 'element') {
    return quote;
  }
  const rest = [text.slice(mark.length), ...inside].filter((node) => node !== '');
  const children = rest.length === 0 ? others : [{ ...first, children: rest }, ...others];
  return { ...quote, note: kind, children };
}

/** A formula in a sentence, or a block of one, which may have text after its end. */
function formula(content: string, isBlock: boolean): MarkdownElement {
  const [, written = content, after = ''] =
    (isBlock ? /^\s*(\\\[.*\\\]|\$\$.*\$\$|\\begin\{.*\\end\{\w+\*?\})(.*)$/s.exec(content) : null) ?? [];
  const tex = texOf(written, isBlock);
  const isSentence = isBlock && tex !== undefined && !/^[\s.,;:。，；：]*$/.test(after);
  const element: MarkdownElement = {
    kind: 'element',
    tag: isBlock && !isSentence ? 'p' : 'span',
    isFormula: true,
    tex: tex !== undefined && !isSentence && after.trim() !== '' ? `${tex}\\text{${after.trim()}}` : tex,
    isDisplayed: (tex !== undefined && (isBlock || written.startsWith('\\['))) || undefined,
    children: breakable(isSentence ? written : content),
  };
  return isSentence ? { kind: 'element', tag: 'p', children: [element, ...breakable(after)] } : element;
}

/** Single letters, with signs and digits between them: `n`, `O(n)`, `(x, y)`, `0 < a < 2b`, `P(A|B)`; but not `5k`. */
const loneLetters =
  /^(?!\d[\d.,]*[kKMBT]$)(?=[^A-Za-z]*[A-Za-z])(?=[\w(|])(?:[A-Za-z](?![A-Za-z])|[\d\s()|<>+\-*/.,!'])*(?<=[\w)|!'])$/;

/**
 * The LaTeX of a whole formula; undefined if its end is missing. Between dollars in a sentence, it has a sign that
 * prices, ranges and variables of a shell rarely have: `\`, `^`, `=`, `_{`, or a `_` or `{` that is not between words. Or
 * its letters stand alone.
 */
function texOf(written: string, isBlock: boolean): string | undefined {
  const [, inBrackets, dollars, inDollars, environment] =
    /^(?:\\[([](.*)\\[)\]]|(\$\$?)(.*)\2|(\\begin\{.*))$/s.exec(written.trim()) ?? [];
  const tex = inBrackets ?? inDollars ?? environment ?? '';
  const hasSign = /[\\^=]|_\{/.test(tex) || (/[_{]/.test(tex) && !/[A-Za-z]{3}[^A-Za-z]+[A-Za-z]{3}/.test(tex));
  const isText = /^\{\w+[}:]|[=:,;/&|(<]\s*$/.test(tex) || (tex.includes('; ') && !tex.includes('\\'));
  const isFormula =
    (inBrackets ?? environment) !== undefined ||
    (isBlock && dollars === '$$') ||
    loneLetters.test(tex.trim()) ||
    (hasSign && !isText && /^\s/.test(tex) === /\s$/.test(tex));
  return isFormula && tex.trim() !== '' ? tex : undefined;
}

/** An image is one of the answer's pictures, or becomes a link: loading it would reveal to a third party that this reply is being read. */
function image(token: Token): MarkdownNode[] {
  const alt = plainText(markdownTree(token.children ?? [])).trim();
  const picture = pictureAt(String(token.attrGet('src') ?? ''));
  if (picture !== undefined) {
    return [{ kind: 'element', tag: 'span', picture, title: alt, children: [] }];
  }
  return link(token, 'src', alt === '' ? [] : [alt]);
}

/** A link, or its text and its address if that is none of the web: the path of a file is part of the answer. */
function link(token: Token, attribute: 'href' | 'src', children: readonly MarkdownNode[]): MarkdownNode[] {
  const address = String(token.attrGet(attribute) ?? '');
  const title = String(token.attrGet('title') ?? '');
  const href = webAddress(address);
  const text = plainText(children);
  if (href !== undefined) {
    const shown = text === '' ? [address] : children;
    return [{ kind: 'element', tag: 'a', href, title: title || undefined, children: shown }];
  }
  // The data of a picture is no text.
  const path = [address.replace(/^(data:[^,]{0,100}),.*/s, '$1,…'), title].filter(
    (part) => part !== '' && part !== text,
  );
  const shown =
    path.length === 0 ? children : [...children, ...breakable(text === '' ? path.join(' ') : ` (${path.join(' ')})`)];
  const place = attribute === 'href' ? placeOfAddress(address) : undefined;
  return place === undefined ? [...shown] : [{ kind: 'element', tag: 'a', place, children: shown }];
}

/** The text of nodes without markup. */
function plainText(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => (typeof node === 'string' ? node : node.kind === 'code' ? node.text : plainText(node.children)))
    .join('');
}

/** Turns `[ ]` or `[x]` at the start of an item into a checkbox. In a loose list, the text is in a paragraph. */
function withTaskBox(children: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const [first, ...rest] = children;
  if (first === undefined) {
    return children;
  }
  if (typeof first !== 'string') {
    if (first.kind !== 'element' || first.tag !== 'p') {
      return children;
    }
    const inside = withTaskBox(first.children);
    return inside === first.children ? children : [{ ...first, children: inside }, ...rest];
  }
  const mark = /^\[([ xX])\] +/.exec(first);
  if (mark === null) {
    return children;
  }
  const box: MarkdownNode = { kind: 'element', tag: 'input', checked: mark[1] !== ' ', children: [] };
  return [box, ` ${first.slice(mark[0].length)}`, ...rest];
}

const openable = new Set(['http:', 'https:', 'mailto:']);

/**
 * The normalized address, or undefined if it must not be opened. Only http, https and mailto are allowed, never
 * `command:`, `vscode:`, `data:`, `javascript:`, `file:` or an address relative to the panel.
 */
function webAddress(href: string): string | undefined {
  const url = href.length > 8_192 ? null : URL.parse(href);
  return url !== null && openable.has(url.protocol) ? url.href : undefined;
}
