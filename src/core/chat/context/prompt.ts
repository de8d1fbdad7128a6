/**
 * What a piece of context is: lines that were selected, a whole file, what a cursor stands in, what VS Code says is wrong.
 */
const contextKinds = ['selection', 'file', 'symbol', 'problems'] as const;
type ContextKind = (typeof contextKinds)[number];

/** A piece of context that goes along with a question, as it stood when the question was asked. */
export type CodeContext = {
  /** A later version may have written a kind that is not known here: it is kept, and goes along as lines of a file. */
  readonly kind: ContextKind | (string & {});
  readonly id: string;
  /** Relative to the workspace, with forward slashes; a bare name outside of one. */
  readonly path: string;
  /** VS Code's language id, for instance `typescript`. */
  readonly languageId: string;
  /** One-based, both included. */
  readonly startLine: number;
  readonly endLine: number;
  /** The code itself; of problems one a line. */
  readonly text: string;
  /** Of a symbol: its name, and what it is in the field's words, such as `function`. */
  readonly name?: string | undefined;
  readonly symbol?: string | undefined;
  /** Of problems: how many. */
  readonly count?: number | undefined;
};

/** Whether it is code of a file, which an answer may replace. */
export function isCode({ kind }: Pick<CodeContext, 'kind'>): boolean {
  return kind === 'selection' || kind === 'file' || kind === 'symbol';
}

/** Whether it says the same as another one: then it would be paid for twice, and tell the model nothing. */
export function isSamePiece(a: Omit<CodeContext, 'id'>, b: Omit<CodeContext, 'id'>): boolean {
  return a.path === b.path && a.startLine === b.startLine && a.text === b.text && isCode(a) === isCode(b);
}

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
    const language = context.kind === 'problems' ? 'text' : infoString(context.languageId);
    return `${headingOf(context)}\n${fence}${language}\n${body}${fence}`;
  });
  return [question.trim(), ...blocks].join('\n\n');
}

/** What stands in the fence below it, such as `From `src/a.ts`, lines 12–34:`. */
function headingOf({ kind, path, startLine, endLine, name = '', symbol = '' }: CodeContext): string {
  const file = inTicks(path);
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  switch (kind) {
    case 'file':
      return `The whole file ${file}:`;
    case 'symbol':
      return `The ${[symbol.replace(/[^a-z]/g, '') || 'symbol', ...(name === '' ? [] : [inTicks(name)])].join(' ')} in ${file}, ${lines}:`;
    case 'problems':
      return `Problems that the editor reports in ${file}, ${lines}:`;
    default:
      return `From ${file}, ${lines}:`;
  }
}

/** As code inside of a line: a name can hold back-ticks and line ends, and neither may break out of its place. */
function inTicks(name: string): string {
  const shown = name.replace(/[\r\n]+/g, ' ');
  const ticks = '`'.repeat(longestRun(shown, '`') + 1);
  return shown.includes('`') ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
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
