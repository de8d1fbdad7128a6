import * as vscode from 'vscode';
import type { PriceOf } from '../../core/usage/prices/prices.ts';
import { priceSetting, readStatedPrices } from '../../core/usage/prices/statedPrices.ts';
import { showSettingProblems } from '../ui/settingProblems.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';

/** The value in the person's own settings, of any type. A workspace can't state prices. */
export function ownPriceSetting(): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(priceSetting)?.globalValue;
}

/** The prices that the person states. Problems of the setting are shown once until it changes. */
export function watchOwnPrices({ store, log }: Pick<SharedPorts, 'store' | 'log'>, onChange: () => void): PriceOf {
  let priceOf: PriceOf | undefined;
  const read = () => {
    const stated = readStatedPrices(ownPriceSetting());
    showSettingProblems(log, priceSetting, stated.problems);
    priceOf = stated.priceOf;
    return priceOf;
  };
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(priceSetting)) {
        read();
        onChange();
      }
    }),
  );
  return (model) => (priceOf ?? read())(model);
}
