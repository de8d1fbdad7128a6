/** What control sequences (ECMA-48, and those of xterm) leave in the text, in the order in which they are looked for. */
const sequences: readonly (readonly [RegExp, (match: string, count: string) => string])[] = [
  // The screens of full-screen programs, such as a pager.
  [/\x1b\[\?(?:47|1047|1049)h.*?(?:\x1b\[\?(?:47|1047|1049)l|$)/gs, () => ''],
  // Titles, links and the marks of VS Code's shell integration.
  [/(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\|[\x18\x1a\x9c]|$)/gs, () => ''],
  // Windows writes runs of spaces and the lines of its own screen as movements of the cursor.
  [/(?:\x1b\[|\x9b)(\d*)C/g, (_, count) => ' '.repeat(Math.min(Number(count) || 1, 200))],
  [/\n?(?:\x1b\[|\x9b)[\d;]*[BEHdf]/g, () => '\n'],
  // Programs of Node go to the start of a line in this way.
  [/(?:\x1b\[|\x9b)[01]?G/g, () => '\r'],
  [/(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-~\x18\x1a]|$)|\x1b[ -/]*[0-~]?/g, () => ''],
  [/[^\n\x08]?\x08/g, () => ''],
];

/**
 * What a program wrote to a terminal as plain text, without blanks at its end. Of a line that overwrites itself, such as a
 * progress bar, the last state is left.
 * @returns the last `limit` UTF-16 units, and how many are missing before them.
 */
export function terminalText(written: string, limit: number): { readonly text: string; readonly cut: number } {
  // What is far before the end is not read: ten times as much holds the control sequences of any real program.
  const read = written.slice(-10 * limit);
  const plain = sequences.reduce<string>((text, [sequence, left]) => text.replace(sequence, left), read);
  const all = plain
    .split('\n')
    .map((line) => (line.includes('\r') ? (line.split('\r').findLast((state) => state !== '') ?? '') : line))
    .join('\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd();
  const text = all.length > limit ? all.slice(-limit).replace(/^[\udc00-\udfff]/, '') : all;
  return { text, cut: written.length - read.length + all.length - text.length };
}
