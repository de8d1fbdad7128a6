import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import { assumedAnswerTokens, type CostRange, totalCosts, totalText } from '../../core/base/costRange.ts';
import { localization, numberText, sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { type CodeContext, continueQuestion, newPieces } from '../../core/chat/context/prompt.ts';
import { replyIn, turnToFollow } from '../../core/chat/conversation/branches.ts';
import { modelToContinueWith } from '../../core/chat/conversation/comparison.ts';
import { type Draft, lastReply, type Reply } from '../../core/chat/conversation/conversation.ts';
import { answerOf, continuing, sentContexts } from '../../core/chat/conversation/messagesFor.ts';
import {
  contextWindowOf,
  proposedLeftOut,
  requestParts,
  statedWindow,
  tokensOf,
} from '../../core/chat/conversation/requestParts.ts';
import { requestOptions, sentPrompt, tokenLimitOf } from '../../core/chat/conversation/sentParameters.ts';
import type { LeftOut } from '../../core/chat/conversation/storedParts.ts';
import type { MaskedSecret } from '../../core/chat/masking/maskedDraft.ts';
import type { FindSender, Senders } from '../../core/chat/sending/callGate.ts';
import {
  type Action,
  type Asked,
  type Chat,
  otherGatewayText,
  planOf,
  type Sent,
  stoppedInTime,
} from '../../core/chat/sending/chat.ts';
import type { QuestionCosts } from '../../core/chat/sending/questionCosts.ts';
import { type Connection, whyNotReady } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { changeAfterRejection } from '../../core/connections/questionDefaults.ts';
import { advice, adviceText, openPageText } from '../../core/errors/advice.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { Model } from '../../core/models/list/model.ts';
import type { KeyRemover } from '../../core/secrets/keyRemover.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import type { OwnCaller } from '../../core/usage/ledgerLine.ts';
import type { Limiter } from '../../core/usage/limits.ts';
import { type PayingAction, type ReviewAnswer, type ReviewView, reviewAnswers } from '../../protocol/protocol.ts';
import { kindText } from '../models/modelItem.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { pickRow } from '../ui/quickPick.ts';
import { runCommand } from '../ui/registrations.ts';
import { chooseParts, type Request } from './chooseParts.ts';
import { hasKey, onlyFile, secretsText, type UnscannedFiles } from './questionSecrets.ts';

/** What a question is sent with: the connections with their models, accounts and prices, and the ways to use them. */
export type Gateways = {
  readonly connections: Connections;
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly costs: QuestionCosts;
  readonly ledger: () => Ledger;
  readonly limiter: Pick<Limiter, 'refusal' | 'allowUnpriced'>;
  /** Removes the keys of connections. */
  readonly keys: KeyRemover;
  readonly senders: Senders;
  /** Asks for the connection or the key when it is missing. @returns false when the person cancelled. */
  readonly ensureConnected: () => Promise<boolean>;
  /** Lets the person pick a model other than `except`. @returns undefined when the person cancelled. */
  readonly pickModel: (title?: string, except?: string) => Promise<string | undefined>;
};

/** Something that speaks against sending a question. */
type Objection = {
  readonly kind: 'secret' | 'gateway' | 'model' | 'size' | 'price' | 'balance' | 'limit' | 'unpriced';
  readonly text: string;
  /** What can be done about it, besides sending the question as it is. */
  readonly answers?: readonly ReviewAnswer[];
  /** What isn't asked about again in the conversation once the question is sent. */
  readonly about: readonly string[];
  /** The amount up to which it isn't; by default, there is none. */
  readonly upTo?: number;
};

/**
 * Shows a review in the panel, or takes it away: undefined. @returns whether the panel is open, so that it can be
 * answered there.
 */
export type ShowReview = (review: ReviewView | undefined) => boolean;

/** A question, and what is known of its request already. */
type Unsent = Asked & Pick<Action, 'models' | 'host' | 'findSender' | 'caller'>;

/** The question of a command, which begins a conversation or goes on with one. */
export type CommandQuestion = {
  readonly caller: OwnCaller;
  readonly question: string;
  readonly contexts: readonly CodeContext[];
  readonly model: string;
  /** The gateway that was shown to the person. */
  readonly host: string | undefined;
};

/**
 * Makes the paid calls of one conversation: ensures a connection, finds the model, and reviews the question. All that
 * speaks against it is asked at once: above the question box, or in a list where no panel is open. What was answered isn't
 * asked again in the conversation: the same secret, gateway, model, and a price up to the same multiple of the setting.
 */
export class PaidCalls {
  readonly #chat: Chat;
  readonly #gateways: Gateways;
  readonly #log: Pick<Log, 'defect'>;
  readonly #unscanned: Pick<UnscannedFiles, 'add'>;
  readonly #show: ShowReview;
  /** The model picked for the next question, or the models to compare; that question clears it. */
  #picked: readonly string[] = [];
  /** The review that the panel shows, and what answers it. */
  #shown: { readonly review: ReviewView; readonly answer: (answer: ReviewAnswer | undefined) => void } | undefined;
  /** What the person was asked about, and up to which amount. */
  readonly #answered = new Map<string, number>();
  /** The masks of secrets that are sent as they are. */
  readonly #clear = new Set<string>();

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
    this.#unscanned = unscanned;
    this.#show = show;
  }

  /** Exact id of the model the next question is sent to; undefined when none is chosen yet. */
  get model(): string | undefined {
    return this.#picked[0] ?? modelToContinueWith(this.#chat.live.conversation) ?? this.#gateways.catalogue.modelToAsk;
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

  /** Sends the next question to the model of the shown reply, whatever was picked before. */
  forgetPicked(): void {
    this.#picked = [];
  }

  /**
   * Asks the question of a command. One that can't be sent is put into the composer, so that no text is lost, unless its
   * answer is used outside of the panel.
   *
   * @param findSender see `Action`.
   */
  async ask(asked: CommandQuestion, findSender: FindSender, isUnseen = false): Promise<Sent> {
    const { question, model, ...about } = asked;
    let { contexts } = asked;
    const sent = await this.#start(crypto.randomUUID(), async () => {
      // Scanned only in the action, so that no other question begins in this panel meanwhile.
      const masked = this.#chat.live.mask({ text: question, contexts });
      contexts = masked.contexts;
      if (!isUnseen) {
        this.#chat.live.saveUnsent(masked);
      }
      return { ...about, models: [model], question: masked.text, contexts, findSender };
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
    this.#chat.live.setDraft({ contexts: [...remaining, ...newPieces(masked, remaining)] });
  }

  /**
   * Sends the question in the composer.
   *
   * @param host the gateway that the composer said it is sent to instead of the earlier one.
   */
  async askDraft(id: string, host?: string): Promise<Sent> {
    const { composed, conversation } = this.#chat.live;
    const { text: question, contexts } = composed;
    if (question.trim() === '') {
      return { ok: false, reason: l10n.t('Enter a question.') };
    }
    const { compared } = this;
    const asked = { question, contexts, ...(conversation.edit && { instead: conversation.edit.turnId }), host };
    return this.#pay(id, asked, async () => {
      return compared.length > 0 ? compared : [this.model ?? (await this.#gateways.pickModel())];
    });
  }

  /**
   * Sends the question of a turn again, or asks for the rest of its answer, to the same model unless another one was just
   * picked. An answer that was continued is continued again, except by another model.
   *
   * @param replyId the reply to replace, where replies are side by side; the shown one by default.
   */
  askAgain(id: string, action: PayingAction, turnId: string, replyId?: string): Promise<Sent> {
    const reply = this.answered(turnId, replyId);
    const isRest = action === 'continue' || (action !== 'askOther' && reply?.continues !== undefined);
    const asked = { turnId, replyId, ...(isRest && { asking: continueQuestion() }) };
    const findModels = async () => {
      if (action === 'askOther') {
        return [await this.#gateways.pickModel(l10n.t('Ask Another Model (New Paid Call)'), reply?.model)];
      }
      await this.#omitRejected(action, reply);
      const [picked] = this.#picked.length === 1 ? this.#picked : [];
      return [picked ?? reply?.model ?? this.model];
    };
    // Of what is too long, the person chooses the parts.
    return this.#pay(id, asked, findModels, action === 'chooseParts' ? reply : undefined);
  }

  /** Remembers that a gateway rejects the option to send token counts, or a parameter for the model of a reply. */
  async #omitRejected(action: PayingAction, reply: Reply | undefined): Promise<void> {
    const { connections, senders } = this.#gateways;
    const { active } = connections;
    if (active && action === 'sendWithoutUsage') {
      await senders.omitUsage(active.id);
    } else if (active && action === 'sendWithoutParameter' && reply?.problem?.kind === 'parameterRejected') {
      const change = changeAfterRejection(active.modelParameters?.get(reply.model), reply.problem);
      await connections.setParameters(active, reply.model, change);
    }
  }

  /** Makes the calls of an action, unless it is stopped before. The page has left out repeated clicks and keys. */
  #pay(
    id: string,
    asked: Asked & Pick<Action, 'host'>,
    findModels: () => Promise<readonly (string | undefined)[]>,
    refused?: Reply,
  ): Promise<Sent> {
    const find = async () => {
      if (!(await this.#gateways.ensureConnected())) {
        return whyNotReady({ status: 'disconnected' });
      }
      const models = (await findModels()).filter((model) => model !== undefined);
      return models.length === 0 ? l10n.t('No model was selected. Nothing was sent.') : { ...asked, models };
    };
    return this.#start(id, find, refused);
  }

  /** @param find resolves to the question, or to what is missing since the person cancelled. */
  async #start(id: string, find: () => Promise<Unsent | string>, refused?: Reply): Promise<Sent> {
    try {
      return await this.#chat.start(id, async (signal) => {
        const found = await find();
        if (typeof found === 'string') {
          return { ok: false, reason: found, isStopped: true };
        }
        let action = await this.review({ id, ...found }, signal, refused);
        while (action) {
          const sent = await this.#chat.send(action);
          if (sent.ok) {
            this.#noteSent(action);
            return sent;
          }
          if (!sent.isOutdated && !sent.otherHost) {
            return sent;
          }
          action = await this.review(action, signal, undefined, sent.otherHost);
        }
        return stoppedInTime();
      });
    } catch (error) {
      this.#log.defect('A paid call', error);
      return { ok: false, reason: messageOf(error) };
    }
  }

  #noteSent({ models }: Action): void {
    this.#picked = [];
    for (const model of models.toReversed()) {
      // If this can't be saved, the model is only missing from the recent ones.
      this.#gateways.catalogue.used(model).catch(() => undefined);
    }
  }

  /** The reply of a turn with this id; the shown one by default. */
  answered(turnId: string, replyId?: string): Reply | undefined {
    const turn = this.#chat.live.conversation.turns.find((each) => each.id === turnId);
    return turn && replyIn(turn, replyId);
  }

  /** Answers the review that the panel shows. An answer to an earlier one is ignored. */
  answerReview(id: string, answer: ReviewAnswer): void {
    if (this.#shown?.review.id === id && this.#shown.review.answers.some((each) => each.answer === answer)) {
      this.#shown.answer(answer);
    }
  }

  /** Cancels the review that the panel shows, because its page is gone. */
  cancelReview(): void {
    this.#shown?.answer(undefined);
  }

  /** A masked question as it would be sent: with the secrets that the person wanted to send. */
  revealed(draft: Draft): Draft {
    return this.#clear.size === 0 ? draft : this.#chat.live.unmask(draft, this.#clear);
  }

  /**
   * Asks about all that speaks against an action, again after each answer, until nothing does.
   *
   * @param refused the reply with which the gateway refused the same request for its length. Then the person chooses
   * what to send in any case.
   * @param otherHost the gateway that it turned out to be for.
   * @returns what to send; undefined if the person cancelled.
   */
  async review(action: Action, signal: AbortSignal, refused?: Reply, otherHost?: string): Promise<Action | undefined> {
    const isDraft = 'contexts' in action && action.contexts === this.#chat.live.composed.contexts;
    const { connections, pickModel } = this.#gateways;
    let current: Action | undefined = action;
    if (refused && hasChoice(this.#requests(action, refused))) {
      current = await this.#choose(action, signal, refused);
    }
    while (current && !signal.aborted) {
      if (isDraft && 'contexts' in current) {
        // What is in the box now: context can be added and removed while the review is shown.
        current = { ...current, question: this.#chat.live.composed.text, contexts: this.#chat.live.composed.contexts };
      }
      const requests = this.#requests(current, refused);
      const { active } = connections;
      // As far as it is known before the key is read.
      const host = otherHost ?? (current.findSender ? undefined : active?.url.host);
      // What isn't possible at all is refused later, with the reason.
      const objections = requests.length > 0 ? await this.#objections(current, requests, host, refused) : [];
      if (objections.length === 0) {
        return signal.aborted ? undefined : this.#ready({ ...current, follows: requests[0]?.after }, host);
      }
      const answer = await this.#askReview(reviewOf(objections, requests), signal);
      const isOtherHost = objections.some(({ kind }) => kind === 'gateway');
      switch (answer) {
        case 'send':
        case 'mask':
          await this.#remember(current, objections, answer);
          current = isOtherHost ? { ...current, host, findSender: undefined } : current;
          break;
        case 'choose':
          current = await this.#choose(current, signal);
          break;
        case 'model': {
          const model = await pickModel(l10n.t('Choose Another Model'), current.models[0]);
          current = model === undefined ? undefined : { ...current, models: [model] };
          break;
        }
        case undefined:
          return undefined;
        default:
          await this.#leaveUnsent(answer, current, active);
          return undefined;
      }
    }
    return undefined;
  }

  /** Opens what an answer is about, instead of sending the question. */
  async #leaveUnsent(
    answer: 'neverScan' | 'wallet' | 'limit',
    action: Action,
    active: Connection | undefined,
  ): Promise<void> {
    if (answer === 'neverScan') {
      const uri = onlyFile(this.#secretsOf(action));
      await (uri && this.#unscanned.add(uri));
      this.#chat.live.maskAgain();
    } else if (answer === 'wallet') {
      // The person is likely to change the balance there.
      await (active && this.#gateways.accounts.forget(active));
      await runCommand('askModel.openConsole', active?.id, 'wallet');
    } else {
      await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.dailyLimit');
    }
  }

  /** Asks in the panel if it is open, or else in a list. */
  async #askReview(review: ReviewView, signal: AbortSignal): Promise<ReviewAnswer | undefined> {
    if (signal.aborted) {
      return undefined;
    }
    if (!this.#show(review)) {
      return pickAnswer(review, signal);
    }
    const answer = await new Promise<ReviewAnswer | undefined>((resolve) => {
      this.#shown = { review, answer: resolve };
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    this.#shown = undefined;
    this.#show(undefined);
    return answer;
  }

  /** The action with its secrets as the person wants to send them, for the place and the gateway that were looked at. */
  #ready(action: Action, host = action.host): Action {
    if (!('contexts' in action)) {
      return { ...action, host };
    }
    // What was typed during the review may have shown what is secret in the context.
    const masked = { text: action.question, contexts: this.#chat.live.scan(action.contexts) };
    const { text: question, contexts } = this.revealed(masked);
    return { ...action, host, question, contexts };
  }

  /** What speaks against an action that the person was not asked about yet. */
  async #objections(
    action: Action,
    requests: readonly Request[],
    host: string | undefined,
    refused?: Reply,
  ): Promise<readonly Objection[]> {
    const { conversation } = this.#chat.live;
    const costs = requests.map(({ model, tokens, after }) =>
      this.#gateways.costs.range(conversation, model, tokens, after),
    );
    const all = [
      ...this.#secret(action),
      ...this.#gateway(action, host),
      ...this.#models(action),
      ...sizeOf(requests, action.leftOut === undefined ? refused : undefined),
      ...priceOf(costs),
      ...this.#balance(costs),
      ...(await this.#limit(requests)),
    ];
    return all.filter(({ about, upTo = 1 }) => about.length === 0 || about.some((each) => this.#isNew(each, upTo)));
  }

  #isNew(about: string, upTo = 1): boolean {
    return (this.#answered.get(about) ?? 0) < upTo;
  }

  async #remember(action: Action, objections: readonly Objection[], answer: 'send' | 'mask'): Promise<void> {
    for (const { kind, about, upTo = 1 } of objections) {
      for (const each of about) {
        this.#answered.set(each, upTo);
        if (kind === 'secret' && answer === 'send') {
          this.#clear.add(each);
        }
      }
    }
    const connection = this.#gateways.connections.active?.id;
    if (connection !== undefined && objections.some(({ kind }) => kind === 'unpriced')) {
      await Promise.all(action.models.map((model) => this.#gateways.limiter.allowUnpriced({ connection, model })));
    }
  }

  /** The secrets in what an action sends that the person was not asked about yet. */
  #secretsOf(action: Action): readonly MaskedSecret[] {
    if (!('contexts' in action)) {
      return [];
    }
    const contexts = sentContexts(action.contexts, action.leftOut);
    return this.#chat.live.secretsIn({ text: action.question, contexts }).filter((each) => this.#isNew(secretId(each)));
  }

  #secret(action: Action): Objection[] {
    const secrets = this.#secretsOf(action);
    if (secrets.length === 0 || !('contexts' in action)) {
      return [];
    }
    const isInBox = action.contexts === this.#chat.live.composed.contexts;
    const answers: ReviewAnswer[] = [
      'mask',
      ...(hasKey(secrets) ? [] : (['send'] as const)),
      ...(isInBox && onlyFile(secrets) !== undefined ? (['neverScan'] as const) : []),
    ];
    return [{ kind: 'secret', text: secretsText(secrets), answers, about: secrets.map(secretId) }];
  }

  #gateway({ host: shown }: Action, host: string | undefined): Objection[] {
    const last = lastReply(this.#chat.live.conversation)?.host;
    const expected = shown ?? last;
    if (host === undefined || expected === undefined || expected === host) {
      return [];
    }
    const text = sentences(
      otherGatewayText(expected, host),
      l10n.t('The whole conversation, including code, is sent to {0} and charged there.', host),
    );
    return [{ kind: 'gateway', text, about: [`${expected} ${host}`] }];
  }

  #models(action: Action): Objection[] {
    const { catalogue } = this.#gateways;
    return action.models.flatMap((id): Objection[] => {
      const model = this.#listed(id);
      const text = catalogue.isGone(id)
        ? sentences(
            l10n.t("{0} isn't in this gateway's model list.", id),
            l10n.t('The gateway may reject the question or send it to another model.'),
          )
        : model && !model.isForChat
          ? sentences(
              l10n.t("{0} doesn't seem to be a chat model ({1}).", id, kindText(model.kind)),
              l10n.t('The gateway may reject the question, and may charge for it.'),
            )
          : undefined;
      const answers: ReviewAnswer[] = action.models.length > 1 ? [] : ['model'];
      return text === undefined ? [] : [{ kind: 'model', text, answers, about: [id] }];
    });
  }

  /** Never waits for the gateway: only what is known already is compared, and read for the next time if nothing is. */
  #balance(costs: readonly (CostRange | undefined)[]): Objection[] {
    const { connections, accounts } = this.#gateways;
    const { active } = connections;
    const facts = active && accounts.facts(active);
    void (active && facts === undefined && accounts.read(active));
    // What the requests may cost together; undefined if that is unknown, or their units differ.
    const [total, ...others] = totalCosts(costs);
    const most = others.length === 0 ? total : undefined;
    const cost = most && { amount: most.high ?? most.assumed ?? most.low, unit: most.unit };
    const shortage = active && accounts.shortage(active, cost);
    const text = shortage && sentences(shortage.text, shortage.detail);
    return text ? [{ kind: 'balance', text, answers: ['wallet'], about: [JSON.stringify(facts)] }] : [];
  }

  /** A daily limit that would be exceeded. Whether it is, is decided when the call begins. */
  async #limit(requests: readonly Request[]): Promise<Objection[]> {
    const { connections, limiter } = this.#gateways;
    const { active } = connections;
    if (active === undefined) {
      return [];
    }
    const host = active.url.host;
    const found: Objection[] = [];
    for (const { model, tokens: estimate } of requests) {
      const about = { connection: active.id, host, model, caller: { kind: 'panel' }, estimate } as const;
      const options = requestOptions(this.#chat.live.conversation, active, model);
      // What can't be read now fails again when the call begins, where it is reported.
      const problem = await limiter.refusal(about, { options }).catch(() => undefined);
      if (problem?.kind === 'limitUnchecked' && problem.cause === 'price') {
        const text = l10n.t(
          "You set a daily limit for costs, but no price of {0} is known for {1}, so this call can't be counted.",
          host,
          model,
        );
        found.push({ kind: 'unpriced', text, about: [] });
      } else if (problem) {
        const text = adviceText(advice(problem, { model, host }));
        return [{ kind: 'limit', text, about: [], answers: ['limit'] }];
      }
    }
    return found;
  }

  /** Lets the person choose what is sent. @returns undefined if the person cancelled. */
  async #choose(action: Action, signal: AbortSignal, refused?: Reply): Promise<Action | undefined> {
    const requests = this.#requests(action, refused);
    const request = largestOf(requests);
    if (request === undefined) {
      return action;
    }
    const { parts, factor, window, model } = request;
    const room = (window?.prompt ?? Number.POSITIVE_INFINITY) / factor;
    // What was refused was too long, whatever was estimated.
    const most = refused?.model === model ? Math.min(room, 0.75 * tokensOf(parts, refused.leftOut)) : room;
    const proposed = proposedLeftOut(parts, most, action.leftOut ?? this.#before(action));
    const leftOut = await chooseParts(request, proposed, requests.length, signal);
    if (leftOut === undefined) {
      return undefined;
    }
    // The person has seen this size.
    const size = ownNumber(sizeSetting);
    this.#answered.set(sizeSetting, size > 0 ? Math.floor((tokensOf(parts, leftOut) * factor) / size) : 0);
    const isAll = leftOut.turns.length === 0 && leftOut.contexts.length === 0;
    return { ...action, leftOut: isAll ? undefined : leftOut };
  }

  /** The requests of an action; none if it isn't possible. */
  #requests(action: Action, refused?: Reply): Request[] {
    const { conversation } = this.#chat.live;
    const plan = planOf(conversation, action);
    if ('reason' in plan) {
      return [];
    }
    const { turn, isNew, instead } = plan;
    const after = turnToFollow(conversation, isNew ? instead : turn.id);
    if (after === undefined) {
      return [];
    }
    const draft = { text: turn.question, contexts: turn.contexts };
    const following = plan.calls.flatMap(({ continues }) => (continues ? continuing(turn, continues) : []));
    return action.models.map((model) => {
      const set = [conversation, this.#gateways.connections.active, model] as const;
      const prompt = sentPrompt(...set)?.text;
      const facts = this.#listed(model);
      const stated = refused?.model === model ? statedWindow(refused.problem?.words) : undefined;
      const parts = requestParts(conversation, draft, after, prompt, following);
      return {
        model,
        after,
        parts,
        tokens: tokensOf(parts, action.leftOut),
        factor: this.#gateways.ledger().tokenFactor(model),
        window: contextWindowOf(
          stated === undefined ? facts : { ...facts, contextTokens: stated },
          tokenLimitOf(...set),
        ),
      };
    });
  }

  /** What was left out last, which is proposed again. */
  #before(action: Action): LeftOut | undefined {
    const { conversation } = this.#chat.live;
    if ('turnId' in action) {
      return this.answered(action.turnId, action.replyId)?.leftOut;
    }
    const after = turnToFollow(conversation);
    const turn = conversation.turns.find(({ id }) => id === after);
    return turn && answerOf(turn)?.leftOut;
  }

  #listed(id: string): Model | undefined {
    return this.#gateways.catalogue.view.models.get(id)?.model;
  }
}

/** Names a secret. All connection keys are the same, because none is ever sent. */
function secretId({ mask = 'connectionKey' }: MaskedSecret): string {
  return mask;
}

/** The request that takes most of its room. */
function largestOf(requests: readonly Request[]): Request | undefined {
  const share = ({ tokens, factor, window }: Request) => (window ? (tokens * factor) / window.prompt : 0);
  return requests.toSorted((one, other) => share(other) - share(one))[0];
}

function hasChoice(requests: readonly Request[]): boolean {
  return requests.some(({ parts }) => parts.turns.length + parts.contexts.length > 0);
}

/** The review of all that speaks against the requests of a question. */
function reviewOf(objections: readonly Objection[], requests: readonly Request[]): ReviewView {
  const isLimited = objections.some(({ kind }) => kind === 'limit');
  const own = new Set<ReviewAnswer>(objections.flatMap(({ answers = [] }) => answers));
  // With a secret, there are two ways to send.
  const isMasking = own.has('mask');
  const isOffered = (answer: ReviewAnswer) =>
    own.has(answer) || (answer === 'send' && !isMasking) || (answer === 'choose' && hasChoice(requests));
  return {
    id: crypto.randomUUID(),
    title: isLimited
      ? l10n.t("This question can't be sent")
      : requests.length === 1
        ? l10n.t('Send this question to {0}?', requests[0]?.model ?? '')
        : l10n.t('Send this question to {0} models?', numberText(requests.length)),
    objections: objections.map(({ text }) => text),
    answers: reviewAnswers
      .filter((answer) => (isLimited ? answer === 'limit' : isOffered(answer)))
      .map((answer) => offered(answer, isMasking)),
  };
}

/** How an answer is offered. @param isMasking whether secrets can be masked. */
function offered(answer: ReviewAnswer, isMasking: boolean): ReviewView['answers'][number] {
  const [label, hint] = {
    mask: [
      l10n.t('Mask and Send'),
      l10n.t('Masked, the model gets placeholders, and the values are put back into its answer on this screen.'),
    ],
    send: isMasking
      ? [l10n.t('Send As Is'), l10n.t('Sent as they are, the values are also stored in the conversation.')]
      : [l10n.t('Send')],
    choose: [l10n.t('Choose What to Send…')],
    model: [l10n.t('Choose Another Model…')],
    neverScan: [
      l10n.t('Never for This File'),
      l10n.t('Include the file as it is, and never look for secrets in it in this workspace.'),
    ],
    wallet: [openPageText('wallet')],
    limit: [l10n.t('Raise Limit…')],
  }[answer];
  return { answer, label: label ?? '', ...(hint !== undefined && { hint }) };
}

const sizeSetting = 'askModel.context.confirmTokens';
const priceSetting = 'askModel.confirmPrice';

/** @param refused the reply with which the gateway refused the same request for its length. */
function sizeOf(requests: readonly Request[], refused: Reply | undefined): Objection[] {
  const request = largestOf(requests);
  if (request === undefined) {
    return [];
  }
  const { model, factor, window } = request;
  const tokens = Math.round(request.tokens * factor);
  const about = l10n.t('It has about {0} tokens.', numberText(tokens));
  if (refused?.model === model || (window !== undefined && tokens > window.prompt)) {
    const text = sentences(
      l10n.t("The question doesn't fit into the context window of {0}.", model),
      window
        ? l10n.t(
            'It has about {0} tokens. The window has {1}, of which {2} are reserved for the answer.',
            numberText(tokens),
            numberText(window.size),
            numberText(window.size - window.prompt),
          )
        : about,
      l10n.t('The gateway may reject it.'),
    );
    return [{ kind: 'size', text, about: [`${sizeSetting} ${model}`] }];
  }
  // The tokens from which on the person wants to be asked; 0 for never.
  const size = ownNumber(sizeSetting);
  const sizes = size > 0 ? Math.floor(tokens / size) : 0;
  const reason = l10n.t("You're asked from {0} tokens on (setting {1}).", numberText(size), sizeSetting);
  return sizes > 0 ? [{ kind: 'size', text: sentences(about, reason), about: [sizeSetting], upTo: sizes }] : [];
}

/** @param costs what each request may cost. */
function priceOf(costs: readonly (CostRange | undefined)[]): Objection[] {
  const limit = ownNumber(priceSetting);
  const totals = totalCosts(costs);
  return totals.flatMap(({ low, assumed = low, high = assumed, unit }): Objection[] => {
    if (limit === 0 || high <= limit) {
      return [];
    }
    // A conversation grows, so that each of its questions costs a little more than the last one.
    const upTo = Math.ceil(high / limit) * limit;
    // What is assumed is what the person is asked for.
    const shown = costs.map((each) => each && { ...each, high: each.high ?? each.assumed });
    const text = sentences(
      l10n.t('Estimated cost: {0}.', totalText(shown)),
      costs.some((cost) => cost?.assumed !== undefined) &&
        l10n.t('With few answers so far, {0} output tokens are assumed.', numberText(assumedAnswerTokens)),
      l10n.t(
        "You're asked above {0} (setting {1}). Up to {2}, you won't be asked again in this conversation.",
        exactMoneyText({ amount: limit, unit }),
        priceSetting,
        exactMoneyText({ amount: upTo, unit }),
      ),
    );
    return [{ kind: 'price', text, about: [`${priceSetting} ${unit}`], upTo }];
  });
}

/**
 * Asks in a list, in which no answer is selected at first, so that an Enter that was pressed before sends nothing. Each
 * sentence has a row of its own, because VS Code cuts a row off at the width of the list.
 */
export async function pickAnswer(
  { title, objections, answers }: Omit<ReviewView, 'id'>,
  signal?: AbortSignal,
): Promise<ReviewAnswer | undefined> {
  const bySentence = new Intl.Segmenter(localization().language, { granularity: 'sentence' });
  const { value } = await pickRow<ReviewAnswer | 'cancel'>({
    title,
    placeholder: l10n.t('Nothing is sent until you choose an answer.'),
    rows: [
      ...objections.flatMap((text) =>
        Array.from(bySentence.segment(text), ({ segment, index }) => {
          return { label: segment.trim(), iconPath: new vscode.ThemeIcon(index === 0 ? 'warning' : 'blank') };
        }),
      ),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      ...answers.map(({ answer, label, hint }) => ({
        label,
        ...(hint !== undefined && { detail: hint }),
        value: answer,
      })),
      { label: l10n.t('Cancel'), value: 'cancel' },
    ],
    signal,
  });
  return value === 'cancel' ? undefined : value;
}

/** A number above 0 from a setting, or else 0. A workspace must not change it. */
function ownNumber(setting: string): number {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect<unknown>(setting) ?? {};
  const value = globalValue ?? defaultValue;
  return typeof value === 'number' && value > 0 ? value : 0;
}
