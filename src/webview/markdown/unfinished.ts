import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it';

/**
 * Prepares an unfinished reply for display. What would look wrong for a moment (half a table, half a fence, emphasis
 * without its end) is held back or closed. Nothing here is used for the finished reply.
 */

/** A last line that may still become a list, a rule, a heading, a quote, a fence or the underline of a heading. */
const ambiguousLine =
  /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)?(?:[-*+_=#>|]+|\d{1,9}[.)]?|`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)?\s*$/;
/** A last line that may still become the checkbox of a task list item. */
const boxLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[(?:[ xX]?|[ xX]\]\s*)$/;
/** A last line that may still become a note, a footnote, the start or end of a part that opens, or its summary. */
const markLine = /^[\s>]*(?:\[[!^][^\s\]]{0,50}\]?|<\/?(?:[a-z]{0,7}|details>.*|summary>.*))\s*$/i;
/** The first row of what may become a table, which is held back until its delimiter row has arrived. */
const halfTable = /(?:^|(?<=(?:^|\n)(?![^\S\n]*\|).*\n))[^\S\n]*\|.*(?:\n(?:[^\S\n]*\|[ \t|:-]*)?)?$/;

/** The part of unfinished text that can already be shown. */
export function showable(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const isUnclear = lastLine.length < 200 && [ambiguousLine, boxLine, markLine].some((line) => line.test(lastLine));
  const shown = isUnclear ? text.slice(0, text.length - lastLine.length) : text;
  return shown.replace(halfTable, '');
}

/** A link or an image whose end has not arrived: only its text is shown. */
const halfLink =
  /(?<![\w\]\\])!?\[(?!!)([^[\]\n]{0,300})(?:\](?:\((?:<[^<>]*>?|(?:[^()\s]|\([^()\s]*\)?)*)(?:\s+(?:"[^"]*"?|'[^']*'?))?\s*)?)?$/;
/** An address in angle brackets whose end has not arrived. */
const halfAddress = /<((?:https?|mailto):[^\s<>]*)$/;
/** The start of such an address, a tag, a footnote's mark, a character reference, an image or an escape: too short to be shown. */
const tooShort = /(?:\\?<\/?(?:[a-z]{0,6}|br\s*\/?)|\[\^[^\s[\]^]{0,50}\]?|&#?\w{0,8}|!|\\)$/;

/** Unfinished inline Markdown without what is too short to be shown at its end, and without half a link. */
export function closable(content: string): string {
  // Half a link started near the end. In inline code, brackets are code.
  const start = Math.max(0, content.length - 3_000);
  const end = content.slice(start);
  if (end.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gs, '').includes('`')) {
    return content;
  }
  const shown = end.replace(tooShort, '').replace(halfAddress, '$1').replace(halfLink, '$1');
  return content.slice(0, start) + shown.replace(/\\?[*_~]+$/, '');
}

/** Closes code and emphasis that are still open at the end of an inline token with `isUnfinished` in its `meta`. */
export function addClosingRules(parser: MarkdownIt): void {
  parser.core.ruler.at('inline', ({ tokens }) => {
    for (const { type, content, meta, children } of tokens) {
      if (type === 'inline' && children !== null) {
        parser.inline.parse(content, parser, { isUnfinished: meta?.isUnfinished === true }, children);
      }
    }
  });
  parser.inline.ruler.before('backticks', 'openCode', openCode);
  parser.inline.ruler2.after('balance_pairs', 'closeEmphasis', closeEmphasis);
}

/** Inline code goes on to the end if its closing backticks have not arrived. */
function openCode(state: StateInline, silent: boolean): boolean {
  const { env, src, pos } = state;
  const run = env.isUnfinished && src[pos] === '`' ? (/^`+/.exec(src.slice(pos))?.[0].length ?? 0) : 0;
  if (run === 0 || new RegExp(`(?<!\`)\`{${run}}(?!\`)`).test(src.slice(pos + run))) {
    return false;
  }
  const code = src.slice(pos + run, state.posMax).replace(/`+$/, '');
  if (!silent && code !== '') {
    state.push('code_inline', 'code', 0).content = code;
  }
  state.pos = state.posMax;
  return true;
}

/** Adds the closing marks of emphasis that is still open, or holds back the text after a mark that may be none. */
function closeEmphasis(state: StateInline): void {
  const { delimiters, tokens, tokens_meta: ofTokens, env } = state;
  const open: Delimiter[] = [];
  for (let index = 0; env.isUnfinished && index < delimiters.length; index++) {
    const each = delimiters[index];
    if (each !== undefined && each.end > index) {
      index = each.end;
    } else if (each?.open) {
      const kind = kindOf(each, tokens);
      if (kind === undefined) {
        tokens.length = each.token;
        // Else the marks of emphasis in an element or a link that was cut would be looked for.
        const isCut = ({ token }: Delimiter) => token >= each.token;
        state.tokens_meta = ofTokens.filter((own) => !own?.delimiters?.some(isCut));
        delimiters.length = index;
      } else if (kind === 'emphasis') {
        open.push(each);
      }
    }
  }
  for (const opener of open.reverse()) {
    opener.end = delimiters.length;
    delimiters.push({ ...opener, token: tokens.length, end: -1, open: false, close: true });
    state.push('text', '', 0).content = tokens[opener.token]?.content ?? '';
  }
}

/** UTF-16 units after a mark until it is decided without its other one. They arrive in less than a second. */
const maxHeldBack = 60;

/**
 * Whether a mark without its other one is the start of emphasis or a sign, as in `2**10`, `f(x)*g`, `*.ts` and
 * `(*args, **kwargs)`; undefined if only more text can tell.
 */
function kindOf({ token, marker, length }: Delimiter, tokens: readonly Token[]): 'emphasis' | 'sign' | undefined {
  const isMark = (each: Token | undefined) => each?.content.charCodeAt(0) === marker;
  const first = tokens.findLastIndex((each, index) => index < token && !isMark(each));
  const before = tokens[first]?.content ?? '';
  const after = tokens
    .slice(tokens.findIndex((each, index) => index > token && !isMark(each)))
    // Code looks like none of the signs.
    .map(({ type, content }) => (type === 'code_inline' ? '`' : content))
    .join('');
  if (
    (/[\p{sc=Latin}\p{N})\]}]$/u.test(before) && /^[\p{sc=Latin}\p{N}]/u.test(after)) ||
    (length === 1 && /^[./)]/.test(after)) ||
    /^[a-z_]\w*[,)\]};=(]/.test(after)
  ) {
    return 'sign';
  }
  // Names in code begin with small letters; most words in bold with capital ones.
  const isLikeCode = marker !== 0x7e && /^[a-z_./*)-]/.test(after);
  if (after.length < maxHeldBack && (length === 1 || isLikeCode)) {
    return undefined;
  }
  return isLikeCode ? 'sign' : 'emphasis';
}
