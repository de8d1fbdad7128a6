import { isRecord, recordOf } from '../base/loose.ts';

/** `PromptNodeType.Text` of @vscode/prompt-tsx; the other nodes hold children. */
const textNode = 2;

/** The text of a result that a tool wrote with @vscode/prompt-tsx; anything else as JSON. */
export function promptText(value: unknown): string {
  const { node } = recordOf(value);
  return isRecord(node) ? nodeText(node).trimStart() : JSON.stringify(value);
}

function nodeText(node: unknown): string {
  const { type, text, lineBreakBefore, children } = recordOf(node);
  if (type === textNode) {
    return `${lineBreakBefore ? '\n' : ''}${typeof text === 'string' ? text : ''}`;
  }
  return Array.isArray(children) ? children.map(nodeText).join('') : '';
}
