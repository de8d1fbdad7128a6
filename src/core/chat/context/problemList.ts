/** A problem that VS Code shows in a file. */
export type Problem = {
  /** One-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** The tool that reports it, such as `ts`, and the tool's code for it, such as `2304`. */
  readonly source?: string;
  readonly code?: string;
};

/** Maximum number of listed problems. More would not help a model, so the others are only counted. */
export const problemLimit = 100;
/** Maximum length of what a failed test reports, in UTF-16 units: a snapshot may have megabytes. */
const failureLimit = 100_000;
/** Maximum length of a message, in UTF-16 units. */
const messageLimit = 1_000;

/**
 * Lists problems, one on each line, sorted by line and then by severity, the most severe first. The messages come from
 * linters, so the caller has to put the list into a code fence.
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

/** What a failed test reports, as the test's output would. */
export function failureText(
  test: string,
  message: string,
  expected: string | undefined,
  actual: string | undefined,
): string {
  const parts = [
    ...(test === '' ? [] : [`Failed test: ${inOneLine(test)}`]),
    message.trim(),
    ...(expected === undefined ? [] : [`Expected:\n${expected}`]),
    ...(actual === undefined ? [] : [`Actual:\n${actual}`]),
  ];
  return parts
    .join('\n\n')
    .slice(0, failureLimit)
    .replace(/[\ud800-\udbff]$/, '');
}
