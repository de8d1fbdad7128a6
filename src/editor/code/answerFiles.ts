import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { lineBefore } from '../../core/chat/edits/codeTarget.ts';
import { pathProblem, readBlock } from '../../core/chat/edits/readBlock.ts';
import type { BlockFiles, PanelMessage } from '../../protocol/protocol.ts';
import { foundPaths } from './filePlaces.ts';
import { type UseCodeDeps, useCode } from './useCode.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Finds the code blocks of an answer that name files inside the workspace; none if fewer than two do. */
export async function filesOf(
  { replyId, blocks }: Extract<PanelMessage, { type: 'findFiles' }>,
  { turns }: Conversation,
  files: WorkspaceFiles,
): Promise<readonly BlockFiles[]> {
  const answer = turns.flatMap(({ replies }) => replies).find(({ id }) => id === replyId)?.text ?? '';
  const named = blocks.flatMap(({ block, fence, text }) => {
    const lead = lineBefore(answer, text, block);
    const edits = lead === undefined ? [] : readBlock(fence, text, lead);
    const paths = typeof edits === 'string' ? [] : edits.flatMap(({ path }) => path ?? []);
    const isInside = paths.length > 0 && paths.every((path) => pathProblem(path) === undefined);
    return isInside ? [{ block, paths: [...new Set(paths)] }] : [];
  });
  if (named.length < 2) {
    return [];
  }
  const found = new Set(await foundPaths([...new Set(named.flatMap(({ paths }) => paths))], files));
  return named.map(({ block, paths }) => ({
    block,
    files: paths.map((path) => ({ path, isNew: !found.has(path) })),
  }));
}

/** Proposes the changes of several code blocks, one after another: each may ask something. */
export async function applyFiles(
  { replyId, blocks }: Extract<PanelMessage, { type: 'applyFiles' }>,
  conversation: Conversation,
  deps: UseCodeDeps,
): Promise<void> {
  for (const block of blocks) {
    await useCode({ type: 'useCode', action: 'apply', replyId, ...block }, conversation, deps);
  }
}
