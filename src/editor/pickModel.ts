import * as vscode from 'vscode';
import { advice } from '../core/gateway/advice.ts';
import type { Catalogue } from '../core/models/catalogue.ts';
import { modelGroups } from '../core/models/modelGroups.ts';

type Item = vscode.QuickPickItem & { readonly model?: string };

/**
 * Lets the person pick a model; with none chosen before, the pick becomes the default. An id that is not in the list
 * can be typed, because some gateways list nothing, or not all they serve.
 *
 * @returns the exact id; undefined when the person left.
 */
export async function pickModel(catalogue: Catalogue, title = 'Choose a Model'): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = 'Type to search; the exact id goes to the gateway';
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  let items: Item[] = [];
  let typedItem: string | undefined;
  const show = () => {
    const typed = pick.value.trim();
    const needle = typed.toLowerCase();
    const isListed = typed === '' || items.some((item) => item.model?.toLowerCase().includes(needle));
    const manual = isListed ? undefined : typed;
    // Setting the items moves the selection, so it is done only when they change.
    if (manual === typedItem && pick.items.length > 0) {
      return;
    }
    typedItem = manual;
    pick.items = manual
      ? [
          {
            label: `$(edit) Use “${manual}”`,
            description: 'an id that is not in the list',
            alwaysShow: true,
            model: manual,
          },
        ]
      : items;
  };
  const picked = new Promise<string | undefined>((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      // Who types fast presses Enter before the list has followed: an exact id counts before the marked row.
      const exact = items.find((item) => item.model === pick.value.trim());
      const model = exact?.model ?? pick.selectedItems[0]?.model;
      if (model !== undefined) {
        resolve(model);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
  });
  pick.busy = true;
  pick.show();
  await catalogue.load();
  pick.busy = false;
  const { list, problem, connection } = catalogue.state;
  items = (list ? modelGroups(list.models) : []).flatMap(({ name, models }) => [
    { label: name, kind: vscode.QuickPickItemKind.Separator },
    ...models.map((model) => ({
      label: model.id,
      model: model.id,
      description: model.id === catalogue.defaultModel ? `${name} · default` : name,
    })),
  ]);
  if (items.length === 0 && problem) {
    const { title: what, remedy } = advice(problem, { host: connection ? new URL(connection.url.base).host : '' });
    pick.placeholder = `${what}. ${remedy} An exact id can be typed.`;
  }
  show();
  const current = pick.items.find((item) => item.model !== undefined && item.model === catalogue.defaultModel);
  if (current) {
    pick.activeItems = [current];
  }
  const model = await picked;
  if (model !== undefined && catalogue.defaultModel === undefined) {
    await catalogue.setDefaultModel(model);
  }
  return model;
}
