import * as l10n from '@vscode/l10n';
import { lastReply } from '../conversation/conversation.ts';
import { readConversation, writeEvent } from '../conversation/conversationRecord.ts';

/**
 * The text to append to a conversation whose window closed before everything could be saved. Its newest replies without
 * an end were not interrupted: their end is among the lost text.
 *
 * @param file the stored text of the conversation.
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

/** Why something can't be written to the disk, as a sentence; otherwise the message of the system. */
export function diskReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
      return l10n.t('The disk is full.');
    case 'EDQUOT':
      return l10n.t('The disk quota is used up.');
    case 'EROFS':
      return l10n.t('The disk is read-only.');
    case 'EACCES':
    case 'EPERM':
      return l10n.t('The conversations folder is write-protected.');
    default: {
      const reason = error instanceof Error ? error.message : String(error);
      return /[.!?。！？]$/.test(reason) ? reason : `${reason}.`;
    }
  }
}
