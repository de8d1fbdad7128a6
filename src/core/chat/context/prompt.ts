import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { estimateTokens } from '../../base/estimateTokens.ts';

/**
 * Kinds of context: selected lines, a whole file, the files of a folder, a symbol, the problems that VS Code shows,
 * changes that git has, code that was pasted, a command of a terminal with its output, a cell of a notebook, or a file with
 * instructions for models.
 */
export type ContextKind =
  | 'selection'
  | 'file'
  | 'folder'
  | 'symbol'
  | 'problems'
  | 'changes'
  | 'pasted'
  | 'terminal'
  | 'cell'
  | 'instructions';

const contextFields = {
  /** A `ContextKind`. One from a later version is preserved, and sent as lines of a file. */
  kind: z.string(),
  id: z.string(),
  /**
   * Of the file or folder, relative to the workspace, with forward slashes; only the name for a file outside of it, only
   * the folder of the repository for changes; empty for pasted code and for a command.
   */
  path: z.string(),
  /** VS Code's language id, for instance `typescript`. */
  languageId: z.string(),
  /** One-based, both included. */
  startLine: z.number(),
  endLine: z.number(),
  /**
   * The code itself; for problems, one on each line; for changes, a diff; for a folder, see `joinedFiles`; for a command,
   * its output; for a cell, see `cellText`.
   */
  text: z.string(),
  /**
   * For a symbol: its name, and the word for its kind, such as `function`. For a command: the command line. For changes that
   * are not all uncommitted ones: `staged changes`, or `commit` with the beginning of its hash.
   */
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  /** For problems and for the files of a folder: their number. */
  count: z.optional(z.number()),
  /** For a command that has ended, if its shell reported it. */
  exitCode: z.optional(z.number()),
  /** For a command: it had not ended yet. */
  isRunning: z.optional(z.boolean()),
  /** For a command: the UTF-16 units missing at the beginning of its output. */
  cut: z.optional(z.number()),
  /** For a cell, and for a selection in one: its number in the notebook, counted from 1. */
  cell: z.optional(z.number()),
  /** For a selection in an old version of the file, such as the left side of a diff: the lines are those of that version. */
  isOld: z.optional(z.boolean()),
};

/** Loose and open to other kinds: what a later version wrote is preserved, even when it is written again. */
export const storedContexts = z.readonly(z.array(z.looseObject(contextFields)));

/** A piece of context that is sent with a question, as it was when the question was asked. */
export type CodeContext = Readonly<z.infer<z.ZodMiniObject<typeof contextFields>>> & {
  /** The address of the file, until secrets were looked for in the text. Never stored or sent. */
  readonly uri?: string;
};

/** Whether a context is code of a file or of a notebook's cell, which an answer may replace. */
export function isCode({ kind }: Pick<CodeContext, 'kind'>): boolean {
  return kind === 'selection' || kind === 'file' || kind === 'symbol' || kind === 'cell';
}

/** The pieces whose content is not included yet, each once. Sending the others would cost twice and add nothing. */
export function newPieces(pieces: readonly CodeContext[], included: readonly CodeContext[]): readonly CodeContext[] {
  return pieces.filter(
    (piece, index) => ![...included, ...pieces.slice(0, index)].some((each) => isSamePiece(each, piece)),
  );
}

function isSamePiece(a: CodeContext, b: CodeContext): boolean {
  const isSameText =
    a.path === b.path && a.cell === b.cell && a.isOld === b.isOld && a.startLine === b.startLine && a.text === b.text;
  // Two commands can print the same; code of a file is the same with and without the name of its symbol.
  return isSameText && isOfFile(a) === isOfFile(b) && (isOfFile(a) || a.name === b.name);
}

/** Whether a context is text of a file, as it is in the file. */
export function isOfFile(context: CodeContext): boolean {
  return (isCode(context) && context.kind !== 'cell') || context.kind === 'instructions';
}

/** Joins the files of a folder to one text: before each stands a line with its path, which no line of a file looks like. */
export function joinedFiles(files: readonly Pick<CodeContext, 'path' | 'text'>[]): string {
  const taken = new Set(files.flatMap(({ text }) => text.match(/^={3,}(?= )/gm) ?? []));
  let rule = '===';
  while (taken.has(rule)) {
    rule += '=';
  }
  return files
    .map(({ path, text }) => `${rule} ${oneLine(path)} ${rule}\n${text}${text.endsWith('\n') ? '' : '\n'}`)
    .join('\n');
}

