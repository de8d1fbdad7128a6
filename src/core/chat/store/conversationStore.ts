/** One kept conversation as the store sees it, without a look inside. */
export type KeptConversation = {
  readonly id: string;
  /** Unix milliseconds of its last change. */
  readonly changedAt: number;
  /** Size of its text, in bytes. */
  readonly size: number;
};

/** Where conversations are kept: one append-only text each, shared by all windows of the editor. */
export type ConversationStore = {
  /**
   * Resolves when the text is on its way to the disk in order; a failure is reported by rejecting. What was removed
   * is not created again by it: rejects with `DeletedElsewhereError` when another window did that.
   */
  append(id: string, text: string): Promise<void>;
  /** Whether it is on disk, or would be if it began now; what VS Code itself writes down must not say more than that. */
  isOnDisk(id: string): Promise<boolean>;
  /** The whole text, with what this window has appended; undefined when there is none. */
  read(id: string): Promise<string | undefined>;
  /** The same text piece by piece, cut anywhere; none when there is no such conversation. */
  pieces(id: string): AsyncIterable<string>;
  /**
   * Takes the right to send in this conversation, which one window has at a time. @returns what gives it back;
   * undefined when another window has it.
   */
  claim(id: string): Promise<(() => void) | undefined>;
  /** Whether another window has that right now. */
  isClaimedElsewhere(id: string): Promise<boolean>;
  /** All of them, newest first, without reading any. */
  list(): Promise<readonly KeptConversation[]>;
  /**
   * Remembers, beyond this window's end, that this window has more of it than could be appended. Needs no space on the
   * disk.
   */
  markUnsaved(id: string): Promise<void>;
  /** All that this window has of it is appended now. */
  unmarkUnsaved(id: string): Promise<void>;
  /** Says when it was changed last, where its text was written later than what it tells of. */
  setChangedAt(id: string, changedAt: number): Promise<void>;
  /** Takes it away, so that `restore` can bring it back for as long as this window is there. */
  remove(id: string): Promise<void>;
  /** @returns false when it is not there any more, or another one has its place. */
  restore(id: string): Promise<boolean>;
};
