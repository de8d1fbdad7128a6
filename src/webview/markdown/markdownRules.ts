import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { FencedCode } from '../../core/base/fencedCode.ts';

/** Stands for a `|` in a table row that separates no cells. The text to be parsed has no NUL of its own. */
const pipe = '\0';

/** Adds what models write beyond CommonMark and its tables, and keeps the text that these would drop. */
export function addRules(parser: MarkdownIt): void {
  const interrupts = { alt: ['paragraph', 'blockquote', 'list'] };
  parser.block.ruler.before('table', 'tableHead', repairHead, { alt: ['paragraph'] });
  parser.block.ruler.push('tableRows', keepCells, { alt: ['blockquote'] });
  parser.block.ruler.at('fence', fence, interrupts);
  parser.block.ruler.before('fence', 'formula', formulaBlock, interrupts);
  parser.block.ruler.before('list', 'shortIndent', widenIndent, { alt: [] });
  parser.block.ruler.at('reference', beginsDefinition, { alt: ['paragraph'] });
  parser.block.ruler.before('paragraph', 'details', details, interrupts);
  // A line of dashes under a paragraph is a rule in answers: markedjs/marked#3238, mongodb/chatbot#423.
  parser.block.ruler.disable('lheading');
  parser.inline.ruler.before('escape', 'path', windowsPath);
  parser.inline.ruler.before('emphasis', 'sign', sign);
  parser.inline.ruler.before('escape', 'formula', formula);
  parser.inline.ruler.before('autolink', 'tag', tag);
  const { parseLinkDestination } = parser.helpers;
  parser.helpers.parseLinkDestination = (text, start, max) => {
    const found = parseLinkDestination(text, start, max);
    const written = text.slice(start, found.pos).replace(/^<(.*)>$/s, '$1');
    return isWindowsPath(written) ? { ...found, str: written } : found;
  };
}

/** A line without the markers of the quotes and lists around it, or '' after their end. */
function lineOf(state: StateBlock, line: number, endLine: number): string {
  return line >= endLine || (state.sCount[line] ?? 0) < state.blkIndent ? '' : firstLine(state, line);
}

/** The line where a block begins, which may also end the list around it. */
function firstLine(state: StateBlock, line: number): string {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  return ' '.repeat(Math.min(Math.max(0, indent), 4)) + trimmedLine(state, line);
}

/** A quick look at the first letter of a line, because every line is asked for. */
function mayOpen(state: StateBlock, line: number, letters: string): boolean {
  return letters.includes(state.src.charAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)));
}

function trimmedLine(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Whether the quote or list around a line goes on there. */
const goesOn = (state: StateBlock, line: number, endLine: number) =>
  line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent);

/**
 * Makes a line and the delimiter row below it the head of a table: pipes in code and formulas separate no cells, and
 * models miscount the cells of the row or leave out its dashes (filigran-ui#327, brave-browser#57766).
 */
function repairHead(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const head = trimmedLine(state, line);
  const delimiters = head.includes('|') && line + 1 < endLine ? trimmedLine(state, line + 1) : '';
  if (!/^[|:-][\s|:-]*$/.test(delimiters)) {
    return false;
  }
  const row = withoutInnerPipes(head, pipesIn(delimiters).length + 1);
  const missing = pipesIn(row).length - pipesIn(delimiters).length;
  const cells = delimiters.split('|').slice(1, -1);
  const isRow = row.startsWith('|') && cells.length > 1 && /[:-]/.test(delimiters);
  if (isRow && (missing !== 0 || cells.some((cell) => !cell.includes('-')))) {
    const all = missing < 0 ? cells.slice(0, missing) : [...cells, ...Array<string>(missing).fill('')];
    const short = all.map((cell) => cell.trim().replace(/^(:?).*?(:?)$/, '$1-$2'));
    const repaired = `|${short.join('|')}|`.padEnd(delimiters.length);
    if (repaired.length > delimiters.length) {
      return false;
    }
    replaceLine(state, line + 1, repaired);
  }
  if (isRow || missing === 0) {
    replaceLine(state, line, row);
  }
  // Below a list, it is no more of its last item (sn-rme#19).
  return silent && isRow && (state.sCount[line] ?? 0) < state.blkIndent;
}

