import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, type Event } from '../../core/base/lifetime.ts';
import { factsText, sentences } from '../../core/base/localization.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { type CallSums, callsOf, callsText } from '../../core/usage/callsText.ts';
import type { UsageSums, UsageTotals } from '../../core/usage/usageTotals.ts';
import { plainLabel } from '../ui/plainText.ts';
import type { CommandId } from '../ui/registrations.ts';

/** The sums of the current day; `open` starts reading them. */
type Today = {
  readonly current: UsageTotals | undefined;
  readonly onDidChange: Event<void>;
  open(): void;
};

/** Models with their own line in the hover. */
const maxModels = 10;

/**
 * The status bar items of the extension: one opens the question box, the other shows the model that is asked and today's
 * usage, and a click on it lets the person pick a default model.
 */
export function showStatusItems(catalogue: Catalogue, today: Today): vscode.Disposable {
  const store = new DisposableStore();
  const item = store.add(vscode.window.createStatusBarItem('askModel.model', vscode.StatusBarAlignment.Right, 100));
  const ask = store.add(vscode.window.createStatusBarItem('askModel.ask', vscode.StatusBarAlignment.Right, 101));
  ask.name = 'Ask Model';
  ask.text = '$(comment-discussion)';
  ask.tooltip = 'Ask Model';
  ask.accessibilityInformation = { label: 'Ask Model' };
  ask.command = 'askModel.ask' satisfies CommandId;
  item.name = l10n.t('Ask Model: Default Model');
  item.command = 'askModel.chooseModel' satisfies CommandId;
  store.add(catalogue.onDidChange(show));
  store.add(today.onDidChange(show));

  function show(): void {
    const { state, modelToAsk: model } = catalogue;
    const { connection, status } = state;
    if (status === 'unread') {
      // The list is about to be read again; until then, the item stays as it is.
      return;
    }
    if (connection === undefined || status.startsWith('key')) {
      ask.hide();
      item.hide();
      return;
    }
    today.open();
    const { current } = today;
    const usage =
      current !== undefined && current.calls > 0 ? callsText({ ...sumsOf(current), unpriced: 0 }) : undefined;
    const isGone = model !== undefined && catalogue.isGone(model);
    const name = plainLabel(factsText(model ?? l10n.t('Choose a Model'), usage));
    item.text = isGone ? `$(warning) ${name}` : name;
    const words = sentences(
      model === undefined
        ? l10n.t('{0} has no default model.', connection.name)
        : l10n.t('New conversations use {0} of {1}.', model, connection.name),
      isGone && l10n.t("It's no longer in the gateway's list."),
      l10n.t('Click to choose a default model.'),
    );
    item.tooltip = [visibleText(words), ...usageLines(current)].join('\n');
    item.accessibilityInformation = { label: visibleText(l10n.t('Ask Model: {0}', name)) };
    ask.show();
    item.show();
  }

  return store;
}

/** Calls that were not sent don't count. */
function sumsOf(sums: UsageSums): CallSums {
  return { ...sums, calls: sums.calls - sums.states.notSent };
}

/** Today's sums and those of the most used models, each in a line of the hover. */
function usageLines(today: UsageTotals | undefined): string[] {
  if (today === undefined || today.calls === 0) {
    return [];
  }
  const models = [...today.byModel].sort(([, one], [, other]) => other.calls - one.calls).slice(0, maxModels);
  const line = (name: string, sums: UsageSums) => visibleText(callsOf(name, sumsOf(sums)));
  return ['', line(l10n.t('Today'), today), ...models.map(([model, sums]) => line(model, sums))];
}
