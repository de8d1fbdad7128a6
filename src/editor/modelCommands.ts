import * as vscode from 'vscode';
import type { Catalogue } from '../core/models/catalogue.ts';
import type { ModelDetails } from './modelDetails.ts';
import { ModelsView } from './modelsView.ts';
import { showInputBox } from './ui/boxes.ts';
import { withProgress } from './ui/messages.ts';

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
export function modelCommands(deps: ModelDeps): Record<string, (row?: unknown) => unknown> {
  const { catalogue, view, details } = deps;
  const onModel = (run: (id: string) => unknown) => async (row?: unknown) => {
    const id = ModelsView.modelOf(row) ?? ((await deps.ensureConnected()) ? await deps.pickModel() : undefined);
    await (id !== undefined && run(id));
  };
  return {
    'askModel.chooseModel': async () => {
      const model = (await deps.ensureConnected()) && (await deps.pickModel('Choose the Default Model'));
      await (model && catalogue.setDefaultModel(model));
    },
    'askModel.findModel': async () => {
      const model = (await deps.ensureConnected()) && (await deps.findModel());
      await (model && vscode.commands.executeCommand('askModel.askWithModel', model));
    },
    'askModel.clearFilter': () => view.setFilter(undefined),
    'askModel.setDefaultModel': onModel((id) => catalogue.setDefaultModel(id)),
    'askModel.addFavourite': onModel((id) => catalogue.setFavourite(id, true)),
    'askModel.removeFavourite': onModel((id) => catalogue.setFavourite(id, false)),
    'askModel.copyModelId': onModel((id) => vscode.env.clipboard.writeText(id)),
    'askModel.showModelDetails': onModel((id) => details.show(id)),
    'askModel.addModel': async () => {
      if (await deps.ensureConnected()) {
        await addByHand(catalogue);
      }
    },
    'askModel.removeModel': onModel((id) => catalogue.removeManual(id)),
    'askModel.refreshModels': () =>
      withProgress({ location: { viewId: 'askModel.models' } }, () => catalogue.refresh()),
  };
}

/** For a gateway that lists nothing, or not all it serves. */
async function addByHand(catalogue: Catalogue): Promise<void> {
  const problemOf = (text: string) =>
    text.trim().length > 256 || /\p{Cc}/u.test(text.trim())
      ? 'An id has at most 256 characters and no control characters.'
      : undefined;
  const id = await showInputBox({
    title: 'Add a Model by Its Id',
    prompt: 'Exactly as the gateway’s catalogue writes it; a brand name is no id. It is sent as it stands.',
    placeHolder: 'vendor/model-name',
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
  if (id?.trim()) {
    await catalogue.addManual(id.trim());
  }
}
