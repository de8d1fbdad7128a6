import type { ChatRequest } from '../gateway/chatRequest.ts';
import type { ReplyEnd } from '../gateway/gatewayClient.ts';
import type { ReplyDelta } from '../gateway/replyReader.ts';
import { type Disposable, Emitter, type Event } from '../lifetime.ts';
import { shownReply, turnBefore, visibleTurns } from './branches.ts';
import { type Conversation, type Draft, lastReply, questionTitle, runningReply, type Turn } from './conversation.ts';
import { applyEvent, type ConversationEvent } from './conversationRecord.ts';
import { ConversationWriter, type WriterPorts } from './conversationWriter.ts';
import { messagesFor } from './messagesFor.ts';
import type { CodeContext } from './prompt.ts';

/** One call, ready to go: the key is already inside of `send` and nowhere else. */
export type Sender = {
  readonly host: string;
  send(request: ChatRequest, onDelta: (delta: ReplyDelta) => void, signal: AbortSignal): Promise<ReplyEnd>;
};

/** Finds out where a question goes now, or says in words why it can not go. */
export type FindSender = () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }>;

export type Sent =
  | { readonly ok: true }
  /** `otherHost` is set when only the person's word is missing: it would go to another gateway than before. */
  | { readonly ok: false; readonly reason: string; readonly otherHost?: string };

export type ChatPorts = WriterPorts & {
  readonly findSender: FindSender;
  /** The conversation as it is kept, with what another window added to it; undefined when it is not kept. */
  readonly reread: () => Promise<Conversation | undefined>;
  /** See `ConversationStore.claim`. */
  readonly claim: () => Promise<(() => void) | undefined>;
  /** Told what nobody expected. */
  readonly onDefect: (error: unknown) => void;
};

/**
 * An open conversation: asks, streams, stops, and keeps what happens as it happens. One call at a time, and one POST
 * for one id: the id of a wish is the id of its reply, so a wish that comes twice, even after a restart, is seen.
 */
export class Chat implements Disposable {
  readonly #ports: ChatPorts;
  readonly #didChange = new Emitter<ConversationEvent>();
  readonly #running = new Map<string, AbortController>();
  readonly #writer: ConversationWriter;
  #conversation: Conversation;
  #isDisposed = false;
  /** The wish on its way to a request: its key is being read, its question kept. */
  #starting: { readonly id: string; readonly sent: Promise<Sent> } | undefined;
  /** @param isKept whether the store knows this conversation already. */
  constructor(conversation: Conversation, isKept: boolean, ports: ChatPorts) {
    this.#conversation = conversation;
    this.#ports = ports;
    this.#writer = new ConversationWriter(() => this.#conversation, isKept, ports);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isRunning(): boolean {
    return this.#starting !== undefined || this.#running.size > 0;
  }

  /** Fires after the conversation has changed by this event. */
  get onDidChange(): Event<ConversationEvent> {
    return this.#didChange.event;
  }

  /**
   * Asks a new question.
   *
   * @param id made once for one action of the person.
   * @param host where the person means it to go; without it, where the conversation went before.
   */
  ask(id: string, question: string, contexts: readonly CodeContext[], model: string, host?: string): Promise<Sent> {
    const turn: Turn = { id, question, contexts, replies: [] };
    return this.#send({ id, turn, model, host, place: { kind: 'end' } });
  }

  /** Asks a question right after a turn, on a branch of its own if others follow there. The draft stays. */
  askAfter(id: string, turnId: string, question: string, model: string, host?: string): Promise<Sent> {
    const turn: Turn = { id, question, contexts: [], replies: [] };
    return this.#send({ id, turn, model, host, place: { kind: 'after', turnId } });
  }

  /** Asks another question in the place of a turn, which stays beside it. It ends the editing of that turn. */
  askInstead(
    id: string,
    turnId: string,
    question: string,
    contexts: readonly CodeContext[],
    model: string,
    host?: string,
  ): Promise<Sent> {
    const turn: Turn = { id, question, contexts, replies: [] };
    return this.#send({ id, turn, model, host, place: { kind: 'instead', turnId } });
  }

  /** Sends the question of a turn once more: another paid call, asked for by the person. */
  async sendAgain(id: string, turnId: string, model: string, host?: string): Promise<Sent> {
    const turn = this.#conversation.turns.find((each) => each.id === turnId);
    return turn ? this.#send({ id, turn, model, host, place: undefined }) : notThere;
  }

