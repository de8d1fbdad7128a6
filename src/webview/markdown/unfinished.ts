/**
 * Prepares an unfinished reply for display. What would look wrong for a moment (half a table, half a fence, emphasis
 * without its end) is held back or closed. Nothing here is used for the finished reply.
 */

/** A last line that may still become a list, a rule, a heading, a quote, a fence or the underline of a heading. */
const ambiguousLine = /^[\s>]*(?:[-*+_=#>|]+|\d{1,9}[.)]?|`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)?\s*$/;
/** A last line that may still become a link definition, or the checkbox of a task list item. */
const definitionLine = /^ {0,3}\[(?:[^\]]*|[^\]]*\]|[^\]]+\]:.*)$/;
const boxLine = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[(?:[ xX]?|[ xX]\]\s*)$/;
const delimiterRow = /^[\s|:-]*$/;

/** The part of unfinished text that can already be shown. */
export function showable(text: string): string {
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const isUnclear =
    lastLine.length < 200 && [ambiguousLine, definitionLine, boxLine].some((unclear) => unclear.test(lastLine));
  const shown = isUnclear ? text.slice(0, text.length - lastLine.length) : text;
  return withoutHalfTable(shown);
}

/** Holds back the first row of a table until its delimiter row has arrived. */
function withoutHalfTable(text: string): string {
  const last = text.endsWith('\n') ? text.slice(0, -1) : text;
  const lineStart = last.lastIndexOf('\n') + 1;
  const line = last.slice(lineStart);
  if (!/^\s*\|/.test(line)) {
    return text;
  }
  const previousStart = last.lastIndexOf('\n', lineStart - 2) + 1;
  const previous = lineStart === 0 ? '' : last.slice(previousStart, lineStart - 1);
  if (previous.trim() === '' || !/^\s*\|/.test(previous)) {
    return text.slice(0, lineStart);
  }
  const beforePrevious =
    previousStart === 0 ? '' : last.slice(last.lastIndexOf('\n', previousStart - 2) + 1, previousStart - 1);
  const isSecondRow = !/^\s*\|/.test(beforePrevious);
  return isSecondRow && delimiterRow.test(line) && !text.endsWith('\n') ? text.slice(0, previousStart) : text;
}

type Opener = { readonly mark: string; length: number };

/** A link or an image whose end has not arrived: only its text is shown. */
const halfLink =
  /(?<![\w\]])!?\[([^[\]\n]{0,300})(?:\](?:\((?:<[^<>]*>?|[^()\s]*)(?:\s+(?:"[^"]*"?|'[^']*'?))?\s*)?)?$/;
/** An address in angle brackets whose end has not arrived. */
const halfAddress = /<((?:https?|mailto):[^\s<>]*)$/;
/** The start of such an address, a character reference, an image or an escape: too short to be shown. */
const tooShort = /(?:<[a-z]{0,6}|&#?\w{0,8}|!|\\)$/;

/** Closes inline Markdown that is still open: code, emphasis, a link whose address is still arriving. */
export function closeInline(content: string): string {
  // Everything that is open started near the end.
  const start = Math.max(0, content.length - 3_000);
  const text = content.slice(0, start) + withoutHalfLink(content.slice(start));
  const openers: Opener[] = [];
  let at = 0;
  while (at < text.length) {
    const mark = text.charAt(at);
    if (mark === '\\') {
      at += 2;
    } else if (mark === '`') {
      const run = runLength(text, at, mark);
      const end = closingRun(text, at + run, run);
      if (end === -1) {
        const code = text.slice(at + run).replace(/`+$/, '');
        return withClosers(
          code === '' ? text.slice(0, at) : text.slice(0, at + run) + code + mark.repeat(run),
          openers,
        );
      }
      at = end;
    } else if (mark === '*' || mark === '_' || mark === '~') {
      const run = runLength(text, at, mark);
      if (at + run === text.length && !closes(openers, mark, text.charAt(at - 1), run)) {
        return withClosers(text.slice(0, at), openers);
      }
      handleRun(openers, mark, run, text.charAt(at - 1), text.charAt(at + run));
      at += run;
    } else {
      at += 1;
    }
  }
  return withClosers(text, openers);
}

/** Removes half a link or address at the end, unless the end is inside inline code. */
function withoutHalfLink(text: string): string {
  if (text.split('`').length % 2 === 0) {
    return text;
  }
  return text.replace(tooShort, '').replace(halfAddress, '$1').replace(halfLink, '$1');
}

function runLength(text: string, from: number, mark: string): number {
  let end = from;
  while (text.charAt(end) === mark) {
    end += 1;
  }
  return end - from;
}

function closingRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at !== -1; at = text.indexOf('`', at)) {
    const run = runLength(text, at, '`');
    at += run;
    if (run === length) {
      return at;
    }
  }
  return -1;
}

const isBlank = (character: string) => character === '' || /\s/.test(character);
const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character);

function closes(openers: readonly Opener[], mark: string, before: string, run: number): boolean {
  return !isBlank(before) && openers.some((opener) => opener.mark === mark && opener.length >= run);
}

function handleRun(openers: Opener[], mark: string, run: number, before: string, after: string): void {
  let left = mark === '~' && run > 2 ? 0 : run;
  const insideWord = mark === '_' && isWord(before) && isWord(after);
  if (!isBlank(before) && !insideWord) {
    for (let opener = openers.findLast((one) => one.mark === mark); opener && left > 0; ) {
      const closed = Math.min(opener.length, left);
      opener.length -= closed;
      left -= closed;
      if (opener.length > 0) {
        break;
      }
      openers.splice(openers.lastIndexOf(opener));
      opener = openers.findLast((one) => one.mark === mark);
    }
  }
  if (left > 0 && left < 4 && !isBlank(after) && !insideWord) {
    openers.push({ mark, length: left });
  }
  // No real text nests emphasis this deep; without this limit, every later mark would search all openers.
  if (openers.length > 50) {
    openers.shift();
  }
}

function withClosers(text: string, openers: readonly Opener[]): string {
  const closers = openers.map((opener) => opener.mark.repeat(opener.length)).reverse();
  return closers.length === 0 ? text : text.trimEnd() + closers.join('');
}
