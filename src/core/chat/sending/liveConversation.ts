import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, Emitter } from '../../base/lifetime.ts';
import type { RequestParameters } from '../../connections/questionDefaults.ts';
import type { KeyRemover } from '../../secrets/keyRemover.ts';
import type { CodeContext } from '../context/prompt.ts';
import { hiddenTurnsTo, shownReply, turnBefore, visibleTurns } from '../conversation/branches.ts';
import { columnsOf } from '../conversation/comparison.ts';
import type { Conversation, Draft, Turn } from '../conversation/conversation.ts';
import { type ConversationEvent, ConversationRecord, writeEvent } from '../conversation/conversationRecord.ts';
import { MaskedDraft, type MaskedSecret, withoutUnfinished } from '../masking/maskedDraft.ts';
import type { Masks } from '../masking/masks.ts';
import { type ConversationStore, PictureWaitsError } from '../store/conversationStore.ts';

export type LivePorts = {
  readonly clock: Clock;
  readonly store: Pick<ConversationStore, 'append'>;
  /**
   * Called when saving fails, so that the person can be notified; the conversation continues. Called again only after
   * saving has worked.
   */
  readonly onKeepFailed: (error: unknown) => void;
  /** Called when everything is saved again after a failure. */
  readonly onStoredAgain?: () => void;
  /** The stored conversation, with what another window added to it; undefined when it is not stored. */
  readonly reread: () => Promise<Conversation | undefined>;
  /** Whether secrets are looked for in the context of the file with this address; by default they are. */
  readonly isScanned?: (uri: string) => boolean;
  /** A random part for the masks of secrets: 12 small letters and digits. */
  readonly maskSuffix: () => string;
  /** Removes the keys of connections from what is stored and sent. Without it, none are known. */
  readonly keys?: KeyRemover;
};

/**
 * An open conversation. Each event is written to the store, applied to the conversation, and fired. This class has
 * everything a person can do with a conversation, except asking a model.
 */
export class LiveConversation extends DisposableStore {
  readonly #ports: Pick<LivePorts, 'reread' | 'onKeepFailed' | 'keys' | 'clock'>;
  readonly #didChange = this.add(new Emitter<ConversationEvent>());
  /** Fires after an event was applied to the conversation. */
  readonly onDidChange = this.#didChange.event;
  readonly #writer: ConversationWriter;
  readonly #masked: MaskedDraft;
  #record: ConversationRecord;

