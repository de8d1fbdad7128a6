import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { type CodeContext, continueQuestion, newPieces } from '../../core/chat/context/prompt.ts';
import { shownReply } from '../../core/chat/conversation/branches.ts';
import { modelToContinueWith } from '../../core/chat/conversation/comparison.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import type { FindSender } from '../../core/chat/sending/callGate.ts';
import {
  type Action,
  type Asked,
  type Chat,
  type Question,
  type Sent,
  stoppedInTime,
} from '../../core/chat/sending/chat.ts';
import { whyNotReady } from '../../core/connections/connection.ts';
import type { OwnCaller } from '../../core/usage/ledgerLine.ts';
import type { UnscannedFiles } from '../sending/questionSecrets.ts';
import { type Gateways, SendReview, type ShowReview } from '../sending/sendReview.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage } from '../ui/messages.ts';

/** A question, the gateway that was shown to the person for it, and what asks it. */
type Addressed = Question & Pick<Action, 'host' | 'findSender' | 'caller'>;

/** The question of a command, which begins a conversation or goes on with one. */
export type CommandQuestion = {
  readonly caller: OwnCaller;
  readonly question: string;
  readonly contexts: readonly CodeContext[];
  readonly model: string;
  /** The gateway that was shown to the person. */
  readonly host: string | undefined;
};

/** Makes the paid calls of one conversation: ensures a connection, finds the model and has the question reviewed. */
export class PaidCalls {
  readonly review: SendReview;
  readonly #chat: Chat;
  readonly #gateways: Gateways;
  readonly #log: Pick<Log, 'defect'>;
  /**
   * The model picked for the next question, or the models to compare. That question clears it, since its reply then has
   * the model to continue with.
   */
  #picked: readonly string[] = [];
  /** The model of the reply that was chosen last in a comparison, until the next call. */
  #chosen: string | undefined;

  constructor(
    chat: Chat,
    gateways: Gateways,
    log: Pick<Log, 'defect'>,
    unscanned: Pick<UnscannedFiles, 'add'>,
    show: ShowReview,
  ) {
    this.#chat = chat;
    this.#gateways = gateways;
    this.#log = log;
    this.review = new SendReview(chat.live, gateways, unscanned, show);
  }

