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
  const show = () => {
    const typed = pick.value.trim();
    const isListed = typed === '' || items.some((item) => item.model === typed);
    const manual: Item[] = isListed
      ? []
      : [
          {
            label: `$(edit) Use “${typed}”`,
            description: 'an id that is not in the list',
            alwaysShow: true,
            model: typed,
          },
        ];
    pick.items = [...items, ...manual];
  };
  const picked = new Promise<string | undefined>((resolve) => {
    pick.onDidChangeValue(show);
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.model);
      pick.hide();
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
