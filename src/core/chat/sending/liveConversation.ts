import { type Disposable, Emitter, type Event } from '../../base/lifetime.ts';
import type { Conversation, Draft } from '../conversation/conversation.ts';
import { applyEvent, type ConversationEvent } from '../conversation/conversationRecord.ts';
import { ConversationWriter } from '../store/conversationWriter.ts';
import type { ChatPorts } from './chatPorts.ts';

export type LiveConversationPorts = Pick<ChatPorts, 'clock' | 'keep' | 'onKeepFailed' | 'onKeptAgain' | 'reread'>;

/** What of a conversation is only in this window. */
export type Unkept = {
  /** How many replies are not, or not wholly, in the store. */
  readonly replies: number;
  /** Another window has deleted the conversation, so that it can't be written. */
  readonly isDeleted?: true;
};

/** A conversation that goes on: each event is written down, changes it, and is told. */
export class LiveConversation implements Disposable {
  readonly #ports: LiveConversationPorts;
  readonly #didChange = new Emitter<ConversationEvent>();
  readonly #writer: ConversationWriter;
  #current: Conversation;

  /** @param isKept whether the store knows this conversation already. */
  constructor(conversation: Conversation, isKept: boolean, ports: LiveConversationPorts) {
    this.#current = conversation;
    this.#ports = ports;
    this.#writer = new ConversationWriter(() => this.#current, isKept, ports);
  }

  get current(): Conversation {
    return this.#current;
  }

  /** Fires after the conversation has changed by this event. */
  get onDidChange(): Event<ConversationEvent> {
    return this.#didChange.event;
  }

  /** See `Chat.unkept`. */
  get unkept(): Unkept | undefined {
    const { isFailing, isDeleted, unkeptReplies } = this.#writer;
    return isFailing ? { replies: unkeptReplies, ...(isDeleted && { isDeleted }) } : undefined;
  }

  happen(event: ConversationEvent): void {
    if (event.type === 'delta') {
      this.#writer.writeDelta(event);
    } else {
      this.#writer.write(event);
    }
    this.#current = applyEvent(this.#current, event);
    this.#didChange.fire(event);
  }

  /** What stands in the composer; nobody is told, because the composer is who says it. */
  setDraft(draft: Draft): void {
    const { edit } = this.#current;
    this.#current = edit ? { ...this.#current, edit: { ...edit, ...draft } } : { ...this.#current, draft };
    this.#writer.writeDraft();
  }

  /** See `Chat.keepUnsent`. */
  keepUnsent({ text, contexts }: Draft): void {
    this.#writer.write({ type: 'draft', text, contexts: [...contexts] });
  }

  /** Another window may have gone on with this conversation since it was read here. */
  async catchUp(): Promise<void> {
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
    if (kept && heard(kept) !== heard(this.#current)) {
      const { draft, edit } = this.#current;
      const { edit: _, ...rest } = kept;
      this.#current = { ...rest, draft, ...(edit && { edit }) };
      const { id, createdAt } = kept;
      this.#didChange.fire({ type: 'conversation', version: 1, id, createdAt });
    }
  }

  /** Resolves when everything that happened so far is kept. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** See `Chat.discard`. */
  discard(): void {
    this.#writer.discard();
  }

  /** Writes down what is still in memory. */
  dispose(): void {
    this.#writer.dispose();
    this.#didChange.dispose();
  }
}

/** How far every reply has come: one that was arriving in another window may have ended there. */
function heard({ turns }: Conversation): string {
  const replies = turns.flatMap((turn) => turn.replies);
  return replies
    .map(({ id, state, problem, text, reasoning }) => [id, state, problem?.kind, text.length, reasoning.length].join())
    .join(' ');
}
