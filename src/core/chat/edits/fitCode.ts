import { type CodePlace, indentOf, lineBreakOf, linesOf } from './codeTarget.ts';

/**
 * Adapts a model's code to the place it replaces: the indentation, tabs or spaces, and line breaks. The result doesn't
 * end with a line break, because a place doesn't include one.
 *
 * @param selected the code as it was sent to the model. If the selection began after the indentation of its first line,
 * the model got that line without indentation, and may answer in the same form.
 * @param isWhole whether whole lines were sent, and asked for with their indentation. Code that has at least that of the
 * place stays as it is then.
 */
export function fitCode(file: string, place: CodePlace, code: string, selected: string, isWhole = false): string {
  const lines = linesOf(file);
  const replaced = lines.slice(place.startLine, place.endLine + 1);
  const block = withoutBlankEnds(linesOf(code));
  const indented = inStyle(block, indentStyleOf(lines), indentStyleOf(block));
  const base = marginOf(replaced);
  if (isWhole && indented === block && block.every((line) => line.trim() === '' || line.startsWith(base))) {
    return block.join(lineBreakOf(file));
  }
  const selectedMargin = hangingMargin(linesOf(selected));
  const lacksFirstIndent =
    base !== '' && selectedMargin.startsWith(base) && hangingMargin(indented).startsWith(selectedMargin);
  const margin = marginOf(indented);
  const startsInLine = place.startCharacter > 0;
  const fitted = indented.map((line, index) => {
    if (line.trim() === '') {
      return '';
    }
    if (index === 0) {
      return (startsInLine ? '' : base) + line.slice(margin.length);
    }
    return lacksFirstIndent ? line : base + line.slice(margin.length);
  });
  return fitted.join(lineBreakOf(file));
}

/** The text of the file with the code put into the place. */
export function withCode(file: string, place: CodePlace, code: string): string {
  const starts = lineOffsets(file);
  const start = (starts[place.startLine] ?? file.length) + place.startCharacter;
  const end = (starts[place.endLine] ?? file.length) + place.endCharacter;
  return file.slice(0, start) + code + file.slice(end);
}

/** Whether a text is indented by tabs, and the number of spaces for each level. Undefined when nothing is indented. */
type IndentStyle = { readonly tabs: boolean; readonly step: number } | undefined;

function indentStyleOf(lines: readonly string[]): IndentStyle {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length;
  const spaces = indents.filter((indent) => indent.startsWith('  ')).map((indent) => indent.length);
  if (tabs === 0 && spaces.length === 0) {
    return undefined;
  }
  // Odd widths are those of comments (` * …`) and of code that is aligned.
  const step = [2, 4, 8].find((width) => spaces.some((length) => length % (2 * width) === width));
  return { tabs: tabs > spaces.length, step: step ?? 4 };
}

/** The block, converted from its own indent style to the file's. */
function inStyle(block: readonly string[], file: IndentStyle, own: IndentStyle): readonly string[] {
  if (file === undefined || own === undefined || file.tabs === own.tabs) {
    return block;
  }
  return block.map((line) => {
    const indent = indentOf(line);
    const width = [...indent].reduce((sum, unit) => sum + (unit === '\t' ? file.step : 1), 0);
    const tabs = Math.floor(width / own.step);
    const converted = file.tabs ? '\t'.repeat(tabs) + ' '.repeat(width - tabs * own.step) : ' '.repeat(width);
    return converted + line.slice(indent.length);
  });
}

/** The common indentation of all lines that are not blank. */
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

/** The common indentation of all lines but the first; empty if the first line is indented. */
function hangingMargin([first = '', ...others]: readonly string[]): string {
  return indentOf(first) === '' ? marginOf(others) : '';
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [''] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Where each line begins, in UTF-16 units. */
export function lineOffsets(file: string): number[] {
  return [0, ...Array.from(file.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
}
