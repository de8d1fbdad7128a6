import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import { assumedAnswerTokens, type CostRange, totalCosts, totalText } from '../../core/base/costRange.ts';
import { estimatedTokensText, numberText, plural, sentences } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { type ContextWindow, requestSizeTexts } from '../../core/base/requestSize.ts';
import { contextLine } from '../../core/chat/context/contextText.ts';
import { shownReply, turnToFollow } from '../../core/chat/conversation/branches.ts';
import { type Draft, lastReply, questionTitle, type Reply } from '../../core/chat/conversation/conversation.ts';
import { answerOf, continuing } from '../../core/chat/conversation/messagesFor.ts';
import {
  contextWindowOf,
  proposedLeftOut,
  type RequestParts,
  requestParts,
  statedWindow,
  tokensOf,
} from '../../core/chat/conversation/requestParts.ts';
import { requestOptions, sentPrompt, tokenLimitOf } from '../../core/chat/conversation/sentParameters.ts';
import type { LeftOut } from '../../core/chat/conversation/storedParts.ts';
import type { MaskedSecret } from '../../core/chat/masking/maskedDraft.ts';
import type { Senders } from '../../core/chat/sending/callGate.ts';
import { type Action, otherGatewayText, planOf } from '../../core/chat/sending/chat.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { QuestionCosts } from '../../core/chat/sending/questionCosts.ts';
import { hostOf } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { advice, adviceText, openPageText } from '../../core/errors/advice.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { Model } from '../../core/models/list/model.ts';
import type { KeyRemover } from '../../core/secrets/keyRemover.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import type { Limiter } from '../../core/usage/limits.ts';
import { type ReviewAnswer, type ReviewView, reviewAnswers } from '../../protocol/protocol.ts';
import { kindText } from '../models/modelItem.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, pickRow, plainItem } from '../ui/quickPick.ts';
import { runCommand } from '../ui/registrations.ts';
import { canSendAsIs, onlyFile, secretsText, type UnscannedFiles } from './questionSecrets.ts';

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

/** A request to one model, and the room it has there. */
type Request = {
  readonly model: string;
  /** Id of the turn that the question follows; `null` for a first question. */
  readonly after: string | null;
  readonly parts: RequestParts;
  /** Estimated, of the parts that are not left out, without the factor. */
  readonly tokens: number;
  readonly factor: number;
  readonly window: ContextWindow | undefined;
};

/** Something that speaks against sending a question. */
type Objection = {
  readonly kind: 'secret' | 'gateway' | 'model' | 'size' | 'price' | 'balance' | 'limit' | 'unpriced';
  readonly text: string;
  /** What can be done about it, besides sending the question as it is. */
  readonly answers?: ReviewView['answers'];
  /** What isn't asked about again in the conversation once the question is sent. */
  readonly about: readonly string[];
  /** The amount up to which it isn't; by default, there is none. */
  readonly upTo?: number;
  /** The panel has said so already: it needs no answer, and is only listed beside others. */
  readonly isTold?: boolean;
};

/**
 * Shows a review in the panel, or takes it away: undefined. @returns whether the panel is open, so that it can be
 * answered there.
 */
export type ShowReview = (review: ReviewView | undefined) => boolean;

/**
 * Reviews the questions of one conversation before they are sent. All that speaks against one is asked at once: above
 * the question box, or in a list where no panel is open. What was answered isn't asked again in the conversation: the
 * same secret, gateway, model, and a price up to the same multiple of the setting.
 */
export class SendReview {
  readonly #live: Pick<LiveConversation, 'conversation' | 'composed' | 'secretsIn' | 'unmask' | 'maskAgain' | 'scan'>;
  readonly #gateways: Gateways;
  readonly #unscanned: Pick<UnscannedFiles, 'add'>;
  readonly #show: ShowReview;
  /** The review that the panel shows, and what answers it. */
  #shown: { readonly review: ReviewView; readonly answer: (answer: ReviewAnswer | undefined) => void } | undefined;
  /** What the person was asked about, and up to which amount. */
  readonly #answered = new Map<string, number>();
  /** The masks of secrets that are sent as they are. */
  readonly #clear = new Set<string>();

  constructor(
    live: Pick<LiveConversation, 'conversation' | 'composed' | 'secretsIn' | 'unmask' | 'maskAgain' | 'scan'>,
    gateways: Gateways,
    unscanned: Pick<UnscannedFiles, 'add'>,
    show: ShowReview,
  ) {
    this.#live = live;
    this.#gateways = gateways;
    this.#unscanned = unscanned;
    this.#show = show;
  }

