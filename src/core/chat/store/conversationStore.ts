import * as l10n from '@vscode/l10n';
import { messageOf } from '../../base/loose.ts';
import { type Picture, picturesIn } from '../../base/pictures.ts';
import type { Conversation } from '../conversation/conversation.ts';

/** A stored conversation as the store lists it, without reading its text. */
export type StoredConversation = {
  readonly id: string;
  /** Time of its last change, in Unix milliseconds. */
  readonly changedAt: number;
  /** Size of its text, in bytes. */
  readonly size: number;
};

/** Storage for conversations: one append-only text each, shared by all windows of VS Code. */
export type ConversationStore = {
  /**
   * Appends text. Resolves when it has been passed on to the disk, in the order of the calls; rejects on failure.
   * Doesn't create a conversation again that another window removed. Rejects with `PictureWaitsError` when all is written
   * but a picture that `keepPicture` has in memory.
   */
  append(id: string, text: string): Promise<void>;
  /**
   * Keeps a picture of an answer with its conversation, which the store already has. If that fails, the picture is in
   * memory until something else of the conversation can be written.
   */
  keepPicture(id: string, picture: Picture): Promise<void>;
  /** The data of a picture as base64; undefined when there is none. */
  readPicture(id: string, name: string): Promise<string | undefined>;
  /** The path of the file of a picture; undefined when it is only in memory. */
  pictureFile(id: string, name: string): string | undefined;
  /** Whether it is on disk, or would be if it began now. If not, VS Code must not get its text to store either. */
  isOnDisk(id: string): Promise<boolean>;
  /** The whole text, including what this window has appended; undefined when there is none. */
  read(id: string): Promise<string | undefined>;
  /**
   * Takes the lock for paid calls in a conversation, which only one window can hold at a time. @returns a function that
   * releases it; undefined when another window holds it.
   */
  lock(id: string): Promise<(() => void) | undefined>;
  /** Whether this window or another holds the lock of any conversation now. */
  isAnyLocked(): Promise<boolean>;
  /** Whether another window holds the lock now. */
  isLockedElsewhere(id: string): Promise<boolean>;
  /** All conversations, newest first, without reading their texts. */
  list(): Promise<readonly StoredConversation[]>;
  /** Sets the time of the last change, for a text that is written later than its events happened, as in an import. */
  setChangedAt(id: string, changedAt: number): Promise<void>;
  /** Removes a conversation. `restore` can bring it back for as long as this window is open. */
  remove(id: string): Promise<void>;
  /** Rejects when it no longer exists. */
  restore(id: string): Promise<void>;
};

/** Reads the pictures in conversations, apart from those that are gone. @returns their data as base64, by their names. */
export async function readPictures(
  store: Pick<ConversationStore, 'readPicture'>,
  conversations: readonly Conversation[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { id, turns } of conversations) {
    for (const name of turns.flatMap(({ replies }) => replies.flatMap(({ text }) => picturesIn(text)))) {
      const base64 = await store.readPicture(id, name);
      if (base64 !== undefined) {
        found.set(name, base64);
      }
    }
  }
  return found;
}

/** The reason, as a sentence, why nothing can be sent while another window holds the lock. */
export function lockedReason(): string {
  return l10n.t('An answer in this conversation is still arriving in another window.');
}

/** Why appending fails to a conversation that another window deleted, until that window restores it. */
export function deletedElsewhere(): Error {
  return new Error(l10n.t('The conversation was deleted in another window.'));
}

/** Appending wrote the text, but a picture of the conversation still waits in memory, for the reason in `cause`. */
export class PictureWaitsError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'PictureWaitsError';
  }
}
