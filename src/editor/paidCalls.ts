import { randomUUID } from 'node:crypto';
import { shownReply } from '../core/chat/branches.ts';
import type { Chat } from '../core/chat/chat.ts';
import type { Sent } from '../core/chat/chatPorts.ts';
import { modelToGoOn } from '../core/chat/comparison.ts';
import type { Reply } from '../core/chat/conversation.ts';
import { type CodeContext, continueQuestion } from '../core/chat/prompt.ts';
import type { Catalogue } from '../core/models/catalogue.ts';
import { showWarningMessage } from './ui/messages.ts';

export type PaidCallsDeps = {
  readonly catalogue: Catalogue;
  /**
   * Lets the person pick a model, another one than `than` when that is named. @returns its exact id; undefined when they
   * left.
   */
  readonly pickModel: (title?: string, than?: string) => Promise<string | undefined>;
  /** Leads to the missing step when there is no connection or no key. @returns false when the person left. */
  readonly ensureConnected: () => Promise<boolean>;
};

const notConnected: Sent = { ok: false, reason: 'There is no connection with a key.' };

/** Everything in one conversation that ends in a paid call: what it needs first, with which model, and to whom. */
export class PaidCalls {
  readonly #chat: Chat;
  readonly #deps: PaidCallsDeps;
  /** Picked here for the next call; after that the conversation goes on with it by itself. */
  #picked: string | undefined;
  /** Of the answer that was kept last, until the next call. */
  #kept: string | undefined;

  constructor(chat: Chat, deps: PaidCallsDeps) {
    this.#chat = chat;
    this.#deps = deps;
  }

  /** Exact id of the model that the next question goes to; undefined when none is chosen yet. */
  get model(): string | undefined {
    return this.#picked ?? this.#kept ?? modelToGoOn(this.#chat.conversation) ?? this.#deps.catalogue.defaultModel;
  }

  /** Lets the person pick the model of the next call. @returns false when they left. */
  async pickModel(): Promise<boolean> {
    const model = await this.#deps.pickModel('Model for This Conversation');
    this.#picked = model ?? this.#picked;
    return model !== undefined;
  }

  /** The next question goes to the model of an answer that was kept, whatever was picked before. */
  goOnWith(model: string): void {
    this.#picked = undefined;
    this.#kept = model;
  }

  /**
   * Asks the first question. What can not be sent becomes the draft, so that no text is lost.
   *
   * @param host where the person means it to go.
   */
  async ask(question: string, contexts: readonly CodeContext[], model: string, host?: string): Promise<Sent> {
    const id = randomUUID();
    return this.#first(question, contexts, [model], (agreed) =>
      this.#chat.ask(id, question, contexts, model, agreed ?? host),
    );
  }

  /** Asks the first question of several models at once: a paid call each. See `ask`. */
  async compare(
    question: string,
    contexts: readonly CodeContext[],
    models: readonly string[],
    host?: string,
  ): Promise<Sent> {
    const id = randomUUID();
    return this.#first(question, contexts, models, (agreed) =>
      this.#chat.compare(id, question, contexts, models, agreed ?? host),
    );
  }

  async #first(
    question: string,
    contexts: readonly CodeContext[],
    models: readonly string[],
    send: (agreed?: string) => Promise<Sent>,
  ): Promise<Sent> {
    this.#chat.keepUnsent({ text: question, contexts });
    const sent = await this.#withConsent(send).catch(
      (error: unknown): Sent => ({ ok: false, reason: error instanceof Error ? error.message : String(error) }),
    );
    if (!sent.ok) {
      this.#picked = models[0];
      this.#chat.setDraft({ text: question, contexts });
      return sent;
    }
    return this.#spent(sent, ...models);
  }

  /** Sends what stands in the composer. */
  async askDraft(id: string): Promise<Sent> {
    const { draft, edit } = this.#chat.conversation;
    const { text, contexts } = edit ?? draft;
    if (text.trim() === '') {
      return { ok: false, reason: 'There is no question yet.' };
    }
    if (!(await this.#deps.ensureConnected())) {
      return notConnected;
    }
    const model = this.model ?? (await this.#deps.pickModel());
    return model === undefined
      ? { ok: false, reason: 'No model is chosen.' }
      : this.#spent(
          await this.#withConsent((host) =>
            edit
              ? this.#chat.askInstead(id, edit.turnId, text, contexts, model, host)
              : this.#chat.ask(id, text, contexts, model, host),
          ),
          model,
        );
  }

  /**
   * Sends the question of a turn once more, to the model it went to before unless another was just picked.
   *
   * @param replyId which one is asked again of those side by side; without it, the one that is shown.
   */
  async askAgain(id: string, turnId: string, replyId?: string): Promise<Sent> {
    if (!(await this.#deps.ensureConnected())) {
      return notConnected;
    }
    const model = this.#modelOf(turnId, replyId);
    return model === undefined
      ? { ok: false, reason: 'No model is chosen.' }
      : this.#spent(await this.#withConsent((host) => this.#chat.sendAgain(id, turnId, model, host, replyId)), model);
  }

  /** Sends the question of a turn once more, to a model the person picks for it. Leaving the picker sends nothing. */
  async askOther(id: string, turnId: string, replyId?: string): Promise<Sent> {
    if (!(await this.#deps.ensureConnected())) {
      return notConnected;
    }
    const model = await this.#deps.pickModel(
      'Ask Another Model (a New Paid Call)',
      this.#answered(turnId, replyId)?.model,
    );
    return model === undefined
      ? { ok: false, reason: 'No model was picked, and nothing was sent.' }
      : this.#spent(await this.#withConsent((host) => this.#chat.sendAgain(id, turnId, model, host, replyId)), model);
  }

  /** Asks the model of a reply that reached its length limit to go on. */
  async goOn(id: string, turnId: string): Promise<Sent> {
    if (!(await this.#deps.ensureConnected())) {
      return notConnected;
    }
    const model = this.#modelOf(turnId);
    return model === undefined
      ? { ok: false, reason: 'No model is chosen.' }
      : this.#spent(
          await this.#withConsent((host) => this.#chat.askAfter(id, turnId, continueQuestion, model, host)),
          model,
        );
  }

  /** What was just picked, else what answered there. */
  #modelOf(turnId: string, replyId?: string): string | undefined {
    return this.#picked ?? this.#answered(turnId, replyId)?.model ?? this.model;
  }

  #answered(turnId: string, replyId?: string): Reply | undefined {
    const turn = this.#chat.conversation.turns.find((each) => each.id === turnId);
    return turn?.replies.find(({ id }) => id === replyId) ?? (turn && shownReply(turn));
  }

  #spent(sent: Sent, ...models: readonly string[]): Sent {
    if (sent.ok) {
      this.#picked = undefined;
      this.#kept = undefined;
      for (const model of models.toReversed()) {
        // A memory that can not be written costs the place among the recent ones, not the answer.
        this.#deps.catalogue.used(model).catch(() => undefined);
      }
    }
    return sent;
  }

  /** A conversation goes to another gateway than before only when the person says so. */
  async #withConsent(send: (host?: string) => Promise<Sent>): Promise<Sent> {
    const sent = await send();
    if (sent.ok || sent.otherHost === undefined) {
      return sent;
    }
    const proceed = `Send to ${sent.otherHost}`;
    const detail = 'All of the conversation goes along, with its code, and the call is charged there.';
    const answer = await showWarningMessage(sent.reason, { modal: true, detail }, proceed);
    return answer === proceed ? send(sent.otherHost) : sent;
  }
}
