import type { Clock } from '../clock.ts';
import type { Disposable } from '../lifetime.ts';
import type { Conversation } from './conversation.ts';
import { type ConversationEvent, writeEvent } from './conversationRecord.ts';

export type WriterPorts = {
  readonly clock: Clock;
  /** Keeps one more piece of the conversation's text, in the order of the calls. */
  readonly keep: (text: string) => Promise<void>;
  /** Told when keeping failed: the conversation goes on, but the person has to know. */
  readonly onKeepFailed: (error: unknown) => void;
};

/** Longest time that arrived text may be only in memory. */
const keepDeltasMs = 250;
/** Longest time that typed text may be only in memory. */
const keepDraftMs = 1_000;

type Delta = Extract<ConversationEvent, { type: 'delta' }>;

/** Writes down what happens in a conversation: at once, but for text that comes in far smaller pieces than a write. */
export class ConversationWriter {
  readonly #ports: WriterPorts;
  readonly #read: () => Conversation;
  #hasBegun: boolean;
  /** By the id of their reply: several may arrive at once. */
  readonly #deltas = new Map<string, Delta>();
  #deltaSoon: Disposable | undefined;
  #draftSoon: Disposable | undefined;
  #keeping: Promise<void> = Promise.resolve();

  /**
   * @param read gives the conversation as it is when something is written.
   * @param hasBegun whether the store knows this conversation already.
   */
  constructor(read: () => Conversation, hasBegun: boolean, ports: WriterPorts) {
    this.#read = read;
    this.#hasBegun = hasBegun;
    this.#ports = ports;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  write(event: ConversationEvent): void {
    this.#flushDeltas();
    if (!this.#hasBegun) {
      const { id, createdAt } = this.#read();
      this.#hasBegun = true;
      this.#keep(writeEvent({ type: 'conversation', version: 1, id, createdAt }));
    }
    this.#keep(writeEvent(event));
  }

  /** New text of a reply. */
  writeDelta(delta: Delta): void {
    const { replyId, text, reasoning } = delta;
    let before = this.#deltas.get(replyId);
    if (text !== '' && before?.text === '') {
      // A line of its own, so that the moment of the first text is kept and not that of the thought before it.
      this.#flushDeltas();
      before = undefined;
    }
    this.#deltas.set(
      replyId,
      before ? { ...before, text: before.text + text, reasoning: before.reasoning + reasoning } : delta,
    );
    this.#deltaSoon ??= this.#ports.clock.after(keepDeltasMs, () => this.#flushDeltas());
  }

  /** The draft is another one now. */
  writeDraft(): void {
    this.#draftSoon ??= this.#ports.clock.after(keepDraftMs, () => this.#flushDraft());
  }

  /** Writes what is still in memory. @returns when everything so far is kept, or has failed to be. */
  settled(): Promise<void> {
    this.#flushDraft();
    this.#flushDeltas();
    return this.#keeping;
  }

  #flushDeltas(): void {
    this.#deltaSoon?.dispose();
    this.#deltaSoon = undefined;
    const text = [...this.#deltas.values()].map(writeEvent).join('');
    this.#deltas.clear();
    if (text !== '') {
      this.#keep(text);
    }
  }

  #flushDraft(): void {
    if (this.#draftSoon === undefined) {
      return;
    }
    this.#draftSoon.dispose();
    this.#draftSoon = undefined;
    const { draft, edit } = this.#read();
    const { text, contexts } = edit ?? draft;
    // Having typed nothing is no reason for a conversation to be there.
    if (this.#hasBegun || text.trim() !== '') {
      const said = { text, contexts: [...contexts] };
      this.write(edit ? { type: 'edit', turnId: edit.turnId, ...said } : { type: 'draft', ...said });
    }
  }

  #keep(text: string): void {
    this.#keeping = this.#keeping.then(() => this.#ports.keep(text)).catch(this.#ports.onKeepFailed);
  }
}
