import { type CodePlace, indentOf, linesOf } from './codePlace.ts';

/**
 * A model's code, indented as what it replaces, with the file's line ends and its tabs or blanks. Without a line end at
 * its end: a place has none.
 *
 * @param selected the code as the model saw it. A selection that began behind its indentation went out without that of
 * its first line, and may come back so.
 */
export function fitCode(file: string, place: CodePlace, code: string, selected: string): string {
  const lines = linesOf(file);
  const replaced = lines.slice(place.startLine, place.endLine + 1);
  const block = withoutBlankEnds(linesOf(code));
  const written = inWriting(block, writingOf(lines), writingOf(block));
  const base = marginOf(replaced);
  const asked = hangingMargin(linesOf(selected));
  const isBare = base !== '' && asked.startsWith(base) && hangingMargin(written).startsWith(asked);
  const margin = marginOf(written);
  const startsInLine = place.startCharacter > 0;
  const fitted = written.map((line, index) => {
    if (line.trim() === '') {
      return '';
    }
    if (index === 0) {
      return (startsInLine ? '' : base) + line.slice(margin.length);
    }
    return isBare ? line : base + line.slice(margin.length);
  });
  return fitted.join(lineEndOf(file));
}

/** The file with the code in that place. */
export function withCode(file: string, place: CodePlace, code: string): string {
  const starts = lineStarts(file);
  const start = (starts[place.startLine] ?? file.length) + place.startCharacter;
  const end = (starts[place.endLine] ?? file.length) + place.endCharacter;
  return file.slice(0, start) + code + file.slice(end);
}

/** How a text is indented: by tabs, or by so many blanks a step. */
type Writing = { readonly tabs: boolean; readonly step: number } | undefined;

function writingOf(lines: readonly string[]): Writing {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length;
  const blanks = indents.filter((indent) => indent.startsWith('  ')).map((indent) => indent.length);
  if (tabs === 0 && blanks.length === 0) {
    return undefined;
  }
  const smallest = blanks.length === 0 ? 4 : Math.min(...blanks.map((length) => (length % 4 === 0 ? 4 : 2)));
  return { tabs: tabs > blanks.length, step: smallest };
}

function inWriting(block: readonly string[], file: Writing, own: Writing): readonly string[] {
  if (file === undefined || own === undefined || file.tabs === own.tabs) {
    return block;
  }
  return block.map((line) => {
    const indent = indentOf(line);
    const width = [...indent].reduce((sum, unit) => sum + (unit === '\t' ? file.step : 1), 0);
    const tabs = Math.floor(width / own.step);
    const written = file.tabs ? '\t'.repeat(tabs) + ' '.repeat(width - tabs * own.step) : ' '.repeat(width);
    return written + line.slice(indent.length);
  });
}

/** What all lines that are not blank begin with. */
function marginOf(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  return indents.reduce((common, indent) => {
    let length = 0;
    while (length < common.length && common[length] === indent[length]) {
      length += 1;
    }
    return common.slice(0, length);
  }, indents[0] ?? '');
}

/** What all lines but the first begin with, when the first begins with nothing. */
function hangingMargin([first = '', ...others]: readonly string[]): string {
  return indentOf(first) === '' ? marginOf(others) : '';
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [''] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

function lineEndOf(file: string): string {
  return /\r\n|\n|\r/.exec(file)?.[0] ?? '\n';
}

function lineStarts(file: string): number[] {
  return [0, ...Array.from(file.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
}