  /** Answers the review that the panel shows. An answer to an earlier one is ignored. */
  answer(id: string, answer: ReviewAnswer): void {
    if (this.#shown?.review.id === id && this.#shown.review.answers.some((each) => each.answer === answer)) {
      this.#shown.answer(answer);
    }
  }

  /** Cancels the review that the panel shows, because its page is gone. */
  cancel(): void {
    this.#shown?.answer(undefined);
  }

  /** A masked question as it would be sent: with the secrets that the person wanted to send. */
  revealed(draft: Draft): Draft {
    return this.#clear.size === 0 ? draft : this.#live.unmask(draft, this.#clear);
  }

  /**
   * @param refused the reply with which the gateway refused the same request for its length. Then the person chooses
   * what to send in any case.
   * @param otherHost the gateway that it turned out to be for.
   * @returns what to send; undefined if the person cancelled.
   */
  async confirm(action: Action, signal: AbortSignal, refused?: Reply, otherHost?: string): Promise<Action | undefined> {
    const isDraft = 'contexts' in action && action.contexts === this.#live.composed.contexts;
    const { connections, accounts, pickModel } = this.#gateways;
    let current: Action | undefined = action;
    if (refused && hasChoice(this.#requests(action, refused))) {
      current = await this.#choose(action, signal, refused);
    }
    while (current && !signal.aborted) {
      if (isDraft && 'contexts' in current) {
        // What is in the box now: context can be added and removed while the review is shown.
        current = { ...current, question: this.#live.composed.text, contexts: this.#live.composed.contexts };
      }
      const requests = this.#requests(current, refused);
      const host = this.#hostNow(current, otherHost);
      // What isn't possible at all is refused later, with the reason.
      const objections = requests.length > 0 ? await this.#objections(current, requests, host, refused) : [];
      if (objections.every(({ isTold }) => isTold)) {
        return signal.aborted ? undefined : this.#ready({ ...current, follows: requests[0]?.after }, host);
      }
      const answer = await this.#ask(reviewOf(objections, requests), signal);
      const { active } = connections;
      switch (answer) {
        case 'send':
        case 'mask':
          await this.#remember(current, objections, answer);
          if (objections.some(({ kind }) => kind === 'gateway')) {
            current = { ...current, host, findSender: undefined };
          }
          break;
        case 'choose':
          current = await this.#choose(current, signal);
          break;
        case 'model': {
          const model = await pickModel(l10n.t('Choose Another Model'), modelsOf(current)[0]);
          current = model === undefined || current.kind === 'compare' ? undefined : { ...current, model };
          break;
        }
        case 'neverScan': {
          const uri = onlyFile(this.#secretsOf(current));
          await (uri && this.#unscanned.add(uri));
          this.#live.maskAgain();
          return undefined;
        }
        case 'wallet':
          // The person is likely to change the balance there.
          await (active && accounts.forget(active));
          await runCommand('askModel.openConsole', active?.id, 'wallet');
          return undefined;
        case 'limit':
          await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.dailyLimit');
          return undefined;
        case undefined:
          return undefined;
        default:
          return answer satisfies never;
      }
    }
    return undefined;
  }

  /** Asks in the panel if it is open, or else in a list. */
  async #ask(review: ReviewView, signal: AbortSignal): Promise<ReviewAnswer | undefined> {
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
    const masked = { text: action.question, contexts: this.#live.scan(action.contexts) };
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
    const { conversation } = this.#live;
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
      await Promise.all(modelsOf(action).map((model) => this.#gateways.limiter.allowUnpriced({ connection, model })));
    }
  }

  /** The secrets in what an action sends that the person was not asked about yet. */
  #secretsOf(action: Action): readonly MaskedSecret[] {
    if (!('contexts' in action)) {
      return [];
    }
    const omitted = action.leftOut?.contexts.flatMap(({ id, lines }) => (lines ? [] : [id]));
    const contexts = action.contexts.filter(({ id }) => !omitted?.includes(id));
    return this.#live.secretsIn({ text: action.question, contexts }).filter((each) => this.#isNew(secretId(each)));
  }

  #secret(action: Action): Objection[] {
    const secrets = this.#secretsOf(action);
    if (secrets.length === 0 || !('contexts' in action)) {
      return [];
    }
    const hint = l10n.t(
      'Masked, the model gets placeholders, and the values are put back into its answer on this screen.',
    );
    const asIs = {
      answer: 'send',
      label: l10n.t('Send As Is'),
      hint: l10n.t('Sent as they are, the values are also stored in the conversation.'),
    } as const;
    const never = {
      answer: 'neverScan',
      label: l10n.t('Never for This File'),
      hint: l10n.t('Include the file as it is, and never look for secrets in it in this workspace.'),
    } as const;
    const isInBox = action.contexts === this.#live.composed.contexts;
    return [
      {
        kind: 'secret',
        text: secretsText(secrets),
        answers: [
          { answer: 'mask', label: l10n.t('Mask and Send'), hint },
          ...(canSendAsIs(secrets) ? [asIs] : []),
          ...(isInBox && onlyFile(secrets) !== undefined ? [never] : []),
        ],
        about: secrets.map(secretId),
      },
    ];
  }

  /** The gateway that an action goes to, as far as it is known before its key is read. */
  #hostNow({ findSender }: Action, otherHost: string | undefined): string | undefined {
    const { active } = this.#gateways.connections;
    return otherHost ?? (findSender || active === undefined ? undefined : hostOf(active));
  }

  #gateway({ host: shown }: Action, host: string | undefined): Objection[] {
    const last = lastReply(this.#live.conversation)?.host;
    const expected = shown === host ? last : (shown ?? last);
    if (host === undefined || expected === undefined || expected === host) {
      return [];
    }
    const text = sentences(
      otherGatewayText(expected, host),
      l10n.t('The whole conversation, including code, is sent to {0} and charged there.', host),
    );
    return [{ kind: 'gateway', text, about: [`${expected} ${host}`], isTold: shown === host }];
  }

  #models(action: Action): Objection[] {
    const { catalogue } = this.#gateways;
    const choose = { answer: 'model', label: l10n.t('Choose Another Model…') } as const;
    return modelsOf(action).flatMap((id): Objection[] => {
      const model = this.#listed(id);
      const text = catalogue.isGone(id)
        ? sentences(
            l10n.t("{0} is no longer in this gateway's model list.", id),
            l10n.t('The gateway may reject the question or send it to another model.'),
          )
        : model && !model.isForChat
          ? sentences(
              l10n.t("{0} doesn't seem to be a chat model ({1}).", id, kindText(model.kind)),
              l10n.t('The gateway may reject the question, and may charge for it.'),
            )
          : undefined;
      const answers = action.kind === 'compare' ? [] : [choose];
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
    const answers = [{ answer: 'wallet', label: openPageText('wallet') } as const];
    const about = [JSON.stringify(facts)];
    return shortage ? [{ kind: 'balance', text: sentences(shortage.text, shortage.detail), answers, about }] : [];
  }

  /** A daily limit that would be exceeded. Whether it is, is decided when the call begins. */
  async #limit(requests: readonly Request[]): Promise<Objection[]> {
    const { connections, limiter } = this.#gateways;
    const { active } = connections;
    if (active === undefined) {
      return [];
    }
    const host = hostOf(active);
    const found: Objection[] = [];
    for (const { model, tokens: estimate } of requests) {
      const about = { connection: active.id, host, model, caller: { kind: 'panel' }, estimate } as const;
      const options = requestOptions(this.#live.conversation, active, model);
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
        const answers = [{ answer: 'limit', label: l10n.t('Raise Limit…') } as const];
        return [{ kind: 'limit', text: adviceText(advice(problem, { model, host })), about: [], answers }];
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
    const { conversation } = this.#live;
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
    return modelsOf(action).map((model) => {
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
        factor: this.#gateways.costs.tokenFactor(model),
        window: contextWindowOf(
          stated === undefined ? facts : { ...facts, contextTokens: stated },
          tokenLimitOf(...set),
        ),
      };
    });
  }

  /** What was left out last, which is proposed again. */
  #before(action: Action): LeftOut | undefined {
    const { conversation } = this.#live;
    if ('turnId' in action) {
      const turn = conversation.turns.find(({ id }) => id === action.turnId);
      const replyId = 'replyId' in action ? action.replyId : undefined;
      return (turn?.replies.find(({ id }) => id === replyId) ?? (turn && shownReply(turn)))?.leftOut;
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

function modelsOf(action: Action): readonly string[] {
  return action.kind === 'compare' ? action.models : [action.model];
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
  const own = objections.flatMap(({ answers = [] }) => answers);
  const isLimited = objections.some(({ kind }) => kind === 'limit');
  const possible: ReviewView['answers'] = [
    ...own,
    // With a secret, there are two ways to send.
    ...(own.some(({ answer }) => answer === 'mask') ? [] : [{ answer: 'send', label: l10n.t('Send') } as const]),
    ...(hasChoice(requests) ? [{ answer: 'choose', label: l10n.t('Choose What to Send…') } as const] : []),
  ];
  return {
    id: crypto.randomUUID(),
    title: isLimited
      ? l10n.t("This question can't be sent")
      : requests.length === 1
        ? l10n.t('Send this question to {0}?', requests[0]?.model ?? '')
        : l10n.t('Send this question to {0} models?', numberText(requests.length)),
    objections: objections.map(({ text }) => text),
    answers: reviewAnswers
      .flatMap((id) => possible.find(({ answer }) => answer === id) ?? [])
      .filter(({ answer }) => !isLimited || answer === 'limit'),
  };
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

/** A row is sent while it is checked. */
type PartRow = vscode.QuickPickItem & { readonly turn?: string; readonly context?: string };

/**
 * Lets the person choose what a request consists of.
 *
 * @param proposed what is left out if the person changes nothing.
 * @param calls the number of paid calls.
 * @returns what is left out; undefined if the person cancelled, or the signal was aborted.
 */
function chooseParts(
  request: Request,
  proposed: LeftOut,
  calls: number,
  signal: AbortSignal,
): Promise<LeftOut | undefined> {
  const { parts, factor, window } = request;
  const pick = createQuickPick<PartRow>();
  const items = rowsOf(request).map(plainItem);
  const rows = items.filter(({ kind }) => kind === undefined);
  let checked = rows.filter((row) => isSent(row, proposed));
  const title = () => {
    const tokens = Math.round(tokensOf(parts, leftOutOf(rows, checked)) * factor);
    const size = window
      ? requestSizeTexts(tokens, window)
      : [estimatedTokensText(tokens), l10n.t('context window unknown')];
    pick.title = plainLabel(l10n.t('Choose What to Send: {0}', size.join(' · ')));
  };
  pick.placeholder = plural(
    calls,
    l10n.t('What is not checked is left out. OK makes a paid call.'),
    l10n.t('What is not checked is left out. OK makes {0} paid calls.', numberText(calls)),
  );
  pick.ignoreFocusOut = true;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = items;
  pick.selectedItems = checked;
  title();
  return new Promise((resolve) => {
    const finish = (chosen: LeftOut | undefined) => {
      resolve(chosen);
      signal.removeEventListener('abort', cancel);
      pick.dispose();
    };
    const cancel = () => finish(undefined);
    pick.onDidChangeSelection((selected) => {
      checked = [...selected];
      title();
    });
    pick.onDidAccept(() => finish(leftOutOf(rows, checked)));
    pick.onDidHide(cancel);
    signal.addEventListener('abort', cancel);
    pick.show();
    if (signal.aborted) {
      cancel();
    }
  });
}

function rowsOf({ parts, factor }: Request): PartRow[] {
  const size = (tokens: number) => estimatedTokensText(Math.round(tokens * factor));
  const separator = (label: string): PartRow => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const ofContext = parts.contexts.map(
    ({ context, tokens }): PartRow => ({
      label: contextLine(context),
      description: size(tokens),
      context: context.id,
    }),
  );
  const ofTurns = parts.turns.map(
    ({ turn, tokens }): PartRow => ({ label: questionTitle(turn), description: size(tokens), turn: turn.id }),
  );
  return [
    ...(ofContext.length > 0 ? [separator(l10n.t('Context of the question')), ...ofContext] : []),
    ...(ofTurns.length > 0 ? [separator(l10n.t('Earlier questions and answers')), ...ofTurns] : []),
  ];
}

function isSent({ turn, context }: PartRow, { turns, contexts }: LeftOut): boolean {
  return turn === undefined ? !contexts.some(({ id }) => id === context) : !turns.includes(turn);
}

function leftOutOf(rows: readonly PartRow[], checked: readonly PartRow[]): LeftOut {
  const unchecked = rows.filter((row) => !checked.includes(row));
  return {
    turns: unchecked.flatMap(({ turn }) => turn ?? []),
    contexts: unchecked.flatMap(({ context }) => (context === undefined ? [] : [{ id: context }])),
  };
}

/** Asks in a list, in which no answer is selected at first, so that an Enter that was pressed before sends nothing. */
export async function pickAnswer(
  { title, objections, answers }: Omit<ReviewView, 'id'>,
  signal?: AbortSignal,
): Promise<ReviewAnswer | undefined> {
  const { value } = await pickRow<ReviewAnswer | 'cancel'>({
    title,
    placeholder: l10n.t('Nothing is sent until you choose an answer.'),
    rows: [
      ...objections.map((label) => ({ label, iconPath: new vscode.ThemeIcon('warning') })),
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