  /** Exact id of the model the next question is sent to; undefined when none is chosen yet. */
  get model(): string | undefined {
    return (
      this.#picked[0] ??
      this.#chosen ??
      modelToContinueWith(this.#chat.live.conversation) ??
      this.#gateways.catalogue.modelToAsk
    );
  }

  /** The models that the next question is compared with; empty for a question to one model. An edited one goes to one. */
  get compared(): readonly string[] {
    return this.#picked.length > 1 && this.#chat.live.conversation.edit === undefined ? this.#picked : [];
  }

  /** Sends the next question to the first of the compared models only. */
  cancelComparison(): void {
    this.#picked = this.#picked.slice(0, 1);
  }

  /** Lets the person pick the model for the next call. */
  async pickModel(): Promise<void> {
    const model = await this.#gateways.pickModel(l10n.t('Model for This Conversation'));
    this.#picked = model === undefined ? this.#picked : [model];
  }

  /** Sends the next question to the model of a chosen reply, whatever was picked before. */
  continueWith(model: string): void {
    this.#picked = [];
    this.#chosen = model;
  }

  /**
   * Asks the question of a command. One that can't be sent is put into the composer, so that no text is lost, unless its
   * answer is used outside of the panel.
   *
   * @param findSender see `Action`.
   */
  async ask(asked: CommandQuestion, findSender: FindSender, isUnseen = false): Promise<Sent> {
    const { question, model } = asked;
    let { contexts } = asked;
    const sent = await this.#start(crypto.randomUUID(), async () => {
      // Scanned only in the action, so that no other question begins in this panel meanwhile.
      const masked = this.#chat.live.mask({ text: question, contexts });
      contexts = masked.contexts;
      if (!isUnseen) {
        this.#chat.live.saveUnsent(masked);
      }
      return { ...asked, kind: 'ask', question: masked.text, contexts, findSender };
    });
    if (!sent.ok && !isUnseen) {
      this.offer(question, contexts, model);
      if (!sent.isStopped) {
        void showErrorMessage(sentences(l10n.t("Your question wasn't sent."), sent.reason));
      }
    }
    return sent;
  }

  /** Puts a first question into the composer, for the person to send. */
  offer(question: string, contexts: readonly CodeContext[], model: string): void {
    this.#picked = [model];
    this.#chat.live.compose({ text: question, contexts });
  }

  /**
   * Adds context to the composer and selects the model for the next question, or the models to compare. While nothing is
   * typed, selections that were added earlier are replaced, because the person means the code that is selected now.
   */
  prepare(contexts: readonly CodeContext[], models: readonly string[]): void {
    this.#picked = models;
    const masked = this.#chat.live.scan(contexts);
    const { text, contexts: earlier } = this.#chat.live.composed;
    const remaining = text.trim() === '' ? earlier.filter(({ kind }) => kind !== 'selection') : earlier;
    const added = newPieces(masked, remaining);
    this.#chat.live.setDraft({ contexts: [...remaining, ...added] });
  }

  /**
   * Sends the question in the composer.
   *
   * @param host the gateway that the composer said it is sent to instead of the earlier one.
   */
  async askDraft(id: string, host?: string): Promise<Sent> {
    const draft = this.#draft();
    if (draft.question.trim() === '') {
      return { ok: false, reason: l10n.t('Enter a question.') };
    }
    const { compared: models } = this;
    const { question, contexts } = draft;
    return models.length > 0
      ? this.#connected(id, async () => ({ kind: 'compare', question, contexts, models, host }))
      : this.#pay(id, () => this.model ?? this.#gateways.pickModel(), { ...draft, host });
  }

  /** The question in the composer. */
  #draft() {
    const { composed, conversation } = this.#chat.live;
    const { text: question, contexts } = composed;
    const { edit } = conversation;
    return edit
      ? ({ kind: 'instead', turnId: edit.turnId, question, contexts } as const)
      : ({ kind: 'ask', question, contexts } as const);
  }

  /**
   * Sends the question of a turn again, to the same model unless another one was just picked. If the reply continues an
   * answer, that is continued again.
   *
   * @param replyId the reply to replace, where replies are side by side; the shown one by default.
   * @param prepare runs before the call.
   * @param isTooLong whether the gateway refused it for its length. The person chooses which parts are sent then.
   */
  askAgain(id: string, turnId: string, replyId?: string, prepare?: () => Promise<void>, isTooLong = false) {
    return this.#pay(
      id,
      async () => {
        await prepare?.();
        return this.#modelOf(turnId, replyId);
      },
      this.answered(turnId, replyId)?.continues
        ? this.#continuing(turnId, replyId)
        : { kind: 'again', turnId, replyId },
      undefined,
      isTooLong ? this.answered(turnId, replyId) : undefined,
    );
  }

  /** Sends the question of a turn again, to a model the person picks. Cancelling the picker sends nothing. */
  askOther(id: string, turnId: string, replyId?: string): Promise<Sent> {
    return this.#pay(
      id,
      () =>
        this.#gateways.pickModel(l10n.t('Ask Another Model (New Paid Call)'), this.answered(turnId, replyId)?.model),
      { kind: 'again', turnId, replyId },
      l10n.t('No model was selected. Nothing was sent.'),
    );
  }

  /** Asks the model to continue an answer that was cut. */
  continueReply(id: string, turnId: string, replyId?: string): Promise<Sent> {
    return this.#pay(id, () => this.#modelOf(turnId, replyId), this.#continuing(turnId, replyId));
  }

  #continuing(turnId: string, replyId = this.answered(turnId)?.id ?? ''): Asked {
    return { kind: 'continue', turnId, replyId, asking: continueQuestion() };
  }

  /** Makes the call of an action, unless it is stopped before. The page has left out repeated clicks and keys. */
  #pay(
    id: string,
    findModel: () => string | undefined | Promise<string | undefined>,
    asked: Asked & Pick<Action, 'host'>,
    withoutModel = l10n.t('No model is selected.'),
    refused?: Reply,
  ): Promise<Sent> {
    return this.#connected(
      id,
      async () => {
        const model = await findModel();
        return model === undefined ? withoutModel : { model, ...asked };
      },
      refused,
    );
  }

  /** Like `#start`, with the connection and its key, which the person is asked for if they are missing. */
  #connected(id: string, find: () => Promise<Addressed | string>, refused?: Reply): Promise<Sent> {
    const isConnected = () => this.#gateways.ensureConnected();
    return this.#start(
      id,
      async () => ((await isConnected()) ? find() : whyNotReady({ status: 'disconnected' })),
      refused,
    );
  }

  /** @param find resolves to the question, or to what is missing since the person cancelled. */
  async #start(id: string, find: () => Promise<Addressed | string>, refused?: Reply): Promise<Sent> {
    try {
      return await this.#chat.start(id, async (signal) => {
        const found = await find();
        if (typeof found === 'string') {
          return { ok: false, reason: found, isStopped: true };
        }
        let action = await this.review.confirm({ id, ...found }, signal, refused);
        while (action) {
          const sent = await this.#send(action);
          if (sent.ok || !(sent.isOutdated || sent.otherHost)) {
            return sent;
          }
          action = await this.review.confirm(action, signal, undefined, sent.otherHost);
        }
        return stoppedInTime();
      });
    } catch (error) {
      this.#log.defect('A paid call', error);
      return { ok: false, reason: messageOf(error) };
    }
  }

  async #send(action: Action): Promise<Sent> {
    const sent = await this.#chat.send(action);
    if (sent.ok) {
      this.#picked = [];
      this.#chosen = undefined;
      for (const model of 'models' in action ? action.models.toReversed() : [action.model]) {
        // If this can't be saved, the model is only missing from the recent ones.
        this.#gateways.catalogue.used(model).catch(() => undefined);
      }
    }
    return sent;
  }

  /** The model that was just picked, otherwise the model of the reply. */
  #modelOf(turnId: string, replyId?: string): string | undefined {
    return (
      (this.#picked.length === 1 ? this.#picked[0] : undefined) ?? this.answered(turnId, replyId)?.model ?? this.model
    );
  }

  /** The reply of a turn with this id; the shown one by default. */
  answered(turnId: string, replyId?: string): Reply | undefined {
    const turn = this.#chat.live.conversation.turns.find((each) => each.id === turnId);
    return turn?.replies.find(({ id }) => id === replyId) ?? (turn && shownReply(turn));
  }
}
