import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type ConversationEvent, writeEvent } from '../conversation/conversationRecord.ts';
import { DeletedElsewhereError } from './deletedElsewhereError.ts';

export type WriterPorts = {
  readonly clock: Clock;
  /** Keeps one more piece of the conversation's text: all of it, or none of it and rejects. One call at a time. */
  readonly keep: (text: string) => Promise<void>;
  /**
   * Told when keeping fails, and not again until it has worked, or the conversation was deleted: it goes on, but the
   * person has to know.
   */
  readonly onKeepFailed: (error: unknown) => void;
  /** Told when everything is kept after keeping has failed. */
  readonly onKeptAgain?: () => void;
};

/** Arrived text may be only in memory for 250 ms; the rest of them is for the write. */
const keepDeltasMs = 200;
/** Longest time that typed text may be only in memory. */
const keepDraftMs = 1_000;
/** A disk gets space again without telling anybody. */
const retryMs = 3_000;

type Delta = Extract<ConversationEvent, { type: 'delta' }>;

/**
 * Writes down what happens in a conversation: at once, but for text that comes in far smaller pieces than a write. What
 * happens in one go is kept in one go: a question never without its reply. What could not be kept is tried again every
 * few seconds, and goes out first with what is kept next, so that a disk that was full for a while leaves no gap. What
 * another window deleted is not waited for; brought back there, it gets all of it with what is kept next.
 */
export class ConversationWriter implements Disposable {
  readonly #ports: WriterPorts;
  readonly #read: () => Conversation;
  #hasBegun: boolean;
  /** By the id of their reply: several may arrive at once. */
  readonly #deltas = new Map<string, Delta>();
  #deltaSoon: Disposable | undefined;
  #draftSoon: Disposable | undefined;
  #keeping: Promise<void> = Promise.resolve();
  /** In their order, not on their way yet. */
  #waiting: ConversationEvent[] = [];
  #isFailing = false;
  #isDeleted = false;
  #retry: Disposable | undefined;
  #isDisposed = false;

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

  /** Whether something that happened could not be kept until now: then more is known here than in the store. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Whether that is because another window has deleted the conversation. */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** How many replies are not, or not wholly, in the store. */
  get unkeptReplies(): number {
    const ids = this.#waiting.flatMap((event) =>
      event.type === 'reply' ? event.id : event.type === 'delta' || event.type === 'end' ? event.replyId : [],
    );
    return new Set([...ids, ...this.#deltas.keys()]).size;
  }

  write(event: ConversationEvent): void {
    this.#flushDeltas();
    if (!this.#hasBegun) {
      const { id, createdAt } = this.#read();
      this.#hasBegun = true;
      this.#keep({ type: 'conversation', version: 1, id, createdAt });
    }
    this.#keep(event);
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
    return this.#keepWaiting();
  }

  /** Gives up what is not written yet. */
  discard(): void {
    this.#deltas.clear();
    this.#waiting = [];
    this.#isFailing = false;
    this.#isDeleted = false;
  }

  /** Writes what is still in memory, and tries no more when that fails. */
  dispose(): void {
    void this.settled();
    this.#isDisposed = true;
    this.#retry?.dispose();
  }

  #flushDeltas(): void {
    this.#deltaSoon?.dispose();
    this.#deltaSoon = undefined;
    const deltas = [...this.#deltas.values()];
    this.#deltas.clear();
    for (const delta of deltas) {
      this.#keep(delta);
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

  #keep(event: ConversationEvent): void {
    const last = this.#waiting.at(-1);
    if (last?.type === event.type && (event.type === 'draft' || event.type === 'edit')) {
      // Nobody needs what was typed before; while keeping fails there would be more of it every second.
      this.#waiting.pop();
    }
    this.#waiting.push(event);
    void this.#keepWaiting();
  }

  #keepWaiting(): Promise<void> {
    this.#keeping = this.#keeping.then(async () => {
      const events = this.#waiting;
      this.#waiting = [];
      if (events.length === 0) {
        return;
      }
      const [wasFailing, wasDeleted] = [this.#isFailing, this.#isDeleted];
      try {
        await this.#ports.keep(events.map(writeEvent).join(''));
        this.#isFailing = false;
        this.#isDeleted = false;
        this.#cancelRetry();
      } catch (error) {
        this.#waiting = [...events, ...this.#waiting];
        this.#isFailing = true;
        this.#isDeleted = error instanceof DeletedElsewhereError;
        if (this.#isDeleted) {
          this.#cancelRetry();
        } else {
          this.#retryLater();
        }
        if (!wasFailing || wasDeleted !== this.#isDeleted) {
          this.#ports.onKeepFailed(error);
        }
      }
      if (wasFailing && !this.#isFailing) {
        this.#ports.onKeptAgain?.();
      }
    });
    return this.#keeping;
  }

  #cancelRetry(): void {
    this.#retry?.dispose();
    this.#retry = undefined;
  }

  #retryLater(): void {
    if (!this.#isDisposed) {
      this.#retry ??= this.#ports.clock.after(retryMs, () => {
        this.#retry = undefined;
        void this.#keepWaiting();
      });
    }
  }
}
