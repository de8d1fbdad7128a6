import * as vscode from 'vscode';
import type { Catalogue } from '../core/models/catalogue.ts';
import { modelGroups } from '../core/models/modelGroups.ts';

type Item = vscode.QuickPickItem & { readonly model?: string };

/** Always the last row: some gateways list nothing, or not all they serve. It takes the text as it was typed. */
const typedId: Item = {
  label: '$(edit) Use the typed text as the model’s id',
  description: 'for an id that is not in the list',
  alwaysShow: true,
};

/**
 * Lets the person pick a model; with none chosen before, the pick becomes the default.
 *
 * @returns the exact id; undefined when the person left, or the connection became another one meanwhile.
 */
export async function pickModel(catalogue: Catalogue, title = 'Choose a Model'): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = 'Type to search; the exact id goes to the gateway';
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  const picked = new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      // Who types fast presses Enter before the rows have followed: an exact id counts before the marked row.
      const exact = pick.items.find((item) => item.model === typed);
      const selected = pick.selectedItems[0];
      const model = exact?.model ?? (selected === typedId ? typed : selected?.model);
      if (model) {
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
  try {
    await catalogue.load();
  } catch (error) {
    pick.dispose();
    throw error;
  }
  pick.busy = false;
  const { list, advice, connection } = catalogue.state;
  if (list === undefined && advice) {
    const { title: what, remedy } = advice;
    pick.placeholder = `${what}. ${remedy} An exact id can be typed.`;
  }
  const rows: Item[] = (list ? modelGroups(list.models) : []).flatMap(({ name, models }) => [
    { label: name, kind: vscode.QuickPickItemKind.Separator },
    ...models.map((model) => ({
      label: model.id,
      model: model.id,
      description: model.id === catalogue.defaultModel ? `${name} · default` : name,
    })),
  ]);
  pick.items = [...rows, { label: '', kind: vscode.QuickPickItemKind.Separator }, typedId];
  const current = rows.find((item) => item.model !== undefined && item.model === catalogue.defaultModel);
  if (current) {
    pick.activeItems = [current];
  }
  const model = await picked;
  if (model === undefined) {
    return undefined;
  }
  if (catalogue.state.connection?.id !== connection?.id) {
    void vscode.window.showInformationMessage('The connection is another one now. Pick one of its models.');
    return undefined;
  }
  if (catalogue.defaultModel === undefined) {
    await catalogue.setDefaultModel(model);
  }
  return model;
}
