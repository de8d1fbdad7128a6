/** One problem that VS Code shows in a file. */
export type Problem = {
  /** One-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** Who says so, such as `ts`, and its code, such as `2304`. */
  readonly source?: string;
  readonly code?: string;
};

/** More than these tell a model no more; the others are counted. */
export const problemLimit = 100;
/** UTF-16 units of one message. */
const messageLimit = 1_000;

/**
 * Problems as a list, one a line, those of the first lines first and the gravest of a line before the others. The words
 * are a linter's: they belong into a fence.
 */
export function problemList(problems: readonly Problem[]): string {
  const rank = { error: 0, warning: 1, info: 2, hint: 3 };
  const sorted = problems.toSorted((a, b) => a.line - b.line || rank[a.severity] - rank[b.severity]);
  const lines = sorted.slice(0, problemLimit).map(({ line, severity, message, source, code }) => {
    const from = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
    return `line ${line}, ${severity}: ${inOneLine(message)}${from === '' ? '' : ` (${inOneLine(from)})`}`;
  });
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function inOneLine(text: string): string {
  const line = text.replace(/[\s\u0085]+/g, ' ').trim();
  return line.length > messageLimit ? `${line.slice(0, messageLimit).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
