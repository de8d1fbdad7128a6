import type { Clock } from '../../base/clock.ts';
import { type CostRange, costRange } from '../../base/costRange.ts';
import { dayStart } from '../../base/dayStart.ts';
import { Emitter } from '../../base/lifetime.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { KnownPrices } from '../../usage/prices/prices.ts';
import { type QuestionPrice, questionPrice } from '../../usage/prices/questionPrice.ts';
import type { CountedCall } from '../../usage/usageTotals.ts';
import { turnsTo, turnToFollow } from '../conversation/branches.ts';
import type { Conversation, Draft } from '../conversation/conversation.ts';
import { emptyConversation } from '../conversation/conversationRecord.ts';
import { answerOf } from '../conversation/messagesFor.ts';
import { requestParts, tokensOf } from '../conversation/requestParts.ts';
import { sentPrompt, tokenLimitOf } from '../conversation/sentParameters.ts';

/** How far back calls are counted. */
const countedDays = 30;

/** See `openQuestionCosts`. */
export type QuestionCosts = ReturnType<typeof openQuestionCosts>;

/**
 * What questions with the active connection may cost, by prices and by the person's own calls.
 *
 * @param priceNow finds the prices of a connection's model that are known now.
 */
export function openQuestionCosts(
  ledger: () => Pick<Ledger, 'calls' | 'lastCalls' | 'tokenFactor'>,
  connections: Pick<Connections, 'active'>,
  priceNow: (connectionId: string, model: string) => KnownPrices | undefined,
  clock: Pick<Clock, 'now'>,
  onDefect: (error: unknown) => void,
) {
  const didChange = new Emitter<void>();
  /** Id of the connection whose calls were read last. */
  let readFor: string | undefined;

  /**
   * What the cost of a question to a model depends on; undefined if its prices are unknown.
   *
   * @param after id of the turn that the question follows, `null` for none; by default, that of the question in the box.
   */
  function price(
    conversation: Conversation,
    model: string,
    after = turnToFollow(conversation, conversation.edit?.turnId) ?? null,
  ): QuestionPrice | undefined {
    const { active } = connections;
    const prices = active && priceNow(active.id, model);
    if (active === undefined || prices === undefined) {
      return undefined;
    }
    const calls = callsOf(active.id, model);
    const answered = after === null ? [] : turnsTo(conversation, after);
    const reply = answered.flatMap((turn) => answerOf(turn) ?? []).at(-1);
    const usages = calls.map(({ usage }) => usage);
    return questionPrice(prices, usages, {
      factor: ledger().tokenFactor(model),
      tokenLimit: tokenLimitOf(conversation, active, model),
      last: calls.findLast(({ id }) => id === reply?.id)?.usage,
    });
  }

  /** What a question with so many estimated tokens may cost; see `price`. */
  function range(
    conversation: Conversation,
    model: string,
    estimate: number,
    after?: string | null,
  ): CostRange | undefined {
    const basis = price(conversation, model, after);
    return basis && costRange(basis, estimate);
  }

  /** What a question may cost that begins a conversation. */
  function first(draft: Draft, model: string): CostRange | undefined {
    const conversation = emptyConversation('', 0);
    const prompt = sentPrompt(conversation, connections.active, model)?.text;
    return range(conversation, model, tokensOf(requestParts(conversation, draft, null, prompt)));
  }

  /** The last calls to a model with a connection as far as they were read; reads those of a connection once. */
  function callsOf(connection: string, model: string): readonly CountedCall[] {
    if (readFor !== connection) {
      readFor = connection;
      const reading = ledger().calls(connection, dayStart(clock.now(), -countedDays));
      reading.then(() => didChange.fire()).catch(onDefect);
    }
    return ledger()
      .lastCalls(model)
      .filter((call) => call.connection === connection);
  }

  return {
    price,
    range,
    first,
    dispose: () => didChange.dispose(),
    /** Fires when calls were read. */
    onDidChange: didChange.event,
  };
}
