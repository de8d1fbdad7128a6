/** Where conversations are kept: one append-only text each, shared by all windows of the editor. */
export type ConversationStore = {
  /** Resolves when the text is on its way to the disk in order; a failure is reported by rejecting. */
  append(id: string, text: string): Promise<void>;
  /** The whole text, with what this window has appended; undefined when there is none. */
  read(id: string): Promise<string | undefined>;
  /**
   * Takes the right to send in this conversation, which one window has at a time. @returns what gives it back;
   * undefined when another window has it.
   */
  claim(id: string): Promise<(() => void) | undefined>;
  /** Whether another window has that right now. */
  isClaimedElsewhere(id: string): Promise<boolean>;
  /** Newest first, with the first lines of each, at most `limit`. */
  recent(limit: number): Promise<readonly { readonly id: string; readonly changedAt: number; readonly head: string }[]>;
};
