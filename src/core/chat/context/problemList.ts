import type * as vscode from 'vscode';
import { shortened } from '../../base/shortLine.ts';

/** A problem that VS Code shows in a file. */
type Problem = Pick<vscode.Diagnostic, 'severity' | 'message' | 'source' | 'code'> & {
  readonly range: { readonly start: Pick<vscode.Position, 'line'> };
};

/** By the numbers of VS Code's `DiagnosticSeverity`, the most severe first. */
const severities = ['error', 'warning', 'info', 'hint'];

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
  const lineOf = ({ range }: Problem) => range.start.line + 1;
  const sorted = problems.toSorted((a, b) => lineOf(a) - lineOf(b) || a.severity - b.severity);
  const lines = sorted.slice(0, problemLimit).map((problem) => {
    const { severity, message, source, code } = problem;
    const from = [source, typeof code === 'object' ? code.value : code]
      .filter((part) => part !== undefined && part !== '')
      .join(' ');
    return `line ${lineOf(problem)}, ${severities[severity]}: ${inOneLine(message)}${from === '' ? '' : ` (${inOneLine(from)})`}`;
  });
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function inOneLine(text: string): string {
  return shortened(text.replace(/[\s\u0085]+/g, ' ').trim(), messageLimit);
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
