import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { isRecord, recordOf } from '../../core/base/loose.ts';
import { priceProblem, priceSetting, type StatedPrice } from '../../core/usage/prices/statedPrices.ts';
import { askText } from '../ui/askText.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { ownPriceSetting } from './ownPrices.ts';

const fields = ['input', 'output', 'cached', 'currency'] as const;

/** *State a Price*: asks for the prices of a model, one box after the other, and saves them in the person's settings. */
export async function statePrice(model: string): Promise<void> {
  const before: { readonly [Field in keyof StatedPrice]?: unknown } = recordOf(recordOf(ownPriceSetting())[model]);
  const texts = fields.map((field) => String(before[field] ?? (field === 'currency' ? 'USD' : '')));
  for (let step = 0; step < fields.length; ) {
    const field = fields[step];
    if (field === undefined) {
      return;
    }
    const outcome = await askText<string, string>({
      title: l10n.t('Price of {0}', model),
      step: step + 1,
      totalSteps: fields.length,
      canGoBack: step > 0,
      value: texts[step] ?? '',
      prompt: () => promptOf(field),
      read: (text) => {
        const reason =
          text.trim() === '' && field === 'cached' ? undefined : priceProblem(field, typedValue(field, text));
        return reason === undefined ? { ok: true, value: text } : { ok: false, reason };
      },
      accept: async (text) => {
        texts[step] = text;
        const problem = field === 'currency' ? await save(model, before.perCall, texts) : undefined;
        return problem === undefined ? { done: text } : { problem };
      },
    });
    if (outcome.status === 'cancelled') {
      return;
    }
    texts[step] = outcome.typed;
    step += outcome.status === 'back' ? -1 : 1;
  }
  void showInformationMessage(l10n.t('The price of {0} is saved in your settings.', model));
}

/** @returns a number only for a text that is one. */
function typedValue(field: (typeof fields)[number], text: string): unknown {
  const typed = text.trim();
  return field === 'currency' ? typed : typed === '' ? undefined : Number(typed);
}

function promptOf(field: (typeof fields)[number]): string {
  switch (field) {
    case 'input':
      return l10n.t('Enter the price of 1M input tokens, such as {0}.', '1.25');
    case 'output':
      return l10n.t('Enter the price of 1M output tokens, such as {0}.', '10');
    case 'cached':
      return l10n.t('Enter the price of 1M cached input tokens. Leave it empty if they cost as much as others.');
    case 'currency':
      return sentences(
        l10n.t("Enter the code of a currency, or the gateway's own unit."),
        l10n.t('Saved in your settings.'),
      );
    default:
      return field satisfies never;
  }
}

/** @returns why the setting can't be changed, if it can't. */
async function save(model: string, perCall: unknown, texts: readonly string[]): Promise<string | undefined> {
  const setting = ownPriceSetting();
  if (setting !== undefined && !isRecord(setting)) {
    return l10n.t('{0} must be an object.', priceSetting);
  }
  const values = fields.map((field, index) => [field, typedValue(field, texts[index] ?? '')] as const);
  // A value that is undefined isn't written.
  const prices = { ...setting, [model]: { ...Object.fromEntries(values), perCall } };
  await vscode.workspace.getConfiguration().update(priceSetting, prices, vscode.ConfigurationTarget.Global);
  return undefined;
}
