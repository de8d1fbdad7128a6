import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it';

/**
 * Closes code and emphasis that are still open at the end of an inline token with `isUnfinished` in its `meta`, so that
 * they look as they will when the rest has arrived. Nothing here is used for the finished reply.
 */
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
