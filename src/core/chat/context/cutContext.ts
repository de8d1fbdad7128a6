import { estimateTokens } from '../../base/estimateTokens.ts';
import { type CodeContext, userMessage } from './prompt.ts';

/** Lines of a context, one-based as in its file, both included. */
type Lines = Pick<CodeContext, 'startLine' | 'endLine'>;

/**
 * The estimated tokens of a context in a message, with its heading and its fence: the one count that its row, its chip and
 * the list of what to leave out show. Without its language, which is unknown before a file is opened.
 */
export function contextTokens(context: CodeContext): number {
  return estimateTokens(userMessage('', [{ ...context, languageId: '' }]));
}

/** Only these lines of a context, which says then that it is a part. Earlier versions recorded such parts. */
export function cutTo(context: CodeContext, { startLine, endLine }: Lines): CodeContext {
  const lines = context.text.split(/(?<=\n)/);
  const text = lines.slice(startLine - context.startLine, endLine - context.startLine + 1).join('');
  return { ...context, startLine, endLine, text, whole: { startLine: context.startLine, endLine: context.endLine } };
}