  /** @param isStored whether the store already has this conversation. */
  constructor(conversation: Conversation, isStored: boolean, ports: LivePorts) {
    super();
    this.#ports = ports;
    this.#masked = new MaskedDraft(ports.maskSuffix(), ports.isScanned, ports.keys);
    // What is stored may be from a version, or a file, that masked nothing.
    const { draft, edit } = conversation;
    this.#record = new ConversationRecord({
      ...conversation,
      ...(edit && { edit: { ...edit, ...this.mask(edit) } }),
      draft: this.mask(draft),
    });
    this.#writer = this.add(new ConversationWriter(() => this.conversation, isStored, ports));
  }

  get conversation(): Conversation {
    return this.#record.conversation;
  }

  /** Whether the conversation is in the store, or on its way there. */
  get hasBegun(): boolean {
    return this.#writer.hasBegun;
  }

  /** Why the store has not all of the conversation; see `ConversationWriter`. */
  get failure(): unknown {
    return this.#writer.failure;
  }

  /** The turn that a reply belongs to. */
  turnOf(replyId: string): Turn | undefined {
    return this.conversation.turns.find(({ replies }) => replies.some(({ id }) => id === replyId));
  }

  /** Stores an event, applies it and fires it. */
  record(event: ConversationEvent): void {
    if (event.type === 'delta') {
      this.#writer.writeDelta(event);
    } else {
      this.#writer.write(event);
    }
    this.#record.apply(event);
    this.#didChange.fire(event);
  }

  /** The masks of the secrets in this conversation. */
  get masks(): Masks {
    return this.#masked.masks;
  }

  /** The secrets that are masked in the composer, or in a draft that `mask` returned. */
  secretsIn({ text, contexts }: Draft = this.composed): readonly MaskedSecret[] {
    return this.#masked.secrets(text, contexts);
  }

  /** Masks the secrets in a question and its context. What is masked already stays. */
  mask({ text, contexts }: Draft): Draft {
    const found = this.#masked.contexts(contexts);
    // With other context, more of the text may be known as secret, and the other way round.
    return { text: this.#masked.text(text), contexts: this.#masked.contexts(found) };
  }

  /** Masks the secrets in context before it is used. */
  scan(contexts: readonly CodeContext[]): CodeContext[] {
    return this.#masked.contexts(contexts);
  }

  /** The data without keys of connections. */
  withoutKeys<T>(data: T): T {
    return this.#ports.keys?.withoutIn(data) ?? data;
  }

  /** The data with its secrets masked: what is sent beside the question, or names it. */
  readonly withoutSecrets = <T>(data: T): T => this.#masked.data(this.withoutKeys(data));

  /** Whether an address has a masked secret or the key of a connection in it. */
  isSecretIn(address: string): boolean {
    return this.masks.isIn(address) || this.withoutKeys(address) !== address;
  }

  /**
   * Puts the secrets back into a question and its context.
   *
   * @param only the masks of the secrets that the person wants to send; by default all.
   */
  unmask({ text, contexts }: Draft, only?: ReadonlySet<string>): Draft {
    return {
      text: this.#masked.clearText(text, only),
      contexts: contexts.map((each) => this.#masked.clearContext(each, only)),
    };
  }

  /** Looks for secrets in the context of the composer again, after `isScanned` has changed. */
  maskAgain(): void {
    this.setDraft({ contexts: this.#masked.again(this.composed.contexts) });
  }

  /** The content of the composer: the draft, or an earlier question that is being edited. */
  get composed(): Draft {
    const { draft, edit } = this.conversation;
    return edit ? { text: edit.text, contexts: edit.contexts } : draft;
  }

  /**
   * Stores the content of the composer, so that neither a closed panel nor a reload loses it. Doesn't fire, because the
   * change comes from the composer. Secrets are masked first.
   */
  setDraft({ text, contexts }: Partial<Draft>): void {
    const { draft, edit, turns } = this.conversation;
    const { text: before, contexts: earlier } = this.composed;
    const typed = text ?? this.#masked.clearText(before);
    const composed = contexts
      ? this.mask({ text: typed, contexts })
      : { text: this.#masked.text(typed), contexts: earlier };
    const kept = [composed.text, ...(edit ? [draft.text] : []), ...turns.map(({ question }) => question)];
    if (!kept.includes(before)) {
      this.#masked.forget(before);
    }
    this.#record.apply(edit ? { type: 'edit', turnId: edit.turnId, ...composed } : { type: 'draft', ...composed });
    this.#writer.writeDraft(withoutUnfinished(before, composed.text));
  }

  /** Puts a question that the person did not type into the composer. */
  compose(draft: Draft): void {
    this.record({ type: 'draft', ...this.mask(draft) });
  }

  /**
   * Saves a question that is about to be sent, in case this window closes first. The composer doesn't show it.
   *
   * @param draft as `mask` returned it.
   */
  saveUnsent(draft: Draft): void {
    this.#writer.write({ type: 'draft', ...draft });
  }

  /** Puts an earlier question into the composer for editing. The draft comes back when the editing ends. */
  startEdit(turnId: string): void {
    const turn = this.conversation.turns.find(({ id }) => id === turnId);
    if (turn && this.conversation.edit?.turnId !== turnId) {
      // Write what was typed so far before it is replaced.
      void this.settled();
      const asked = { text: this.#masked.clearText(turn.question), contexts: turn.contexts };
      this.record({ type: 'edit', turnId, ...this.mask(asked) });
    }
  }

  /** Ends the editing and puts the draft back into the composer. */
  cancelEdit(): void {
    if (this.conversation.edit) {
      this.record({ type: 'cancelEdit' });
    }
  }

  /** Shows this reply to its question. In a comparison this chooses the answer. Running calls continue. */
  chooseReply(replyId: string): void {
    const turn = this.turnOf(replyId);
    const shown = turn && (columnsOf(turn).length > 0 ? turn.shown : shownReply(turn)?.id);
    if (turn && shown !== replyId) {
      this.record({ type: 'choose', replyId });
    }
  }

  /** Shows this turn instead of its siblings, with the turns that follow it. */
  chooseTurn(turnId: string): void {
    const isThere = turnBefore(this.conversation, turnId) !== undefined;
    if (isThere && !visibleTurns(this.conversation).some(({ id }) => id === turnId)) {
      this.record({ type: 'chooseTurn', turnId });
    }
  }

  /** Shows the branch of a turn. @param id id of the turn or of one of its replies. @returns the turn, if it exists. */
  showTurn(id: string): Turn | undefined {
    const turn = this.conversation.turns.find((each) => each.id === id) ?? this.turnOf(id);
    for (const hidden of turn ? hiddenTurnsTo(this.conversation, turn.id) : []) {
      this.record({ type: 'chooseTurn', turnId: hidden.id });
    }
    return turn;
  }

  /** Sets the system prompt of this conversation. Empty: none is sent. Undefined: that of the model or connection is. */
  setSystemPrompt(text: string | undefined): void {
    this.record({ type: 'systemPrompt', ...(text !== undefined && { text: this.withoutSecrets(text) }) });
  }

  /** Sets the parameters of this conversation; undefined: it has none of its own. */
  setParameters(parameters: RequestParameters | undefined): void {
    if (parameters === undefined && this.conversation.parameters === undefined) {
      // Otherwise a conversation without a question would be stored.
      return;
    }
    this.record({ type: 'parameters', ...(parameters && { parameters: this.withoutSecrets(parameters) }) });
  }

  /** Stores the conversation, also when nothing was asked or typed in it yet. */
  begin(): void {
    if (!this.hasBegun) {
      this.setSystemPrompt(this.conversation.systemPrompt);
    }
  }

  rename(title: string): void {
    this.record({ type: 'title', text: this.withoutSecrets(title) });
  }

  /** Loads what another window has added to this conversation since it was read here. */
  async catchUp(): Promise<void> {
    await this.settled();
    // The stored conversation must not replace unsaved changes.
    if (!this.#writer.hasBegun || this.#writer.failure !== undefined) {
      return;
    }
    // If the file can't be read, changes by another window are missing here, but the question can still be sent.
    const stored = await this.#ports.reread().catch((error: unknown) => {
      this.#ports.onKeepFailed(error);
      return undefined;
    });
    if (stored && progressOf(stored) !== progressOf(this.conversation)) {
      const { draft, edit } = this.conversation;
      const { edit: _, ...rest } = stored;
      this.#record = new ConversationRecord({ ...rest, draft, ...(edit && { edit }) });
      const { id, createdAt } = stored;
      this.#didChange.fire({ type: 'conversation', version: 1, id, createdAt });
    }
  }

  /** Like `settled`, without the draft: the person may be typing. */
  written(): Promise<void> {
    return this.#writer.written();
  }

  /** Resolves when every event so far was written, or could not be. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** Discards what could not be written, because the conversation was deleted. */
  discard(): void {
    this.#writer.discard();
  }
}

/** The progress of every reply, for comparing: a reply that was arriving in another window may have ended there. */
function progressOf({ turns }: Conversation): string {
  const replies = turns.flatMap((turn) => turn.replies);
  return replies
    .map(({ id, state, problem, text, reasoning }) => [id, state, problem?.kind, text.length, reasoning.length].join())
    .join(' ');
}

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
class ConversationWriter implements Disposable {
  readonly #ports: LivePorts;
  readonly #read: () => Conversation;
  /** Whether the conversation is in the store, or on its way there. This and `failure` are written only here. */
  hasBegun: boolean;
  /**
   * Why events could not be saved, so that this window has more of the conversation than the store: another window has
   * deleted it, all but a picture was written, which the store has in memory, or else the disk took nothing. Undefined
   * when all is written.
   */
  failure: unknown;
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
  #retry: Disposable | undefined;
  #isDisposed = false;

  /**
   * @param read returns the current conversation.
   * @param hasBegun whether the store already has this conversation.
   */
  constructor(read: () => Conversation, hasBegun: boolean, ports: LivePorts) {
    this.#read = read;
    this.hasBegun = hasBegun;
    this.#ports = ports;
  }

  write(event: ConversationEvent): void {
    this.#flushDeltas();
    if (!this.hasBegun) {
      const { id, createdAt } = this.#read();
      this.hasBegun = true;
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
    this.failure = undefined;
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
    // An empty draft alone doesn't create a conversation in the store.
    if (this.hasBegun || text.trim() !== '') {
      this.write(edit ? { type: 'edit', ...edit, text } : { type: 'draft', ...draft, text });
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
      const before = this.failure;
      if (events.length === 0 && !(before instanceof PictureWaitsError)) {
        return;
      }
      try {
        await this.#ports.store.append(this.#read().id, events.map(writeEvent).join(''));
        this.failure = undefined;
      } catch (error) {
        this.failure = error;
        this.#queue = error instanceof PictureWaitsError ? this.#queue : [...events, ...this.#queue];
        if (before === undefined) {
          this.#ports.onKeepFailed(error);
        }
      }
      if (this.failure !== undefined) {
        this.#retryLater();
      } else if (before !== undefined) {
        this.#retry?.dispose();
        this.#retry = undefined;
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
