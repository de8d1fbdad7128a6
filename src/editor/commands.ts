import * as vscode from 'vscode';
import { type AskDeps, ask, explainSelection } from './askCommands.ts';
import type { ConnectionCommands } from './connectionCommands.ts';
import type { Log } from './log.ts';
import { type ModelDeps, modelCommands } from './modelCommands.ts';
import type { ProposedChanges } from './proposedChanges.ts';

export type CommandDeps = AskDeps &
  ModelDeps & {
    readonly log: Log;
    /** Loaded with the first of its commands. */
    readonly connecting: () => Promise<ConnectionCommands>;
    readonly changes: () => Promise<ProposedChanges>;
  };

/** Every command of the manifest, by its id. */
export type Commands = { run(id: string, argument: unknown): Promise<void> };

/** What a command throws is logged with its stack and said in one sentence. */
export function commandsOf(deps: CommandDeps): Commands {
  const { panels, log, connecting, changes } = deps;
  const commands: Readonly<Record<string, (argument?: unknown) => unknown>> = {
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
    'askModel.acceptChange': async (uri) => (await changes()).accept(uri),
    'askModel.discardChange': async (uri) => (await changes()).discard(uri),
    ...modelCommands(deps),
    'askModel.showLog': () => log.show(),
  };
  return {
    async run(id, argument) {
      try {
        await commands[id]?.(argument);
      } catch (error) {
        log.defect(id, error);
        const reason = log.redact(error instanceof Error ? error.message : String(error));
        void vscode.window.showErrorMessage(`Ask Model could not do that: ${reason}`);
      }
    },
  };
}
