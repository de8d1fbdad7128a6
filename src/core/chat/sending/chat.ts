import type { Disposable, Event } from '../../base/lifetime.ts';
import { shownReply, turnBefore, turnsTo, visibleTurns } from '../conversation/branches.ts';
import { columnsOf } from '../conversation/comparison.ts';
import type { Conversation, Draft, Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { Action } from './action.ts';
import type { ChatPorts, Sent } from './chatPorts.ts';
import { LiveConversation, type Unkept } from './liveConversation.ts';
import { Sending } from './sending.ts';

/**
 * An open conversation: asks, streams, stops, and keeps what happens as it happens. One action at a time, and one
 * POST for each call of it: their ids come from that of the action, so one that comes twice, even after a restart, is seen.
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

  /** Asks what an action asks: its calls are paid. */
  send(action: Action): Promise<Sent> {
    return this.#sending.send(action);
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
