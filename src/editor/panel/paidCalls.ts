import { type CodeContext, continueQuestion } from '../../core/chat/context/prompt.ts';
import { shownReply } from '../../core/chat/conversation/branches.ts';
import { modelToGoOn } from '../../core/chat/conversation/comparison.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { type Asked, stoppedInTime } from '../../core/chat/sending/action.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { Sent } from '../../core/chat/sending/chatPorts.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { showWarningMessage } from '../ui/messages.ts';

export type PaidCallsDeps = {
  readonly catalogue: Catalogue;
  /**
   * Lets the person pick a model, another one than `than` when that is named. @returns its exact id; undefined when they
   * left.
   */
  readonly pickModel: (title?: string, than?: string) => Promise<string | undefined>;
  /** Leads to the missing step when there is no connection or no key. @returns false when the person left. */
  readonly ensureConnected: () => Promise<boolean>;
  readonly paid: Pick<PaidActions, 'once'>;
};

/** An action on its way to its request. */
type Starting = { isStopped: boolean };

/** Said where the panel would wait for an answer, or empty its box, although nothing more was sent. */
const justSent: Sent = { ok: false, reason: 'The same was sent a moment ago. Wait a second to send it again.' };
const notConnected: Sent = { ok: false, reason: 'There is no connection with a key.' };

/** Everything in one conversation that ends in a paid call: what it needs first, with which model, and to whom. */
export class PaidCalls {
  readonly #chat: Chat;
  readonly #deps: PaidCallsDeps;
  /** Picked here for the next call; after that the conversation goes on with it by itself. */
  #picked: string | undefined;
  /** Of the answer that was kept last, until the next call. */
  #kept: string | undefined;
  /** Actions on their way to a request, by id. */
  readonly #starting = new Map<string, Starting>();

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

  /** Id of the action that is on its way to its request, if any; see `stop`. */
  get starting(): string | undefined {
    return this.#starting.keys().next().value;
  }

  /**
   * Ends what runs. An action whose request has not left, whatever it still waits for, sends nothing.
   *
   * @param id that of an action or of a reply; without it, all of them.
   */
  stop(id?: string): void {
    for (const [each, action] of this.#starting) {
      action.isStopped ||= id === undefined || each === id;
    }
    this.#chat.stop(id);
  }

