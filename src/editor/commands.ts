import * as vscode from 'vscode';
import { DisposableStore } from '../core/lifetime.ts';
import { type AskDeps, ask, explainSelection } from './askCommands.ts';
import { type ConnectDeps, connect, disconnect, replaceKey } from './connectCommands.ts';
import type { Log } from './log.ts';
import { ModelsView } from './modelsView.ts';
import { pickModel } from './pickModel.ts';

export type CommandDeps = ConnectDeps & AskDeps & { readonly log: Log };

/** Every command of the manifest. What one throws is logged with its stack and said in one sentence. */
export function registerCommands(deps: CommandDeps): vscode.Disposable {
  const { catalogue, panels, log } = deps;
  const commands: Record<string, (row?: unknown) => unknown> = {
    'askModel.connect': () => connect(deps),
    'askModel.replaceKey': () => replaceKey(deps),
    'askModel.disconnect': () => disconnect(deps),
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
