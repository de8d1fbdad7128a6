import { lastReply } from '../conversation/conversation.ts';
import { readConversation, writeEvent } from '../conversation/conversationRecord.ts';
import type { ConversationStore } from './conversationStore.ts';
import { DeletedElsewhereError } from './deletedElsewhereError.ts';

/**
 * @returns how a conversation is kept in the store, which bears a mark for as long as that fails; but for one that was
 * deleted, which the next start has nothing to tell of.
 */
export function markedAppend(
  store: Pick<ConversationStore, 'append' | 'markUnsaved' | 'unmarkUnsaved'>,
  id: string,
): (text: string) => Promise<void> {
  let isMarked = false;
  return async (text) => {
    try {
      await store.append(id, text);
    } catch (error) {
      if (!(error instanceof DeletedElsewhereError)) {
        // Where not even that can be written, the next start has nothing to tell of.
        isMarked ||= await store.markUnsaved(id).then(
          () => true,
          () => false,
        );
      }
      throw error;
    }
    if (isMarked) {
      isMarked = false;
      await store.unmarkUnsaved(id).catch(() => undefined);
    }
  };
}

/**
 * What is to be appended to a conversation whose window went away with text that could not be written: its newest
 * replies without an end were not interrupted, their end is among what is lost.
 *
 * @param file its text.
 */
export function unsavedEnds(id: string, file: string): { title: string | undefined; text: string } {
  const { conversation } = readConversation(id, file);
  const last = lastReply(conversation)?.startedAt;
  const ends = conversation.turns
    .flatMap(({ replies }) => replies)
    .filter(({ startedAt, problem }) => startedAt === last && problem?.kind === 'interrupted')
    .map((reply) =>
      writeEvent({
        type: 'end',
        replyId: reply.id,
        state: 'incomplete',
        totalMs: reply.firstTextMs ?? reply.firstTokenMs ?? 0,
        problem: { kind: 'unsaved' },
      }),
    );
  return { title: conversation.title, text: ends.join('') };
}

/** Why something can't be written to the disk, in words; the system's own where there are no better ones. */
export function diskReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EDQUOT':
      return 'The disk quota is used up.';
    case 'EROFS':
      return 'The disk is read-only.';
    case 'EACCES':
    case 'EPERM':
      return 'The folder of conversations is write-protected.';
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return /[.!?]$/.test(reason) ? reason : `${reason}.`;
    }
  }
}
