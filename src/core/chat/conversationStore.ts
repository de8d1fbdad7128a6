/** Where conversations are kept: one append-only text each. */
export type ConversationStore = {
  /** Resolves when the text is on its way to the disk in order; a failure is reported by rejecting. */
  append(id: string, text: string): Promise<void>;
  /** The whole text; undefined when there is none. */
  read(id: string): Promise<string | undefined>;
  /** Newest first, with the first lines of each, at most `limit`. */
  recent(limit: number): Promise<readonly { readonly id: string; readonly changedAt: number; readonly head: string }[]>;
};
