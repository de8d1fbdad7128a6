/** More columns are not read. */
export const maxColumns = 200;

/** The rows of comma, semicolon or tab separated values (RFC 4180), without blank ones. Cells are text as they are. */
export function* csvRows(text: string): Generator<string[]> {
  const delimiter = delimiterOf(text);
  const ends = new RegExp(`[${delimiter}\\r\\n]`, 'g');
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let isLast = false; !isLast; ) {
    let cell = '';
    // A quote right after the closing one is a part of the cell.
    for (let quote = ''; text[at] === '"'; quote = '"') {
      const closing = text.indexOf('"', at + 1);
      const close = closing === -1 ? text.length : closing;
      cell += quote + text.slice(at + 1, close);
      at = close + 1;
    }
    ends.lastIndex = at;
    const end = ends.exec(text)?.index ?? text.length;
    cell += text.slice(at, end);
    if (row.length < maxColumns) {
      row.push(cell);
    }
    isLast = end >= text.length;
    if (text[end] !== delimiter) {
      if (row.length > 1 || cell.trim() !== '') {
        yield row;
      }
      row = [];
    }
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
}

/** The most frequent one of the first line. */
function delimiterOf(text: string): string {
  const line = /^.*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
