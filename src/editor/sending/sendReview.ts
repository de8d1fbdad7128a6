import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import { assumedAnswerTokens, type CostRange, rangesText, rangeText, totalCosts } from '../../core/base/costRange.ts';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import { moneyText } from '../../core/base/money.ts';
import type { ContextWindow } from '../../core/base/requestSize.ts';
import { shownReply, turnBefore } from '../../core/chat/conversation/branches.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { answerOf } from '../../core/chat/conversation/messagesFor.ts';
import type { RequestPreview } from '../../core/chat/conversation/requestDocument.ts';
import {
  contextWindowOf,
  proposedLeftOut,
  type RequestParts,
  requestParts,
  statedWindow,
  tokensOf,
} from '../../core/chat/conversation/requestParts.ts';
import { sentPrompt, tokenLimitOf } from '../../core/chat/conversation/sentParameters.ts';
import type { LeftOut } from '../../core/chat/conversation/storedParts.ts';
import { type Action, type FindSender, placeOf, planOf } from '../../core/chat/sending/action.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { QuestionCosts } from '../../core/chat/sending/questionCosts.ts';
import type { ChatRequest } from '../../core/client/chatRequest.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { openPageText } from '../../core/errors/consolePage.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { shownModels } from '../../core/models/catalogue/shownGroups.ts';
import type { Model } from '../../core/models/list/model.ts';
import type { KeyRemover } from '../../core/secrets/keyRemover.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';
import { chooseParts } from './chooseParts.ts';
import { notForChatText } from './notForChat.ts';

/** What a question is sent with: the connections with their models, accounts and prices, and the ways to use them. */
export type Gateways = {
  readonly connections: Connections;
  readonly accounts: Accounts;
  readonly catalogue: Catalogue;
  readonly costs: QuestionCosts;
  readonly ledger: () => Ledger;
  /** Removes the keys of connections. */
  readonly keys: KeyRemover;
  readonly findSender: FindSender;
  /** Builds the call for a request without sending it; see `previewCall`. */
  readonly previewCall: (request: ChatRequest) => Promise<RequestPreview>;
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
  readonly factor: number;
  readonly window: ContextWindow | undefined;
};

/**
 * Asks the person before a question of one conversation is sent that doesn't fit into the context window of its model,
 * that is larger or costs more than the person wants without being asked, whose model doesn't seem to answer questions,
 * or that the balance doesn't seem to cover.
 */
export class SendReview {
  readonly #live: Pick<LiveConversation, 'conversation'>;
  readonly #gateways: Gateways;
  /** The models that questions may be sent to although they don't seem to answer any. */
  readonly #allowed = new Set<string>();
  /** How many times the size of the setting the last request had that the person confirmed. */
  #confirmedSizes = 0;
  /** The state of the account that the person wanted to send in spite of. */
  #confirmedBalance: string | undefined;

  constructor(live: Pick<LiveConversation, 'conversation'>, gateways: Gateways) {
    this.#live = live;
    this.#gateways = gateways;
  }

