/** Code that goes along with a question, as it stood when the question was asked. */
export type CodeContext = {
  readonly kind: 'selection';
  readonly id: string;
  /** Relative to the workspace, with forward slashes; a bare name outside of one. */
  readonly path: string;
  /** VS Code's language id, for instance `typescript`. */
  readonly languageId: string;
  /** One-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
};

/** What *Explain selection* asks. */
export const explainQuestion = 'Explain this code.';

/** What *Continue* asks when a reply reached its length limit. */
export const continueQuestion = 'Continue exactly where you stopped.';

/**
 * The one user message for a question and its code. The code stands in a fence longer than any inside of it, so that
 * nothing in the code can end the fence and speak as the person.
 */
export function userMessage(question: string, contexts: readonly CodeContext[]): string {
  const blocks = contexts.map((context) => {
    const fence = fenceFor(context.text);
    const body = context.text.endsWith('\n') ? context.text : `${context.text}\n`;
    return `${describeContext(context)}\n${fence}${infoString(context.languageId)}\n${body}${fence}`;
  });
  return [question.trim(), ...blocks].join('\n\n');
}

/** `From `src/a.ts`, lines 12–34:` */
function describeContext({ path, startLine, endLine }: CodeContext): string {
  // A file name can hold back-ticks and line ends; neither may break out of its place.
  const shown = path.replace(/[\r\n]+/g, ' ');
  const ticks = '`'.repeat(longestRun(shown, '`') + 1);
  const name = shown.includes('`') ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
  return `From ${name}, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`}:`;
}

/** Back-ticks, at least three and more than any run in the text. */
export function fenceFor(text: string): string {
  return '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
}

function longestRun(text: string, unit: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === unit ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** An info string holds no blanks or back-ticks. */
function infoString(languageId: string): string {
  return languageId.replace(/[^\w+#.-]/g, '');
}

/** A rough count for a person, four UTF-16 units a token; never used for money. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
