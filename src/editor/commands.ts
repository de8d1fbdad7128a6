import * as vscode from 'vscode';
import { DisposableStore } from '../core/lifetime.ts';
import { type AskDeps, ask, explainSelection } from './askCommands.ts';
import type { ConnectionCommands } from './connectionCommands.ts';
import type { Log } from './log.ts';
import { ModelsView } from './modelsView.ts';
import { pickModel } from './pickModel.ts';

export type CommandDeps = AskDeps & {
  readonly log: Log;
  /** Loaded with the first of its commands. */
  readonly connecting: () => Promise<ConnectionCommands>;
};

/** Every command of the manifest. What one throws is logged with its stack and said in one sentence. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const { catalogue, panels, log, connecting } = deps;
  const commands: Record<string, (row?: unknown) => unknown> = {
    'askModel.connect': async () => (await connecting()).connect(),
    'askModel.manageConnections': async () => (await connecting()).manage(),
    'askModel.editConnection': async () => (await connecting()).edit(),
    'askModel.renameConnection': async () => (await connecting()).rename(),
    'askModel.editAddress': async () => (await connecting()).editAddress(),
    'askModel.confirmAddress': async () => (await connecting()).confirmAddress(),
    'askModel.replaceKey': async () => (await connecting()).replaceKey(),
    'askModel.removeKey': async () => (await connecting()).removeKey(),
    'askModel.disconnect': async () => (await connecting()).remove(),
    'askModel.compareConnections': async () => (await connecting()).compare(),
    'askModel.checkConnection': async () => (await connecting()).check(),
    'askModel.openConsole': async () => (await connecting()).openConsole(),
    'askModel.ask': () => ask(deps),
    'askModel.askWithModel': (row) => ask(deps, row),
    'askModel.explainSelection': () => explainSelection(deps),
    'askModel.openConversation': async () => (await panels()).reopen(),
    'askModel.chooseModel': async () => {
      const model = (await deps.ensureConnected()) && (await pickModel(catalogue));
      return model && catalogue.setDefaultModel(model);
    },
    'askModel.setDefaultModel': (row) => {
      const model = ModelsView.modelOf(row);
      return model && catalogue.setDefaultModel(model.id);
    },
    'askModel.copyModelId': (row) => {
      const model = ModelsView.modelOf(row);
      return model && vscode.env.clipboard.writeText(model.id);
    },
    'askModel.refreshModels': () =>
      vscode.window.withProgress({ location: { viewId: 'askModel.models' } }, () => catalogue.refresh()),
    'askModel.showLog': () => log.show(),
  };
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commands)) {
    store.add(
      vscode.commands.registerCommand(id, async (row?: unknown) => {
        try {
          await run(row);
        } catch (error) {
          log.defect(id, error);
          const reason = error instanceof Error ? error.message : String(error);
          void vscode.window.showErrorMessage(`Ask Model could not do that: ${reason}`);
        }
      }),
    );
  }
  return store;
}