  /**
   * Asks the first question, of several models when there are several. What can't be sent becomes the draft, so that no
   * text is lost.
   *
   * @param host where the person means it to go.
   */
  async ask(
    question: string,
    contexts: readonly CodeContext[],
    models: readonly string[],
    host?: string,
  ): Promise<Sent> {
    const id = crypto.randomUUID();
    const [model, ...others] = models;
    const asked =
      model !== undefined && others.length === 0
        ? ({ kind: 'ask', model } as const)
        : ({ kind: 'compare', models } as const);
    this.#chat.keepUnsent({ text: question, contexts });
    const send = (agreed = host) => this.#chat.send({ id, host: agreed, question, contexts, ...asked });
    const sent = await this.#stoppable(id, (action) => this.#withConsent(action, send)).catch(
      (error: unknown): Sent => ({ ok: false, reason: error instanceof Error ? error.message : String(error) }),
    );
    if (!sent.ok) {
      await this.keep(question, contexts, model);
      return sent;
    }
    return this.#spent(sent, ...models);
  }

  /** Makes a first question the draft, to be sent by the person. */
  async keep(question: string, contexts: readonly CodeContext[], model: string | undefined): Promise<Sent> {
    this.#picked = model;
    this.#chat.setDraft({ text: question, contexts });
    return stoppedInTime;
  }

  /** Sends what stands in the composer. */
  async askDraft(id: string): Promise<Sent> {
    const { draft, edit } = this.#chat.conversation;
    const { text, contexts } = edit ?? draft;
    if (text.trim() === '') {
      return { ok: false, reason: 'There is no question yet.' };
    }
    const identity = ['send', edit?.turnId, text, contexts.map((context) => context.id), this.model];
    return this.#pay(
      id,
      identity,
      () => this.model ?? this.#deps.pickModel(),
      edit
        ? { kind: 'instead', turnId: edit.turnId, question: text, contexts }
        : { kind: 'ask', question: text, contexts },
    );
  }

  /**
   * Sends the question of a turn once more, to the model it went to before unless another was just picked.
   *
   * @param replyId which one is asked again of those side by side; without it, the one that is shown.
   * @param prepare what has to be done first.
   */
  askAgain(id: string, turnId: string, replyId?: string, prepare?: () => Promise<void>): Promise<Sent> {
    return this.#pay(
      id,
      [prepare ? 'againOtherwise' : 'again', turnId, replyId, this.#picked, this.#replies],
      async () => {
        await prepare?.();
        return this.#modelOf(turnId, replyId);
      },
      { kind: 'again', turnId, replyId },
    );
  }

  /** Sends the question of a turn once more, to a model the person picks for it. Leaving the picker sends nothing. */
  askOther(id: string, turnId: string, replyId?: string): Promise<Sent> {
    return this.#pay(
      id,
      ['other', turnId, replyId, this.#replies],
      () => this.#deps.pickModel('Ask Another Model (a New Paid Call)', this.#answered(turnId, replyId)?.model),
      { kind: 'again', turnId, replyId },
      'No model was picked, and nothing was sent.',
    );
  }

  /** Asks the model of a reply that reached its length limit to go on. */
  goOn(id: string, turnId: string): Promise<Sent> {
    return this.#pay(id, ['continue', turnId, this.#picked, this.#replies], () => this.#modelOf(turnId), {
      kind: 'after',
      turnId,
      question: continueQuestion,
    });
  }

  /**
   * Takes an action to its call: once, also when it comes again, and not at all when it is stopped first.
   *
   * @param identity what tells it from the other actions in this conversation.
   */
  #pay(
    id: string,
    identity: readonly unknown[],
    findModel: () => string | undefined | Promise<string | undefined>,
    asked: Asked,
    withoutModel = 'No model is chosen.',
  ): Promise<Sent> {
    const run = async (action: Starting): Promise<Sent> => {
      if (!(await this.#deps.ensureConnected())) {
        return notConnected;
      }
      const model = await findModel();
      return model === undefined
        ? { ok: false, reason: withoutModel }
        : this.#spent(await this.#withConsent(action, (host) => this.#chat.send({ id, host, model, ...asked })), model);
    };
    const { id: conversation } = this.#chat.conversation;
    return this.#deps.paid.once(
      [conversation, ...identity],
      () => this.#stoppable(id, run),
      ({ ok }) => ok,
      justSent,
    );
  }

  async #stoppable(id: string, run: (action: Starting) => Promise<Sent>): Promise<Sent> {
    const action: Starting = { isStopped: false };
    this.#starting.set(id, action);
    try {
      return await run(action);
    } finally {
      this.#starting.delete(id);
    }
  }

  /**
   * How many replies there are. A button of a conversation that has another one by now is another decision: the panel
   * has let it rest after the one before.
   */
  get #replies(): number {
    return this.#chat.conversation.turns.reduce((sum, { replies }) => sum + replies.length, 0);
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
  async #withConsent(action: Starting, send: (host?: string) => Promise<Sent>): Promise<Sent> {
    const sent = action.isStopped ? stoppedInTime : await send();
    if (sent.ok || sent.otherHost === undefined) {
      return sent;
    }
    const proceed = `Send to ${sent.otherHost}`;
    const detail = 'All of the conversation goes along, with its code, and the call is charged there.';
    const answer = await showWarningMessage(sent.reason, { modal: true, detail }, proceed);
    if (answer !== proceed) {
      return sent;
    }
    return action.isStopped ? stoppedInTime : send(sent.otherHost);
  }
}
