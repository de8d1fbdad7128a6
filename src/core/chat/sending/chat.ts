import type { Disposable, Event } from '../../base/lifetime.ts';
import type { CodeContext } from '../context/prompt.ts';
import { shownReply, turnBefore, turnsTo, visibleTurns } from '../conversation/branches.ts';
import { columnFor, columnsOf, notComparable } from '../conversation/comparison.ts';
import type { Conversation, Draft, Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { ChatPorts, Sent } from './chatPorts.ts';
import { LiveConversation, type Unkept } from './liveConversation.ts';
import { Sending } from './sending.ts';
import { notThere } from './wish.ts';

/**
 * An open conversation: asks, streams, stops, and keeps what happens as it happens. One wish at a time, and one POST
 * for each call of it: their ids come from that of the wish, so a wish that comes twice, even after a restart, is seen.
 */
export class Chat implements Disposable {
  readonly #live: LiveConversation;
  readonly #sending: Sending;

  /** @param isKept whether the store knows this conversation already. */
  constructor(conversation: Conversation, isKept: boolean, ports: ChatPorts) {
    this.#live = new LiveConversation(conversation, isKept, ports);
    this.#sending = new Sending(this.#live, ports);
  }

  get conversation(): Conversation {
    return this.#live.current;
  }

  get isRunning(): boolean {
    return this.#sending.isRunning;
  }

  /** What could not be written to the store until now, which only this object has; undefined when all of it could. */
  get unkept(): Unkept | undefined {
    return this.#live.unkept;
  }

  /** Fires after the conversation has changed by this event. */
  get onDidChange(): Event<ConversationEvent> {
    return this.#live.onDidChange;
  }

  /**
   * Asks a new question.
   *
   * @param id made once for one action of the person.
   * @param host where the person means it to go; without it, where the conversation went before.
   */
  ask(id: string, question: string, contexts: readonly CodeContext[], model: string, host?: string): Promise<Sent> {
    const turn: Turn = { id, question, contexts, replies: [] };
    return this.#sending.send({ id, turn, calls: [{ id, model }], host, place: { kind: 'end' } });
  }

  /**
   * Asks several models the same new question at the same time, each by one call. Their answers stand side by side until
   * one of them is kept; see `chooseReply`.
   */
  async compare(
    id: string,
    question: string,
    contexts: readonly CodeContext[],
    models: readonly string[],
    host?: string,
  ): Promise<Sent> {
    const reason = notComparable(models);
    if (reason !== undefined) {
      return { ok: false, reason };
    }
    const turn: Turn = { id, question, contexts, replies: [] };
    const calls = models.map((model, index) => ({ id: `${id}.${index + 1}`, model, column: index + 1 }));
    return this.#sending.send({ id, turn, calls, host, place: { kind: 'end' } });
  }

  /** Asks a question right after a turn, on a branch of its own if others follow there. The draft stays. */
  askAfter(id: string, turnId: string, question: string, model: string, host?: string): Promise<Sent> {
    const turn: Turn = { id, question, contexts: [], replies: [] };
    return this.#sending.send({ id, turn, calls: [{ id, model }], host, place: { kind: 'after', turnId } });
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
    return this.#sending.send({ id, turn, calls: [{ id, model }], host, place: { kind: 'instead', turnId } });
  }

  /**
   * Sends the question of a turn once more: another paid call, asked for by the person.
   *
   * @param replyId the reply it is asked in place of, which stays beside it; without it, the one that is shown.
   */
  async sendAgain(id: string, turnId: string, model: string, host?: string, replyId?: string): Promise<Sent> {
    const turn = this.conversation.turns.find((each) => each.id === turnId);
    if (turn === undefined) {
      return notThere;
    }
    const column = columnFor(turn, replyId);
    const calls = [{ id, model, ...(column !== undefined && { column }) }];
    return this.#sending.send({ id, turn, calls, host, place: undefined });
  }

  /** Remembers what stands in the composer, so that neither a closed panel nor a reload loses it. */
  setDraft(draft: Draft): void {
    this.#live.setDraft(draft);
  }

  /** Keeps what is about to be asked, for the case that this window ends before it is. In no composer until then. */
  keepUnsent(draft: Draft): void {
    this.#live.keepUnsent(draft);
  }

  /** Puts an earlier question into the composer; the draft waits. */
  startEdit(turnId: string): void {
    const turn = this.conversation.turns.find(({ id }) => id === turnId);
    if (turn && this.conversation.edit?.turnId !== turnId) {
      // What was typed until now is written as what it is.
      void this.#live.settled();
      this.#live.happen({ type: 'edit', turnId, text: turn.question, contexts: [...turn.contexts] });
    }
  }

  /** Puts the draft back into the composer. */
  cancelEdit(): void {
    if (this.conversation.edit) {
      this.#live.happen({ type: 'cancelEdit' });
    }
  }

  /** Shows this one of the replies to its question, which keeps it of those compared. What runs goes on. */
  chooseReply(replyId: string): void {
    const turn = this.conversation.turns.find(({ replies }) => replies.some(({ id }) => id === replyId));
    const shown = turn && (columnsOf(turn).length > 0 ? turn.shown : shownReply(turn)?.id);
    if (turn && shown !== replyId) {
      this.#live.happen({ type: 'choose', replyId });
    }
  }

  /** Shows this one of the questions at its fork, with what follows it. */
  chooseTurn(turnId: string): void {
    const isThere = turnBefore(this.conversation, turnId) !== undefined;
    if (isThere && !visibleTurns(this.conversation).some(({ id }) => id === turnId)) {
      this.#live.happen({ type: 'chooseTurn', turnId });
    }
  }

  /** Shows the branch of a turn. @param id its own, or that of one of its replies. @returns it, if there is one. */
  showTurn(id: string): Turn | undefined {
    const isIt = (each: { readonly id: string }) => each.id === id;
    const turn = this.conversation.turns.find((each) => isIt(each) || each.replies.some(isIt));
    for (const each of turn ? turnsTo(this.conversation, turn.id) : []) {
      this.chooseTurn(each.id);
    }
    return turn;
  }

  rename(title: string): void {
    this.#live.happen({ type: 'title', text: title });
  }

  /**
   * Ends what runs; what arrived stays. What has not left yet is not sent.
   *
   * @param id that of a reply, or of the action it comes from; without it, all of them.
   */
  stop(id?: string): void {
    this.#sending.stop(id);
  }

  /** Gives up what could not be written: the conversation was deleted. */
  discard(): void {
    this.#live.discard();
  }

  /** Ends what runs and writes down what is still in memory. */
  dispose(): void {
    this.#sending.close();
    this.#live.dispose();
  }

  /** Resolves when everything that happened so far is kept. */
  settled(): Promise<void> {
    return this.#live.settled();
  }
}
