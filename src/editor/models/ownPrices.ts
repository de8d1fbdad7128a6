import * as vscode from 'vscode';
import { isRecord } from '../../core/base/loose.ts';
import type { PriceOf } from '../../core/usage/prices/prices.ts';
import { priceSetting, readStatedPrices } from '../../core/usage/prices/statedPrices.ts';
import { showSettingProblems } from '../ui/settingProblems.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';

/** The value in the person's own settings, of any type. A workspace can't state prices. */
function ownPriceSetting(): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(priceSetting)?.globalValue;
}

/** *State a Price*: opens the setting, with an entry for the model in which the person enters numbers. */
export async function statePrice(model: string): Promise<void> {
  const setting = ownPriceSetting() ?? {};
  if (isRecord(setting) && !Object.hasOwn(setting, model)) {
    const entries = { ...setting, [model]: {} };
    await vscode.workspace.getConfiguration().update(priceSetting, entries, vscode.ConfigurationTarget.Global);
  }
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: priceSetting } });
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
