import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';

type Item = PlainItem<vscode.QuickPickItem & { readonly text: string }>;

/**
 * Asks what to change. Earlier instructions are below what is typed: choosing one puts it into the box, and only Enter
 * on what is in the box sends it.
 *
 * @param value the text that is in the box at first.
 * @param costOf what sending a text may cost, in words, if that is known.
 * @returns undefined when the person cancelled.
 */
export function askInstruction(
  title: string,
  value: string,
  earlier: readonly string[],
  costOf: (text: string) => string | undefined,
): Promise<string | undefined> {
  const pick = createQuickPick<Item>();
  pick.title = plainLabel(title);
  pick.placeholder = l10n.t('Describe the change');
  pick.ignoreFocusOut = true;
  pick.value = value;
  const paint = () => {
    const typed = pick.value.trim();
    const cost = costOf(typed);
    const send = {
      label: typed,
      description: cost === undefined ? l10n.t('Send') : l10n.t('Send (estimated cost: {0})', cost),
      iconPath: new vscode.ThemeIcon('send'),
      alwaysShow: true,
      text: typed,
    };
    const others = earlier.filter((text) => text !== typed);
    const history = new vscode.ThemeIcon('history');
    pick.items = [
      ...(typed === '' ? [] : [plainItem(send)]),
      ...others.map((text) => plainItem({ label: text, iconPath: history, text })),
    ];
  };
  return new Promise((resolve) => {
    const finish = (text: string | undefined) => {
      resolve(text);
      pick.dispose();
    };
    pick.onDidChangeValue(paint);
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      // Enter may come before the row of what was typed.
      const text = pick.selectedItems[0]?.text ?? typed;
      if (text !== typed) {
        pick.value = text;
        paint();
      } else if (typed !== '') {
        finish(typed);
      }
    });
    pick.onDidHide(() => finish(undefined));
    paint();
    pick.show();
  });
}
