import type { Token } from 'markdown-it';
import { pictureAt } from '../../core/base/pictures.ts';
import { breakable } from './longStretch.ts';
import { blockTags, type MarkdownElement, type MarkdownNode, type MarkdownTag, noteKinds } from './markdownNode.ts';
import { placeNamed, placeOfAddress, placesIn } from './places.ts';

const isBlockTag = (tag: string): tag is MarkdownTag => blockTags.some((each) => each === tag);

/** An element that is still open. Without `tag`, its children are added to its parent. */
type Open = { tag?: MarkdownTag; token: Token; children: MarkdownNode[] };

/** Turns markdown-it's flat tokens into a tree. Unknown tokens become text or nothing, never an element. */
export function markdownTree(tokens: readonly Token[]): MarkdownNode[] {
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

/**
 * The LaTeX of a whole formula; undefined if its end is missing. Between dollars in a sentence, it has a sign that
 * prices, ranges and variables of a shell rarely have: `\`, `^`, `=`, `_{`, or a `_` or `{` that is not between words.
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
