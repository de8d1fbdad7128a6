import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { manualId } from '../../core/models/catalogue/modelChoices.ts';
import { askText } from '../ui/askText.ts';
import { withProgress } from '../ui/messages.ts';
import { type CommandId, runCommand } from '../ui/registrations.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { statePrice } from './modelPricing.ts';
import { ModelsView } from './modelsView.ts';
import type { OpenedModels } from './openModels.ts';

/** Commands for models, other than asking them. Commands that act on models accept the rows they were called on. */
export function modelCommands(
  { catalogue, view, pickModel, findModel }: Pick<OpenedModels, 'catalogue' | 'view' | 'pickModel' | 'findModel'>,
  documents: ShownTexts,
  ensureConnected: () => Promise<boolean>,
) {
  /**
   * Runs for the selected rows if `row` is one of them, otherwise for `row`. Without a row, lets the person pick a
   * model.
   */
  const onModels = (run: (ids: readonly string[]) => unknown) => async (row?: unknown, selected?: unknown) => {
    const ids = ModelsView.idsOf(row, selected);
    if (ids.length > 0) {
      await run(ids);
      return;
    }
    const id = (await ensureConnected()) ? await pickModel() : undefined;
    await (id !== undefined && run([id]));
  };
  /** Runs for the row it was called on, regardless of the selection. */
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
  /** Sets the model of a row. An id, which any extension can pass, is only the text that the person picks by. */
  const chooseDefault = async (row?: unknown) => {
    const given = ModelsView.modelOf(row);
    const pick = () => pickModel(l10n.t('Choose Default Model'), undefined, given);
    const isClicked = given !== undefined && given !== row;
    const model = isClicked ? given : (await ensureConnected()) && (await pick());
    await (model && catalogue.setDefaultModel(model));
  };
  return {
    'askModel.chooseModel': () => chooseDefault(),
    'askModel.findModel': async () => {
      const model = (await ensureConnected()) && (await findModel());
      await (model && runCommand('askModel.askWithModel', model));
    },
    'askModel.clearFilter': () => view.setFilter(undefined),
    'askModel.setDefaultModel': (row?: unknown) => chooseDefault(row),
    'askModel.addFavourite': onEach((id) => catalogue.setFavourite(id, true)),
    'askModel.removeFavourite': onEach((id) => catalogue.setFavourite(id, false)),
    'askModel.copyModelId': onModels((ids) => vscode.env.clipboard.writeText(ids.join('\n'))),
    'askModel.showModelDetails': onModel(async (id) => {
      const name = id.replace(/[^\w.@+-]+/g, '-').slice(0, 80) || 'model';
      const none = l10n.t("The gateway's model list has no details about this model: {0}", JSON.stringify(id));
      // As *JSON Lines*, which only colors the text: for a JSON document, VS Code would load the schema that it names.
      await documents.show(`${name}.jsonl`, id, (await catalogue.details(id)) ?? `// ${none}\n`);
    }),
    'askModel.statePrice': onModel((id) => statePrice(id)),
    'askModel.addModel': async () => {
      if (await ensureConnected()) {
        await addManually(catalogue, view);
      }
    },
    'askModel.removeModel': onEach((id) => catalogue.removeManual(id)),
    'askModel.refreshModels': () =>
      withProgress({ location: { viewId: 'askModel.models' } }, () => catalogue.refresh()),
  } satisfies Partial<Record<CommandId, (row?: unknown, selected?: unknown) => unknown>>;
}

/** Adds a model by its id, for a gateway that doesn't list all models it serves. */
async function addManually(catalogue: Catalogue, view: ModelsView): Promise<void> {
  const asked = await askText({
    title: l10n.t('Add Model by ID'),
    prompt: () => l10n.t("Enter the exact model ID from the gateway's catalog."),
    placeholder: 'vendor/model-name',
    read: (text) =>
      text.trim() !== '' && manualId(text) === undefined
        ? {
            ok: false,
            reason: l10n.t('A model ID can have at most {0} characters and no control characters.', numberText(256)),
          }
        : { ok: true, value: text.trim() },
    accept: async (id) => ({ done: id }),
  });
  if (asked.status !== 'done' || asked.value === '') {
    return;
  }
  await catalogue.addManual(asked.value);
  await view.reveal(asked.value);
}