  /** Remembers what stands in the composer, so that neither a closed panel nor a reload loses it. */
  setDraft(draft: Draft): void {
    const { edit } = this.#conversation;
    this.#conversation = edit
      ? { ...this.#conversation, edit: { ...edit, ...draft } }
      : { ...this.#conversation, draft };
    this.#writer.writeDraft();
  }

  /** Keeps what is about to be asked, for the case that this window ends before it is. In no composer until then. */
  keepUnsent({ text, contexts }: Draft): void {
    this.#writer.write({ type: 'draft', text, contexts: [...contexts] });
  }

  /** Puts an earlier question into the composer; the draft waits. */
  startEdit(turnId: string): void {
    const turn = this.#conversation.turns.find(({ id }) => id === turnId);
    if (turn && this.#conversation.edit?.turnId !== turnId) {
      // What was typed until now is written as what it is.
      void this.#writer.settled();
      this.#happen({ type: 'edit', turnId, text: turn.question, contexts: [...turn.contexts] });
    }
  }

  /** Puts the draft back into the composer. */
  cancelEdit(): void {
    if (this.#conversation.edit) {
      this.#happen({ type: 'cancelEdit' });
    }
  }

  /** Shows this one of the replies to its question. What runs goes on. */
  chooseReply(replyId: string): void {
    const turn = this.#conversation.turns.find(({ replies }) => replies.some(({ id }) => id === replyId));
    if (turn && shownReply(turn)?.id !== replyId) {
      this.#happen({ type: 'choose', replyId });
    }
  }

  /** Shows this one of the questions at its fork, with what follows it. */
  chooseTurn(turnId: string): void {
    const isThere = turnBefore(this.#conversation, turnId) !== undefined;
    if (isThere && !visibleTurns(this.#conversation).some(({ id }) => id === turnId)) {
      this.#happen({ type: 'chooseTurn', turnId });
    }
  }

  rename(title: string): void {
    this.#happen({ type: 'title', text: title });
  }

  /** Ends a running reply; what arrived stays. */
  stop(replyId: string): void {
    this.#running.get(replyId)?.abort();
  }

  /** Ends what runs and writes down what is still in memory. */
  dispose(): void {
    this.#isDisposed = true;
    for (const abort of this.#running.values()) {
      abort.abort();
    }
    void this.#writer.settled();
    this.#didChange.dispose();
  }

  /** Resolves when everything that happened so far is kept. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  async #send(wish: Wish): Promise<Sent> {
    const { id } = wish;
    if (this.#starting?.id === id) {
      return this.#starting.sent;
    }
    if (hasWish(this.#conversation, id)) {
      return { ok: true };
    }
    if (this.#starting || runningReply(this.#conversation)) {
      return { ok: false, reason: 'A reply is still arriving. Stop it, or wait for its end.' };
    }
    // From here to the reply's entry nothing else may start: a second Enter arrives while the key is being read.
    const sent = this.#start(wish);
    this.#starting = { id, sent };
    try {
      return await sent;
    } finally {
      this.#starting = undefined;
    }
  }

  async #start(wish: Wish): Promise<Sent> {
    const release = await this.#claim();
    if (release === undefined) {
      return { ok: false, reason: 'A reply to this conversation is arriving in another window.' };
    }
    let sent: Sent & { begin?: () => void };
    try {
      sent = await this.#prepare(wish, release);
    } catch (error) {
      release();
      throw error;
    }
    if (sent.begin) {
      sent.begin();
    } else {
      release();
    }
    return sent.ok ? { ok: true } : sent;
  }

  /** A folder that can not be written takes the history, not the question: then there is nothing to share. */
  async #claim(): Promise<(() => void) | undefined> {
    try {
      return await this.#ports.claim();
    } catch (error) {
      this.#ports.onKeepFailed(error);
      return () => undefined;
    }
  }

  async #prepare({ id, turn, model, host, place }: Wish, release: () => void): Promise<Sent & { begin?: () => void }> {
    await this.#catchUp();
    if (hasWish(this.#conversation, id)) {
      return { ok: true };
    }
    const found = await this.#ports.findSender();
    if (!found.ok) {
      return found;
    }
    const { sender } = found;
    const expected = host ?? lastReply(this.#conversation)?.host;
    if (expected !== undefined && expected !== sender.host) {
      const reason = `The connection is to ${sender.host} now, and this was meant for ${expected}.`;
      return { ok: false, reason, otherHost: sender.host };
    }
    if (this.#isDisposed) {
      return { ok: false, reason: 'The conversation was closed.' };
    }
    const after = place && this.#placeOf(place);
    if (place && after === undefined) {
      return notThere;
    }
    const startedAt = this.#ports.clock.now();
    if (after !== undefined) {
      // A person may have given it one before the first question was sent.
      if (this.#conversation.turns.length === 0 && this.#conversation.title === undefined) {
        this.#happen({ type: 'title', text: questionTitle(turn) });
      }
      const { question, contexts } = turn;
      const { turns, draft } = this.#conversation;
      const instead = place?.kind === 'instead' && { instead: place.turnId };
      const isNext = after === (turns.at(-1)?.id ?? null);
      this.#happen({ type: 'turn', id, question, contexts: [...contexts], ...(!isNext && { after }), ...instead });
      if (place?.kind === 'after' && (draft.text !== '' || draft.contexts.length > 0)) {
        this.#happen({ type: 'draft', text: draft.text, contexts: [...draft.contexts] });
      }
    }
    const abort = new AbortController();
    this.#running.set(id, abort);
    this.#happen({ type: 'reply', turnId: turn.id, id, model, host: sender.host, startedAt });
    // Only now may the request leave.
    await this.settled();
    return {
      ok: true,
      begin: () => void this.#stream(id, turn.id, model, sender, startedAt, abort.signal).finally(release),
    };
  }

  /** Id of the turn that a new one follows; `null` when it is a first one, undefined when its place is gone. */
  #placeOf(place: Place): string | null | undefined {
    switch (place.kind) {
      case 'end':
        return visibleTurns(this.#conversation).at(-1)?.id ?? null;
      case 'after':
        return turnBefore(this.#conversation, place.turnId) === undefined ? undefined : place.turnId;
      case 'instead':
        return turnBefore(this.#conversation, place.turnId);
      default:
        return place satisfies never;
    }
  }

  /** Another window may have gone on with this conversation since it was read here. */
  async #catchUp(): Promise<void> {
    await this.settled();
    // What could not be kept here must not be forgotten for what is kept.
    if (!this.#writer.hasBegun || this.#writer.isFailing) {
      return;
    }
    // A file that can not be read costs the news of another window, not the question.
    const kept = await this.#ports.reread().catch((error: unknown) => {
      this.#ports.onKeepFailed(error);
      return undefined;
    });
    if (kept && heard(kept) !== heard(this.#conversation)) {
      const { draft, edit } = this.#conversation;
      const { edit: _, ...rest } = kept;
      this.#conversation = { ...rest, draft, ...(edit && { edit }) };
      const { id, createdAt } = kept;
      this.#didChange.fire({ type: 'conversation', version: 1, id, createdAt });
    }
  }

  async #stream(
    id: string,
    turnId: string,
    model: string,
    sender: Sender,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    const elapsed = () => Math.max(0, this.#ports.clock.now() - startedAt);
    const onDelta = ({ text, reasoning }: ReplyDelta) => {
      const delta = { type: 'delta', replyId: id, text, reasoning, ms: elapsed() } as const;
      this.#writer.writeDelta(delta);
      this.#change(delta);
    };
    let end: ReplyEnd;
    try {
      end = signal.aborted
        ? { outcome: 'stopped' }
        : await sender.send({ model, messages: messagesFor(this.#conversation, turnId) }, onDelta, signal);
    } catch (error) {
      // A sender answers with data; whatever it throws is a mistake of ours and must not leave the reply running.
      this.#ports.onDefect(error);
      end = { outcome: 'failed', problem: { kind: 'defect' } };
    }
    this.#running.delete(id);
    if (this.#isDisposed) {
      // The window is going away in the middle. Nobody stopped it: without an end its record says what happened.
      await this.settled();
      return;
    }
    const { outcome, model: answered, toolCalls: _, ...facts } = end;
    this.#happen({
      type: 'end',
      replyId: id,
      state: outcome,
      totalMs: elapsed(),
      ...facts,
      ...(answered !== undefined && answered !== model && { echoedModel: answered }),
    });
    await this.settled();
  }

  /** Kept and told. */
  #happen(event: ConversationEvent): void {
    this.#writer.write(event);
    this.#change(event);
  }

  #change(event: ConversationEvent): void {
    this.#conversation = applyEvent(this.#conversation, event);
    this.#didChange.fire(event);
  }
}

/** One action of the person that would be one paid call. */
type Wish = {
  readonly id: string;
  readonly turn: Turn;
  readonly model: string;
  readonly host: string | undefined;
  /** Where its turn goes when it is a new one. */
  readonly place: Place | undefined;
};

type Place = { readonly kind: 'end' } | { readonly kind: 'after' | 'instead'; readonly turnId: string };

const notThere = { ok: false, reason: 'That question is no longer there.' } as const;

function hasWish({ turns }: Conversation, id: string): boolean {
  return turns.some((turn) => turn.id === id || turn.replies.some((reply) => reply.id === id));
}

/** How far every reply has come: one that was arriving in another window may have ended there. */
function heard({ turns }: Conversation): string {
  const replies = turns.flatMap((turn) => turn.replies);
  return replies
    .map(({ id, state, problem, text, reasoning }) => [id, state, problem?.kind, text.length, reasoning.length].join())
    .join(' ');
}