/**
 * Hides the pipes in a row of a table that separate no cells: those in code or formulas, and those beyond the last
 * column. The rule for tables asks whether each row ends the table, and this is the last rule that it asks.
 */
function keepCells(state: StateBlock, line: number): boolean {
  if (state.parentType !== 'table') {
    return false;
  }
  const rowBefore = state.tokens.slice(state.tokens.findLastIndex(({ type }) => type === 'tr_open'));
  const columns = rowBefore.filter(({ type }) => type === 'inline').length;
  const isUnfinished = state.env.isUnfinished === true && line === state.lineMax - 1;
  const row = withoutInnerPipes(trimmedLine(state, line), columns, isUnfinished);
  const letters = row.split('');
  for (const at of pipesIn(row).slice(columns - 1)) {
    letters[at] = pipe;
  }
  replaceLine(state, line, letters.join(''));
  return false;
}

/** Where the pipes between the cells of a row are. */
function pipesIn(row: string): readonly number[] {
  const pipes = [...row.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  return pipes.filter((at) => row.slice(0, at).trim() !== '' && row.slice(at + 1).trim() !== '');
}

/** UTF-16 units of a row that is searched for formulas. */
const maxFormulaRow = 2_000;

/**
 * A row without the pipes in code and, where it has more cells than columns, in formulas such as `$P(A|B)$`.
 *
 * @param isUnfinished the end of its last code may not have arrived.
 */
function withoutInnerPipes(row: string, columns: number, isUnfinished = false): string {
  const hide = (part: string) => part.replaceAll(/(?<!\\)\|/g, pipe);
  const code = isUnfinished ? /(?<!`)(`+)(?!`)(?:.*?(?<!`)\1(?!`)|.*$)/g : /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g;
  const cells = row.replaceAll(code, hide);
  // In a longer row, looking for the ends of many formulas that have none would take seconds.
  const mayHaveMore = row.length <= maxFormulaRow && pipesIn(cells).length >= columns;
  return mayHaveMore ? cells.replaceAll(new RegExp(formulas, 'g'), hide) : cells;
}

/** @param text is as long as the line without the markers of the quotes and lists around it. */
function replaceLine(state: StateBlock, line: number, text: string): void {
  if (text !== trimmedLine(state, line)) {
    const end = state.eMarks[line] ?? 0;
    state.src = state.src.slice(0, end - text.length) + text + state.src.slice(end);
  }
}

/** Puts back the hidden pipes. */
export function restorePipes(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.content.includes(pipe)) {
      token.content = token.content.replaceAll(pipe, '|');
    }
  }
}

/** A fenced code block, in which a block of Markdown may have others: see `FencedCode`. */
function fence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!mayOpen(state, startLine, '`~')) {
    return false;
  }
  const opening = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(firstLine(state, startLine));
  if (opening === null || silent) {
    return opening !== null;
  }
  const markup = opening[1] ?? opening[3] ?? '';
  const info = opening[2] ?? opening[4] ?? '';
  const indent = state.sCount[startLine] ?? 0;
  const code = new FencedCode(markup, info);
  let line = startLine + 1;
  let hasEnded = false;
  // Code in a list, or its end, may lack the indentation of the list (markup-carve/carve#646).
  const isItem = /^(?:[-*+]|\d+[.)])\s/.test(trimmedLine(state, line));
  const isOutside = !goesOn(state, line, endLine) && !isItem && (state.sCount[line] ?? 0) >= 0;
  const isEnd = () => trimmedLine(state, line).trimEnd() === markup;
  for (; line < endLine && !hasEnded && (goesOn(state, line, endLine) || isOutside || isEnd()); line++) {
    hasEnded = code.endsAt(firstLine(state, line), lineOf(state, line + 1, endLine));
  }
  const first = isOutside ? startLine + 1 : startLine;
  const margin = (state.sCount[first] ?? 0) - (widenedLines(state)[first] ?? 0);
  const content = state.getLines(startLine + 1, hasEnded ? line - 1 : line, margin, true);
  const isFormula = info.trim() === 'math';
  // Lines of arithmetic without LaTeX would be drawn as one.
  const isDrawn = isFormula && hasEnded && /[\\^]|_\{/.test(content);
  const token = isDrawn ? state.push('formula', 'p', 0) : state.push('fence', 'code', 0);
  token.info = info;
  token.content = isDrawn ? `$$\n${content}$$` : content;
  token.markup = markup;
  token.map = [startLine, line];
  // One that is indented is parsed again as it grows: its lines lose that many blanks. So is one that will be a formula.
  token.meta = hasEnded || indent > 0 || isFormula ? {} : { openFence: code };
  state.line = line;
  return true;
}

/** A heading, bold words, code or a sentence, which show that a mark above them was a stray one. */
const noFormula = /^(?:#{1,6}\s|~{3}|[A-Za-z]{3,}(?: [a-z]{2,}){2})|`|\*\*|。/;

/**
 * A displayed formula: from a line that begins with `\[`, `$$` or `\begin{…}` to a line that has `\]`, `$$` or `\end{…}`.
 * It has no blank lines, as in LaTeX, so that a stray mark takes no more than its paragraph; but models write some after
 * a mark that is alone on its line (CherryHQ/cherry-studio#20588). Text after the end of the first line makes it part of
 * a sentence, and a `$$` may end a formula that a sentence began.
 */
function formulaBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!mayOpen(state, startLine, '\\$')) {
    return false;
  }
  const opening = /^ {0,3}(\\\[|\$\$|\\begin\{(\w+\*?)\})(.*)$/.exec(firstLine(state, startLine));
  if (opening === null) {
    return false;
  }
  const [, start = '', name, rest = ''] = opening;
  // Each line may ask for those before it, so that only the last ones are read.
  const from = Math.max(state.line, startLine - 50);
  const before = state.parentType === 'paragraph' ? state.getLines(from, startLine, 0, false) : '';
  if (start === '$$' && before.split('$$').length % 2 === 0) {
    return false;
  }
  const end = name !== undefined ? `\\end{${name}}` : start === '$$' ? '$$' : '\\]';
  const [, after] = splitAt(rest, end);
  if (after !== undefined && !/^[\s.,;:。，；：]*$/.test(after)) {
    return false;
  }
  if (silent) {
    return true;
  }
  const isAlone = name === undefined && rest.trim() === '';
  let line = startLine + 1;
  let blank: number | undefined;
  let hasEnded = after !== undefined;
  for (; !hasEnded && goesOn(state, line, endLine) && (blank === undefined || line < startLine + 30); line++) {
    blank ??= state.isEmpty(line) ? line : undefined;
    if (blank !== undefined && (!isAlone || noFormula.test(trimmedLine(state, line)))) {
      break;
    }
    hasEnded = lineOf(state, line, endLine).includes(end);
  }
  // Its end may still arrive.
  line = hasEnded || line === endLine ? line : (blank ?? line);
  const token = state.push('formula', 'p', 0);
  token.content = state.getLines(startLine, line, state.blkIndent, false);
  token.map = [startLine, line];
  state.line = line;
  return true;
}

function splitAt(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

const anyOf = (patterns: readonly RegExp[], flags: string) =>
  new RegExp(patterns.map(({ source }) => source).join('|'), flags);

const formulas = anyOf(
  [
    /\\\((?:[^\\]|\\[^)])*\\\)/,
    /(?<!\[)\\\[(?:[^\\]|\\[^\]])*\\\]/,
    /\$\$[^$]+\$\$/,
    // `$…$` without blanks inside its ends, which money and variables of a shell have.
    /(?<![\w$\\])\$(?![\s$])(?:[^\n$\\]|\\.)*(?<!\s)\$(?!(?!(?:s|th|st|nd|rd)\b)[\w${(])/,
    // `$ … $` with blanks there but no words between them, other than commands and what is in their braces.
    /(?<!\d ?|[\w$\\])\$ (?:(?!\*\*|`|[A-Za-z]{3}|(?<= )[A-Za-z]{2} )[^\n$\\]|(?=(\\[A-Za-z]+(?:\{[A-Za-z ]+\})?))\1|\\[^A-Za-z\n])+ \$(?![\w${(])/,
  ],
  'y',
);
/**
 * A formula without its end, which has not arrived or never came because the answer was cut. It has no bold words, code or
 * link in it.
 */
const openFormula = anyOf(
  [
    // Sentences have no `\`, `^`, `_` or `{` after such a start.
    /(?:(?<!\w)\\\(|(?<![\w[])\\\[|\$\$(?=[^$]*$))(?=.*[\\^_{])(?:(?!\*\*|`|\]\().)*$/,
    // After a single `$` there are no words before its first command.
    /(?<![\w$\\])\$(?=(?:(?![A-Za-z]{2})[^\n$\\])*\\[A-Za-z{,;!\\])(?:(?!\*\*|`|\]\()[^$])*$/,
  ],
  'sy',
);
/** Not in `[\[1\]](https://…)`, which is a link with brackets in its text. */
const loneBracket = /\\\(|(?<!\[)\\\[|\\[)\]](?!\])/y;

/**
 * A formula in a sentence is shown exactly as it was written. The same goes for a bracket of a formula without the other
 * one: Markdown would remove its backslash.
 */
function formula(state: StateInline, silent: boolean): boolean {
  if (!/[\\$]/.test(state.src.charAt(state.pos))) {
    return false;
  }
  const whole = matchAt(formulas, state) ?? matchAt(openFormula, state);
  const found = whole ?? matchAt(loneBracket, state);
  if (found === undefined) {
    return false;
  }
  if (!silent && whole !== undefined) {
    state.push('formula', 'span', 0).content = whole;
  } else if (!silent) {
    state.pending += found;
  }
  state.pos += found.length;
  return true;
}

function matchAt(pattern: RegExp, { src, pos, posMax }: StateInline): string | undefined {
  pattern.lastIndex = pos;
  const found = pattern.exec(src)?.[0];
  return found !== undefined && pos + found.length <= posMax ? found : undefined;
}

/** How a Windows path begins: a drive, a variable, a server or the folders `.`, `..` and `~`; and how it goes on. */
const pathBefore =
  /(?<![\p{L}\p{N}\\])(?:[A-Za-z]:|%\w+%|\$[\w:]+|\\\\[\w.-]+|\.{1,2}|~)(?:\\[^\\/:*?"<>|\s，。；：、]*(?: [\p{Lu}\p{N}(][^\\/:*?"<>|\s，。；：、]*)*)*$/u;
const serverPath = /\\\\[\w.-]+\\/y;
/** A backslash before a letter, which escapes nothing. */
const separator = /(?<!\\)(?:\\\\)*\\[\p{L}\p{N}]/u;
const maxPathLength = 260;

const isWindowsPath = (word: string) => separator.test(word) || /^(?:[A-Za-z]:|\.{1,2}|~)\\/.test(word);

/**
 * In a Windows path, a backslash before punctuation is a separator: `C:\x\_temp`. The same goes for every word that has
 * another backslash before a letter: `src\data\_x`, `App\Models\_Base`, `\d+\.\d+`.
 */
function windowsPath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== '\\') {
    return false;
  }
  const before = src.slice(Math.max(0, pos - maxPathLength), pos);
  const after = src.slice(pos, pos + maxPathLength);
  const word = () => (before.split(/[\s，。；：、]/).at(-1) ?? '') + after.split(/[\s，。；：、]/, 1).join();
  const next = src[pos + 1] ?? '';
  let length = 0;
  if (/(?:^|[^\w\\:])$/.test(before) && matchAt(serverPath, state) !== undefined) {
    length = 2;
  } else if (
    (/^(?:[!-/:-@[\]^-`{-~\n]|)$/.test(next) && pathBefore.test(before)) ||
    // The brackets of a formula are kept in any case.
    (/^(?:[!-'*-/:-@\\^-`{-~\n]|)$/.test(next) && separator.test(word()))
  ) {
    // Two stars are the end of bold words, and a dot with a star is a pattern.
    const isPattern = next === '*' && /(?<!\\)[.~]$/.test(before);
    const isAlone = next.trim() === '' || src.startsWith('**', pos + 1);
    length = isPattern ? 0 : isAlone ? 1 : 2;
  }
  if (length > 0 && !silent) {
    state.pending += src.slice(pos, pos + length);
  }
  state.pos += length;
  return length > 0;
}

/** Stars and underscores that are signs, not Markdown. */
const signs = anyOf(
  [
    // Names such as `__init__` (lobe-editor#49).
    /(?<!\w)__[a-z]{3,}(?:_[a-z]+)*__(?!\w)/,
    // In numbers (textgen#5608, chatbox#270), and between a letter that stands alone and a digit.
    /(?<=\d)\*+(?=\d)|(?<=(?<![\w*])[A-Za-z])\*+(?=\d)/,
    // Alone in quotes or brackets (sdlwiki#714).
    /(?<=([('"]))\*(?=\1|(?<=\(\*)\))/,
    // In patterns of paths.
    /\*\*\/(?=\*)|(?<=\/)\*\*?(?=\/)|(?<=[/|,{])\*(?=\.\w)/,
  ],
  'y',
);

function sign(state: StateInline, silent: boolean): boolean {
  const found = /[*_]/.test(state.src.charAt(state.pos)) ? matchAt(signs, state) : undefined;
  if (found !== undefined && !silent) {
    state.pending += found;
  }
  state.pos += found?.length ?? 0;
  return found !== undefined;
}

/** `<br>`, with which models break lines in the cells of tables, and elements without attributes that have an end. */
function tag(state: StateInline, silent: boolean): boolean {
  const found =
    state.src[state.pos] === '<' ? matchAt(/<(?:br\s*\/?>(?: *\n)?|(?:kbd|sub|sup|mark)>)/iy, state) : undefined;
  if (found === undefined) {
    return false;
  }
  const name = found.replaceAll(/[^a-z]/gi, '').toLowerCase();
  const from = state.pos + found.length;
  const { posMax } = state;
  if (name === 'br') {
    if (!silent) {
      state.push('hardbreak', 'br', 0);
    }
    state.pos = from;
    return true;
  }
  const end = state.src.slice(from, posMax).search(new RegExp(`</${name}>`, 'i'));
  if (end === -1 && !state.env.isUnfinished) {
    return false;
  }
  if (!silent) {
    state.pos = from;
    state.posMax = end === -1 ? posMax : from + end;
    state.push(`${name}_open`, name, 1);
    state.md.inline.tokenize(state);
    state.push(`${name}_close`, name, -1);
    state.posMax = posMax;
  }
  state.pos = end === -1 ? posMax : from + end + name.length + 3;
  return true;
}

/** The line of a footnote, `[^1]: text`, or of a link definition, `[1]: https://…`, begins a paragraph. */
function beginsDefinition(state: StateBlock, line: number, _endLine: number, silent: boolean): boolean {
  return silent && mayOpen(state, line, '[') && /^ {0,3}\[[^[\]]{1,50}\]:/.test(firstLine(state, line));
}

/** `<details>` with `<summary>`, each without attributes and on lines of their own, until `</details>`. */
function details(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const opening = mayOpen(state, startLine, '<')
    ? /^ {0,3}<details>\s*(?:<summary>(.*)<\/summary>\s*)?$/i.exec(firstLine(state, startLine))
    : null;
  if (opening === null || silent) {
    return opening !== null;
  }
  let code: FencedCode | undefined;
  let depth = 1;
  let end = startLine + 1;
  for (; goesOn(state, end, endLine); end++) {
    const text = lineOf(state, end, endLine);
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (code !== undefined) {
      code = code.endsAt(text, lineOf(state, end + 1, endLine)) ? undefined : code;
    } else if (fence !== '') {
      code = new FencedCode(fence, info);
    } else {
      depth += /^ {0,3}<details>/i.test(text) ? 1 : /^ {0,3}<\/details>\s*$/i.test(text) ? -1 : 0;
      if (depth === 0) {
        break;
      }
    }
  }
  const next = /^\s*<summary>(.*)<\/summary>\s*$/i.exec(
    end > startLine + 1 ? lineOf(state, startLine + 1, endLine) : '',
  );
  const summary = opening[1] ?? next?.[1];
  const open = state.push('details_open', 'details', 1);
  open.map = [startLine, Math.min(end + 1, endLine)];
  if (summary !== undefined) {
    state.push('summary_open', 'summary', 1).map = [startLine, startLine + 1];
    const inline = state.push('inline', '', 0);
    inline.content = summary.trim();
    inline.map = [startLine, startLine + 1];
    inline.children = [];
    state.push('summary_close', 'summary', -1);
  }
  const { lineMax, parentType } = state;
  state.lineMax = end;
  state.parentType = 'root';
  state.md.block.tokenize(state, startLine + (opening[1] === undefined && next !== null ? 2 : 1), end);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.push('details_close', 'details', -1);
  state.line = depth === 0 ? end + 1 : end;
  return true;
}

const bullet = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** A line that ends the paragraph before it. */
const interruption = /^(?:`{3}|~{3}|#{1,6}[ \t]|>)/;
/** A line that no paragraph goes on after: a blank one, or what an item begins with besides text. */
const noParagraph = /^(?:\d{1,9}[.)] +)?(?:`{3}|~{3}|#{1,6}[ \t]|$)/;

const widenings = new WeakMap<object, number[]>();

/** The blanks that each line of a text counts more than it has. */
function widenedLines({ env }: StateBlock): number[] {
  const lines = widenings.get(env) ?? [];
  widenings.set(env, lines);
  return lines;
}

/**
 * Two blanks are enough before an item inside a numbered one, as for one inside a bullet: those lines count as indented
 * as far as its text (commonmark-spec#594, remark-react#65, kramdown#353).
 */
function widenIndent(state: StateBlock, startLine: number, endLine: number): boolean {
  const own = state.sCount[startLine] ?? 0;
  let width = 0;
  let missing = 0;
  let before = '';
  const widened = widenedLines(state);
  for (let line = startLine; line < endLine; line++) {
    const indent = (state.sCount[line] ?? 0) - own;
    const text = trimmedLine(state, line);
    const number = /^\d{1,9}[.)] +(?=\S)/.exec(text)?.[0];
    if (indent === 0 && number !== undefined) {
      width = number.length;
      missing = 0;
    } else if (text !== '') {
      const isItem = missing === 0 && bullet.test(text);
      const endsList = indent + missing < width && (noParagraph.test(before) || interruption.test(text));
      if (indent < 2 || (endsList && !isItem)) {
        return false;
      }
      if (isItem) {
        if (indent >= width) {
          width = 0;
        }
        missing = Math.max(0, width - indent);
      }
      state.sCount[line] = own + indent + missing;
      widened[line] = (widened[line] ?? 0) + missing;
    }
    before = text;
  }
  return false;
}
