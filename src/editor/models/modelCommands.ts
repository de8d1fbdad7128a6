import * as vscode from 'vscode';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { shownModels } from '../../core/models/catalogue/shownGroups.ts';
import { showInputBox } from '../ui/boxes.ts';
import type { CommandId } from '../ui/commandIds.ts';
import { showInformationMessage, showWarningMessage, withProgress } from '../ui/messages.ts';
import { runCommand } from '../ui/runCommand.ts';
import type { ModelDetails } from './modelDetails.ts';
import { ModelsView } from './modelsView.ts';

export type ModelDeps = {
  readonly catalogue: Catalogue;
  readonly view: ModelsView;
  readonly details: ModelDetails;
  /** Lets the person pick a model. @returns its exact id; undefined when they left. */
  readonly pickModel: (title?: string) => Promise<string | undefined>;
  /** *Find a Model*. @returns the exact id of the one that was picked. */
  readonly findModel: () => Promise<string | undefined>;
  readonly ensureConnected: () => Promise<boolean>;
};

/** What a person can do with models besides asking them; each takes the row it was called on. */
export function modelCommands(deps: ModelDeps) {
  const { catalogue, view, details } = deps;
  /** For the rows that are selected, when it was called on one of them. */
  const onModels = (run: (ids: readonly string[]) => unknown) => async (row?: unknown, selected?: unknown) => {
    const ids = ModelsView.idsOf(row, selected);
    if (ids.length > 0) {
      await run(ids);
      return;
    }
    const id = (await deps.ensureConnected()) ? await deps.pickModel() : undefined;
    await (id !== undefined && run([id]));
  };
  /** For the row that it was called on, whatever is selected. */
  const onModel = (run: (id: string) => unknown) => {
    const onFirst = onModels(([id]) => id !== undefined && run(id));
    return (row?: unknown) => onFirst(row);
  };
  const onEach = (run: (id: string) => Promise<void>) =>
    onModels(async (ids) => {
      for (const id of ids) {
        await run(id);
      }
    });
  return {
    'askModel.chooseModel': async () => {
      const model = (await deps.ensureConnected()) && (await deps.pickModel('Choose the Default Model'));
      await (model && catalogue.setDefaultModel(model));
    },
    'askModel.findModel': async () => {
      const model = (await deps.ensureConnected()) && (await deps.findModel());
      await (model && runCommand('askModel.askWithModel', model));
    },
    'askModel.clearFilter': () => view.setFilter(undefined),
    'askModel.setDefaultModel': onModel((id) => catalogue.setDefaultModel(id)),
    'askModel.addFavourite': onEach((id) => catalogue.setFavourite(id, true)),
    'askModel.removeFavourite': onEach((id) => catalogue.setFavourite(id, false)),
    'askModel.copyModelId': onModels((ids) => vscode.env.clipboard.writeText(ids.join('\n'))),
    'askModel.showModelDetails': onModel((id) => details.show(id)),
    'askModel.addModel': async () => {
      if (await deps.ensureConnected()) {
        await addByHand(catalogue, view);
      }
    },
    'askModel.removeModel': onEach((id) => catalogue.removeManual(id)),
    'askModel.refreshModels': () =>
      withProgress({ location: { viewId: 'askModel.models' } }, () => catalogue.refresh()),
  } satisfies Partial<Record<CommandId, (row?: unknown, selected?: unknown) => unknown>>;
}

/** For a gateway that lists nothing, or not all it serves. */
async function addByHand(catalogue: Catalogue, view: ModelsView): Promise<void> {
  const problemOf = (text: string) =>
    text.trim().length > 256 || /\p{Cc}/u.test(text.trim())
      ? 'An id has at most 256 characters and no control characters.'
      : undefined;
  const typed = await showInputBox({
    title: 'Add a Model by Its Id',
    prompt: 'Exactly as the gateway’s catalogue writes it; a brand name is no id. It is sent as it stands.',
    placeHolder: 'vendor/model-name',
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
  const id = typed?.trim();
  if (!id) {
    return;
  }
  const known = shownModels(catalogue).get(id);
  const isKnown = known !== undefined && !known.isGone;
  await catalogue.addManual(id);
  if (!isKnown && !catalogue.manual.includes(id)) {
    void showWarningMessage(`${id} was not added: there are as many added models as can be kept. Remove one first.`);
    return;
  }
  void showInformationMessage(isKnown ? `${id} is in the list already.` : `Added ${id}.`);
  await view.reveal(id);
}