/** The question that *Explain selection* sends. */
export function explainQuestion(): string {
  return l10n.t('Explain this code.');
}

/** The question that *Continue* sends when a reply reached its length limit. */
export function continueQuestion(): string {
  return l10n.t('Continue exactly where you stopped.');
}

/**
 * The user message for a question and its contexts. The fence of each code block is longer than any run of back-ticks
 * in the code, so that the code can't close the fence and pass for the person's own text.
 */
export function userMessage(question: string, contexts: readonly CodeContext[]): string {
  const blocks = contexts.map((context) => {
    const fence = fenceFor(context.text);
    const body = context.text.endsWith('\n') ? context.text : `${context.text}\n`;
    const isPlain = context.kind === 'problems' || context.kind === 'terminal';
    const language = isPlain ? 'text' : infoString(context.languageId);
    return `${headingOf(context)}\n${fence}${language}\n${body}${fence}`;
  });
  return [question.trim(), ...blocks].join('\n\n');
}

/**
 * The estimated tokens of a context in a message, with its heading and its fence: the one count that its row, its chip and
 * the list of what to leave out show. Without its language, which is unknown before a file is opened.
 */
export function contextTokens(context: CodeContext): number {
  return estimateTokens(userMessage('', [{ ...context, languageId: '' }]));
}

/** The heading above a code block, such as `From `src/a.ts`, lines 12–34:`. */
function headingOf(context: CodeContext): string {
  const { kind, path, startLine, endLine, name = '', symbol = '', cell, isOld = false } = context;
  const file = inTicks(path);
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
  switch (kind) {
    case 'file':
      return `The whole file ${file}:`;
    case 'symbol':
      return `The ${[symbol.replace(/[^a-z]/g, '') || 'symbol', ...(name === '' ? [] : [inTicks(name)])].join(' ')} in ${file}, ${lines}:`;
    case 'problems':
      return `Problems that the editor reports in ${file}, ${lines}:`;
    case 'instructions':
      return `Instructions for work in this workspace, from the file ${file}:`;
    case 'changes':
      return `The ${oneLine(name) || 'uncommitted changes'} in ${file}:`;
    case 'pasted':
      return 'Pasted code:';
    case 'folder':
      return `The files of the folder ${file}, each after a line with its path:`;
    case 'terminal':
      return commandHeading(context);
    case 'cell':
      return `${cell === undefined ? 'A cell' : `Cell ${cell}`} of the notebook ${file}:`;
    default:
      return `From ${cell === undefined ? '' : `cell ${cell} of the notebook `}${isOld ? 'an old version of ' : ''}${file}, ${lines}:`;
  }
}

/** Such as “The terminal command `npm test` (exit code 1) and its output:”. */
function commandHeading({ name = '', exitCode, isRunning = false, cut = 0, text }: CodeContext): string {
  const state = isRunning ? 'still running' : exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
  const output = isRunning ? 'its output so far' : 'its output';
  // VS Code can miss the output of a command that ends at once.
  const missing =
    text === '' ? ', of which nothing was recorded' : cut > 0 ? `, without the first ${cut} characters` : '';
  return `The terminal command ${name === '' ? '' : `${inTicks(name)} `}(${state}) and ${output}${missing}:`;
}

/** A name as inline code. Back-ticks and line breaks in the name can't end the inline code. */
function inTicks(name: string): string {
  const shown = oneLine(name);
  const ticks = '`'.repeat(longestRun(shown) + 1);
  return shown.includes('`') ? `${ticks} ${shown} ${ticks}` : `${ticks}${shown}${ticks}`;
}

function oneLine(name: string): string {
  return name.replace(/[\r\n]+/g, ' ');
}

/** A code fence for a text: at least three back-ticks, and more than any run of them in the text. */
export function fenceFor(text: string): string {
  return '`'.repeat(Math.max(3, longestRun(text) + 1));
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** A language id as an info string, which may not contain spaces or back-ticks. */
function infoString(languageId: string): string {
  return languageId.replace(/[^\w+#.-]/g, '');
}
