import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type ConversationEvent, writeEvent } from '../conversation/conversationRecord.ts';
import { type ConversationStore, DeletedElsewhereError, PictureWaitsError } from './conversationStore.ts';

export type WriterPorts = {
  readonly clock: Clock;
  readonly store: Pick<ConversationStore, 'append'>;
  /**
   * Called when saving fails, so that the person can be notified; the conversation continues. Called again only after
   * saving has worked, or when the cause has changed between a deleted conversation and another failure.
   */
  readonly onKeepFailed: (error: unknown) => void;
  /** Called when everything is saved again after a failure. */
  readonly onStoredAgain?: () => void;
};

/** Received text may be only in memory for 250 ms, of which 50 ms are left for the write. */
const writeDeltasMs = 200;
/** Longest time that typed text may be only in memory. */
const writeDraftMs = 1_000;
/** Time between retries: no event says that a full disk has space again. */
const retryMs = 3_000;

type Delta = Extract<ConversationEvent, { type: 'delta' }>;

/**
 * Writes the events of a conversation to its store: at once, except deltas, which are far smaller than a write should
 * be. Events that come synchronously after one another are written together, so that a question is never stored without
 * its reply. Events that could not be written are retried every few seconds and come first in the next write, so that a
 * disk that was full for a while leaves no gap. There are no retries for a conversation that another window deleted; if
 * it is restored, the next write contains everything.
 */
export class ConversationWriter implements Disposable {
  readonly #ports: WriterPorts;
  readonly #read: () => Conversation;
  readonly #id: string;
  #hasBegun: boolean;
  /** Unwritten deltas by reply id: several replies may arrive at once. */
  readonly #deltas = new Map<string, Delta>();
  #deltaSoon: Disposable | undefined;
  #draftSoon: Disposable | undefined;
  /** Whether the draft, or the end of it, is not written yet. */
  #hasDraft = false;
  #finished = '';
  #writing: Promise<void> = Promise.resolve();
  /** Events that are not being written yet, in order. */
  #queue: ConversationEvent[] = [];
  #failure: unknown;
  #retry: Disposable | undefined;
  #isDisposed = false;

  /**
   * @param read returns the current conversation.
   * @param hasBegun whether the store already has this conversation.
   */
  constructor(read: () => Conversation, hasBegun: boolean, ports: WriterPorts) {
    this.#read = read;
    this.#id = read().id;
    this.#hasBegun = hasBegun;
    this.#ports = ports;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Why events could not be saved, so that this window has more of the conversation than the store: another window has
   * deleted it, all but a picture was written, which the store has in memory, or else the disk took nothing. Undefined
   * when all is written.
   */
  get failure(): unknown {
    return this.#failure;
  }

  write(event: ConversationEvent): void {
    this.#flushDeltas();
    if (!this.#hasBegun) {
      const { id, createdAt } = this.#read();
      this.#hasBegun = true;
      this.#enqueue({ type: 'conversation', version: 1, id, createdAt });
    }
    this.#enqueue(event);
  }

  /** Writes new text of a reply after a short time, joined with the text that follows. */
  writeDelta(delta: Delta): void {
    const { replyId, text, reasoning } = delta;
    let before = this.#deltas.get(replyId);
    if ((text !== '' && before?.text === '') || delta.allBefore !== undefined) {
      // Start a new line, so that the time of the first text is stored, not that of the reasoning before it.
      this.#flushDeltas();
      before = undefined;
    }
    this.#deltas.set(
      replyId,
      before ? { ...before, text: before.text + text, reasoning: before.reasoning + reasoning } : delta,
    );
    this.#deltaSoon ??= this.#ports.clock.after(writeDeltasMs, () => this.#flushDeltas());
  }

  /**
   * Writes the changed draft, or the question that is being edited, after a short time.
   *
   * @param finished what is written of its text by then; the rest is written with the next event.
   */
  writeDraft(finished: string): void {
    this.#hasDraft = true;
    this.#finished = finished;
    this.#draftSoon ??= this.#ports.clock.after(writeDraftMs, () => this.#writeDraft(this.#finished));
  }

  /** Writes what is still only in memory. Resolves when every event so far was written, or could not be. */
  settled(): Promise<void> {
    this.#flushDraft();
    return this.written();
  }

  /** Like `settled`, but the end of a draft that may be half a secret is not written yet. */
  written(): Promise<void> {
    this.#flushDeltas();
    return this.#writeQueue();
  }

  /** Discards what is not written yet. */
  discard(): void {
    this.#deltas.clear();
    this.#queue = [];
    this.#failure = undefined;
  }

  /** Writes what is still only in memory, without retries if that fails. */
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
      this.#enqueue(delta);
    }
  }

  #flushDraft(): void {
    if (this.#hasDraft) {
      const { draft, edit } = this.#read();
      this.#hasDraft = false;
      this.#writeDraft((edit ?? draft).text);
    }
  }

  #writeDraft(text: string): void {
    this.#draftSoon?.dispose();
    this.#draftSoon = undefined;
    const { draft, edit } = this.#read();
    const { contexts } = edit ?? draft;
    // An empty draft alone doesn't create a conversation in the store.
    if (this.#hasBegun || text.trim() !== '') {
      const content = { text, contexts: [...contexts] };
      this.write(edit ? { type: 'edit', turnId: edit.turnId, ...content } : { type: 'draft', ...content });
    }
  }

  #enqueue(event: ConversationEvent): void {
    const last = this.#queue.at(-1);
    if (last?.type === event.type && (event.type === 'draft' || event.type === 'edit')) {
      // Only the newest text is needed; while saving fails, there would be another copy every second.
      this.#queue.pop();
    }
    this.#queue.push(event);
    void this.#writeQueue();
  }

  #writeQueue(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const events = this.#queue;
      this.#queue = [];
      const before = this.#failure;
      if (events.length === 0 && !(before instanceof PictureWaitsError)) {
        return;
      }
      try {
        await this.#ports.store.append(this.#id, events.map(writeEvent).join(''));
        this.#failure = undefined;
      } catch (error) {
        this.#failure = error;
        this.#queue = error instanceof PictureWaitsError ? this.#queue : [...events, ...this.#queue];
        if (before === undefined || isDeletion(before) !== isDeletion(error)) {
          this.#ports.onKeepFailed(error);
        }
      }
      if (this.#failure !== undefined && !isDeletion(this.#failure)) {
        this.#retryLater();
      } else {
        this.#retry?.dispose();
        this.#retry = undefined;
      }
      if (before !== undefined && this.#failure === undefined) {
        this.#ports.onStoredAgain?.();
      }
    });
    return this.#writing;
  }

  #retryLater(): void {
    if (!this.#isDisposed) {
      this.#retry ??= this.#ports.clock.after(retryMs, () => {
        this.#retry = undefined;
        void this.#writeQueue();
      });
    }
  }
}

const isDeletion = (failure: unknown) => failure instanceof DeletedElsewhereError;
