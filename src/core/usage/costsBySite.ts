import { moneyAt } from '../base/money.ts';
import { knownCost } from '../reply/cost.ts';
import type { CostOfCall } from './ledger.ts';

/**
 * What calls cost, as far as it is known. The credit of different sites has different units; see `moneyAt`.
 *
 * @param connections the person's; a call with one that was removed has a site of its own.
 */
export function costsBySite(connections: readonly { readonly id: string; readonly host: string }[]): CostOfCall {
  const hosts = new Map(connections.map(({ id, host }) => [id, host]));
  const [only, ...others] = new Set(hosts.values());
  return (call) => {
    const cost = knownCost(call);
    const host = hosts.get(call.connection) ?? call.connection;
    return cost === undefined || (others.length === 0 && host === only) ? cost : moneyAt(host, cost);
  };
}
