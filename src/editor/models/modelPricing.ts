import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DisposableStore, Event } from '../../core/base/lifetime.ts';
import { isRecord } from '../../core/base/loose.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { sourceText } from '../../core/reply/cost.ts';
import {
  type PriceOf,
  type PriceSources,
  percentCheaper,
  priceSetting,
  readStatedPrices,
} from '../../core/usage/prices/prices.ts';
import { meterFactor, meterText } from '../../core/usage/tokenFactor.ts';
import type { CountedCall } from '../../core/usage/usageTotals.ts';
import { ownSetting, setOwnSetting } from '../ui/remembered.ts';
import { longPriceText } from './modelItem.ts';

/** What models of the connection in use cost, as far as it is known since `load` was last called. */
export type ModelPricing = ReturnType<typeof modelPricing>;

/**
 * Builds what tells prices in lists and tooltips.
 *
 * @param recentCalls the person's recent calls with a connection, in the order of their times.
 * @param onDidChange fires when prices were read, and when the person states other prices.
 */
export function modelPricing(
  sources: PriceSources,
  connections: Pick<Connections, 'active' | 'all'>,
  recentCalls: (connection: string) => Promise<readonly CountedCall[]>,
  onDidChange: Event<void>,
) {
  let calls: readonly CountedCall[] = [];
  const priceOf: PriceOf = (model) => connections.active && sources.pricesOf(connections.active.id)(model);
  const cheaperElsewhere = (model: string) => {
    const prices = priceOf(model);
    let [percent, name] = [0, ''];
    for (const other of connections.all) {
      const known = sources.hasModel(other.id, model) ? sources.pricesOf(other.id)(model) : undefined;
      // What a gateway without prices of its own charges is not known well enough to recommend it.
      const isOwn = prices?.source !== 'vendor' && known?.source !== 'vendor';
      const cheaper = prices && known && isOwn ? percentCheaper(prices, known) : undefined;
      if (cheaper !== undefined && cheaper > percent) {
        [percent, name] = [cheaper, other.name];
      }
    }
    return percent > 0 ? l10n.t('Cheaper with {0} (≈ {1}%)', name, percent) : undefined;
  };
  return {
    /** Reads prices and calls. Of other connections it reads only stored lists, so nothing is requested from them. */
    load: async () => {
      const { active, all } = connections;
      if (active) {
        const [read] = await Promise.all([
          recentCalls(active.id),
          sources.load(active.id),
          ...all.map(({ id }) => sources.loadList(id)),
        ]);
        calls = read;
      }
    },
    priceOf,
    /** Which other connection has the model at the lowest price, if that is lower and in the same unit. */
    cheaperElsewhere,
    onDidChange,
    /** Lines for a tooltip: prices with their source, a cheaper connection, and whether its tokens are counted otherwise than before. */
    lines: (model: string) => {
      const prices = priceOf(model);
      const own = calls.filter((call) => call.model === model);
      const factor = meterFactor(own);
      return [
        prices && l10n.t('Price: {0} ({1})', longPriceText(prices), sourceText(prices.source)),
        prices?.source === 'vendor' && l10n.t('Your gateway may charge differently.'),
        cheaperElsewhere(model),
        factor === undefined ? undefined : meterText(model, factor),
      ].filter((line) => typeof line === 'string');
    },
  };
}

/** *State a Price*: opens the setting, with an entry for the model in which the person enters numbers. */
export async function statePrice(model: string): Promise<void> {
  const setting = ownSetting(priceSetting) ?? {};
  if (isRecord(setting) && !Object.hasOwn(setting, model)) {
    await setOwnSetting(priceSetting, { ...setting, [model]: {} });
  }
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: priceSetting } });
}

/** The prices that the person states. */
export function watchOwnPrices(store: DisposableStore, onChange: () => void): PriceOf {
  let priceOf: PriceOf | undefined;
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(priceSetting)) {
        priceOf = undefined;
        onChange();
      }
    }),
  );
  return (model) => {
    priceOf ??= readStatedPrices(ownSetting(priceSetting));
    return priceOf(model);
  };
}
