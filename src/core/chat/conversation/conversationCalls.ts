import { addMoney, moneyAt } from '../../base/money.ts';
import { isUnsent, mayBeCharged } from '../../errors/gatewayProblem.ts';
import { knownCost } from '../../reply/cost.ts';
import { allTokens } from '../../reply/usage.ts';
import { type Conversation, isRunning } from './conversation.ts';

/** Calls to a model, the tokens and the costs that are known of them, and how many may have cost something else. */
export type Calls = { calls: number; tokens: number; readonly costs: Map<string, number>; unpriced: number };

/**
 * The paid calls of a conversation by the model ID that was asked, in all its branches. Calls that were not sent don't
 * count.
 */
export function conversationCalls({ turns }: Pick<Conversation, 'turns'>): ReadonlyMap<string, Calls> {
  const byModel = new Map<string, Calls>();
  const all = turns.flatMap(({ replies }) => replies);
  const isOneSite = new Set(all.map(({ host }) => host)).size < 2;
  for (const reply of all) {
    const { model, usage, problem, host } = reply;
    if (reply.isUnsent || (problem && isUnsent(problem))) {
      continue;
    }
    const sums = byModel.get(model) ?? { calls: 0, tokens: 0, costs: new Map(), unpriced: 0 };
    byModel.set(model, sums);
    sums.calls++;
    sums.tokens += allTokens(usage);
    const cost = knownCost(reply);
    if (cost !== undefined) {
      addMoney(sums.costs, isOneSite ? cost : moneyAt(host, cost));
    } else if (!isRunning(reply) && (problem === undefined || mayBeCharged(problem, reply.text !== ''))) {
      sums.unpriced++;
    }
  }
  return byModel;
}
