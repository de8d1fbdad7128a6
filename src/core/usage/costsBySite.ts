import { isCurrency, unitOfSite } from '../base/money.ts';
import { knownCost } from '../reply/cost.ts';
import type { CostOfCall } from './ledger.ts';

/**
 * What calls cost, as far as it is known. The credit of different sites has different units, because a site unit or a
 * symbol is worth something else at each.
 *
 * @param connections the person's; a call with one that was removed has a site of its own.
 */
export function costsBySite(connections: readonly { readonly id: string; readonly host: string }[]): CostOfCall {
  const hosts = new Map(connections.map(({ id, host }) => [id, host]));
  const [only, ...others] = new Set(hosts.values());
  return (call) => {
    const cost = knownCost(call);
    const host = hosts.get(call.connection) ?? call.connection;
    const isPlain = cost === undefined || isCurrency(cost.unit) || (others.length === 0 && host === only);
    return isPlain ? cost : { ...cost, unit: unitOfSite(cost.unit, host) };
  };
}