  /**
   * @param refused the reply with which the gateway refused the same request for its length. Then the person is asked in
   * any case.
   * @returns what to send; undefined if the person cancelled.
   */
  async confirm(action: Action, signal: AbortSignal, refused?: Reply): Promise<Action | undefined> {
    const answerable = await this.#confirmModels(action);
    const fitting = answerable && (await this.#confirmSize(answerable, signal, refused));
    const isConfirmed = fitting && (await confirmCost(this.#costs(fitting))) && (await this.#confirmBalance(fitting));
    return isConfirmed && !signal.aborted ? fitting : undefined;
  }

  /** Never waits for the gateway: only what is known already is compared, and read for the next time if nothing is. */
  async #confirmBalance(action: Action): Promise<boolean> {
    const { connections, accounts } = this.#gateways;
    const { active } = connections;
    const facts = active && accounts.facts(active);
    void (active && facts === undefined && accounts.read(active));
    const cost = this.#costBefore(action);
    const most = cost && { amount: cost.high ?? cost.assumed ?? cost.low, unit: cost.unit };
    const shortage = active && accounts.shortage(active, most);
    const state = JSON.stringify(facts);
    if (active === undefined || shortage === undefined || state === this.#confirmedBalance) {
      return true;
    }
    const answer = await confirmBalance(shortage.text, shortage.detail);
    if (answer === 'send') {
      this.#confirmedBalance = state;
    } else if (answer === 'wallet') {
      // The person is likely to change the balance there.
      await accounts.forget(active);
      await runCommand('askModel.openConsole', active.id, 'wallet');
    }
    return answer === 'send';
  }

  /** What the requests of an action may cost together; undefined if that is unknown, or their units differ. */
  #costBefore(action: Action): CostRange | undefined {
    const [total, ...others] = totalCosts(this.#costs(action).map(({ cost }) => cost));
    return others.length === 0 ? total : undefined;
  }

  #costs(action: Action) {
    const { conversation } = this.#live;
    return this.#requests(action).map(({ model, parts, after }) => ({
      model,
      cost: this.#gateways.costs.range(conversation, model, tokensOf(parts, action.leftOut), after),
    }));
  }

  async #confirmModels(action: Action): Promise<Action | undefined> {
    for (const id of modelsOf(action)) {
      const text = notForChatText(this.#model(id));
      if (text === undefined || this.#allowed.has(id)) {
        continue;
      }
      const answer = await confirmNotForChat(text, action.kind !== 'compare');
      if (answer === 'choose' && action.kind !== 'compare') {
        const other = await this.#gateways.pickModel(l10n.t('Choose Another Model'), id);
        return other === undefined ? undefined : this.#confirmModels({ ...action, model: other });
      }
      if (answer === undefined) {
        return undefined;
      }
      this.#allowed.add(id);
    }
    return action;
  }

  async #confirmSize(action: Action, signal: AbortSignal, refused: Reply | undefined): Promise<Action | undefined> {
    const requests = this.#requests(action, refused);
    const [request] = requests.toSorted((one, other) => shareOf(other) - shareOf(one));
    if (request === undefined) {
      return action;
    }
    const { parts, factor, window, after: follows } = request;
    const tokens = tokensOf(parts) * factor;
    // The tokens from which on the person wants to be asked; 0 for never.
    const size = ownNumber('askModel.context.confirmTokens');
    const isLarge = size > 0 && Math.floor(tokens / size) > this.#confirmedSizes;
    if (!isLarge && refused === undefined && (window === undefined || tokens <= window.prompt)) {
      return { ...action, follows };
    }
    const room = (window?.prompt ?? Number.POSITIVE_INFINITY) / factor;
    // What was refused was too long, whatever was estimated.
    const most = refused?.model === request.model ? Math.min(room, 0.75 * tokensOf(parts, refused.leftOut)) : room;
    const proposed = proposedLeftOut(parts, most, action.leftOut ?? this.#before(action));
    const leftOut = await chooseParts({ ...request, proposed, calls: requests.length }, signal);
    if (leftOut === undefined) {
      return undefined;
    }
    this.#confirmedSizes = size > 0 ? Math.floor((tokensOf(parts, leftOut) * factor) / size) : 0;
    const isAll = leftOut.turns.length === 0 && leftOut.contexts.length === 0;
    return { ...action, follows, leftOut: isAll ? undefined : leftOut };
  }

  /** The requests of an action; none if it isn't possible. */
  #requests(action: Action, refused?: Reply): Request[] {
    const { conversation } = this.#live;
    const plan = planOf(conversation, action);
    if ('reason' in plan) {
      return [];
    }
    const { turn, place } = plan;
    const after = place ? placeOf(conversation, place) : turnBefore(conversation, turn.id);
    if (after === undefined) {
      return [];
    }
    const draft = { text: turn.question, contexts: turn.contexts };
    return modelsOf(action).map((model) => {
      const set = [conversation, this.#gateways.connections.active, model] as const;
      const prompt = sentPrompt(...set)?.text;
      const facts = this.#model(model);
      const stated = refused?.model === model ? statedWindow(refused.problem?.words) : undefined;
      return {
        model,
        after,
        parts: requestParts(conversation, draft, after, prompt, action.kind === 'after'),
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
    if (action.kind === 'again' || action.kind === 'instead') {
      const turn = conversation.turns.find(({ id }) => id === action.turnId);
      const replyId = 'replyId' in action ? action.replyId : undefined;
      return (turn?.replies.find(({ id }) => id === replyId) ?? (turn && shownReply(turn)))?.leftOut;
    }
    const after = placeOf(conversation, action.kind === 'after' ? action : { kind: 'end' });
    const turn = conversation.turns.find(({ id }) => id === after);
    return turn && answerOf(turn)?.leftOut;
  }

  #model(id: string): Model | undefined {
    return shownModels(this.#gateways.catalogue).get(id)?.model;
  }
}

function modelsOf(action: Action): readonly string[] {
  return action.kind === 'compare' ? action.models : [action.model];
}

/** The part of its room that a request takes; 0 if that is unknown. */
function shareOf({ parts, factor, window }: Request): number {
  return window ? (tokensOf(parts) * factor) / window.prompt : 0;
}

/**
 * Asks before a question is sent that the gateway may refuse for the balance or the key. It isn't refused here, because
 * what is known of the account may be out of date.
 *
 * @returns undefined if the person cancelled.
 */
async function confirmBalance(text: string, detail: string): Promise<'send' | 'wallet' | undefined> {
  const send = l10n.t('Send Anyway');
  const wallet = openPageText('wallet');
  const answer = await showWarningMessage(text, { modal: true, detail }, send, wallet);
  return answer === send ? 'send' : answer === wallet ? 'wallet' : undefined;
}

const setting = 'askModel.confirmPrice';

/**
 * Asks before a question that may cost more than the person wants to pay without being asked.
 *
 * @param costs of its requests, one for each model.
 */
async function confirmCost(
  costs: readonly { readonly model: string; readonly cost: CostRange | undefined }[],
): Promise<boolean> {
  const limit = ownNumber(setting);
  const totals = totalCosts(costs.map(({ cost }) => cost));
  const exceeding = limit > 0 ? totals.find(({ low, assumed = low, high = assumed }) => high > limit) : undefined;
  const [first] = costs;
  if (exceeding === undefined || first === undefined) {
    return true;
  }
  const send = l10n.t('Send');
  const message = plural(
    costs.length,
    l10n.t('Send this question to {0}?', first.model),
    l10n.t('Send this question to {0} models?', numberText(costs.length)),
  );
  const reason = l10n.t(
    'You want to be asked before a question that may cost more than {0} (setting {1}).',
    moneyText({ amount: limit, unit: exceeding.unit }),
    setting,
  );
  const models = costs.length > 1 ? costs.map(({ model, cost }) => `${model}: ${costText(cost)}`) : [];
  const total = sentences(
    l10n.t('Estimated cost: {0}.', rangesText(totals)),
    costs.some(({ cost }) => cost?.assumed !== undefined) &&
      l10n.t('With few answers so far, {0} output tokens are assumed.', numberText(assumedAnswerTokens)),
    reason,
  );
  const detail = [...models, total].join('\n');
  return (await showWarningMessage(message, { modal: true, detail }, send)) === send;
}

function costText(cost: CostRange | undefined): string {
  return cost ? rangeText(cost) : l10n.t('price unknown');
}

/**
 * Asks before a question is sent to a model that doesn't seem to answer questions. It isn't refused, because what is
 * known of the model may be wrong.
 *
 * @param text says so.
 * @param canChoose whether another model can be chosen instead.
 * @returns undefined if the person cancelled.
 */
async function confirmNotForChat(text: string, canChoose: boolean): Promise<'send' | 'choose' | undefined> {
  const choose = l10n.t('Choose Another Model…');
  const send = l10n.t('Send Anyway');
  const detail = l10n.t('A gateway can charge for a question that such a model fails to answer.');
  const answer = await showWarningMessage(text, { modal: true, detail }, ...(canChoose ? [choose] : []), send);
  return answer === send ? 'send' : answer === choose ? 'choose' : undefined;
}

/** A number above 0 from a setting, or else 0. A workspace must not change it. */
function ownNumber(setting: string): number {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect<unknown>(setting) ?? {};
  const value = globalValue ?? defaultValue;
  return typeof value === 'number' && value > 0 ? value : 0;
}
