import type { Connections } from '../../core/connections/connections.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import type { ConnectionCommands } from '../connections/connectionCommands.ts';
import type { ConversationCommands } from '../conversations/conversationCommands.ts';
import { type ModelDeps, modelCommands } from '../models/modelCommands.ts';
import { ModelsView } from '../models/modelsView.ts';
import type { CommandId } from '../ui/commandIds.ts';
import { showErrorMessage } from '../ui/messages.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { type AskDeps, ask, explainSelection } from './askCommands.ts';

export type ActionsPorts = SharedPorts &
  AskDeps &
  ModelDeps & {
    readonly connections: Pick<Connections, 'active'>;
    /** Loaded with the first of its commands. */
    readonly connecting: () => Promise<ConnectionCommands>;
    readonly conversations: () => Promise<ConversationCommands>;
    readonly changes: () => Promise<ProposedChanges>;
  };

/** Every command of the manifest, by its id. */
export type Commands = {
  /** @param given what VS Code hands over: for a command of a tree's menu the row, and all rows that are selected. */
  run(id: CommandId, ...given: unknown[]): Promise<void>;
};

type Command = (row?: unknown, selected?: unknown) => unknown;

/** Builds the commands. What one of them throws is logged with its stack and said in one sentence. */
export function openActions(ports: ActionsPorts): Commands {
  const { log, connecting, changes } = ports;
  const commands: Readonly<Record<Exclude<CommandId, keyof ConversationCommands>, Command>> = {
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
    'askModel.openConsole': async (host) => (await connecting()).openConsole(host),
    'askModel.ask': () => ask(ports),
    'askModel.askWithModel': (row) => ask(ports, row),
    'askModel.explainSelection': () => explainSelection(ports),
    'askModel.compare': (row, selected) => compare(ports, ModelsView.idsOf(row, selected)),
    'askModel.showRequest': async () => (await ports.panels()).showRequest(),
    'askModel.acceptChange': async (uri) => (await changes()).accept(uri),
    'askModel.discardChange': async (uri) => (await changes()).discard(uri),
    ...modelCommands(ports),
    'askModel.showLog': () => log.show(),
  };
  const isOneOfThese = (id: CommandId): id is keyof typeof commands => id in commands;
  return {
    async run(id, row, selected) {
      try {
        // Those of conversations are loaded with the first of them.
        const command = isOneOfThese(id) ? commands[id] : (await ports.conversations())[id];
        await command(row, selected);
      } catch (error) {
        log.defect(id, error);
        const reason = log.redact(error instanceof Error ? error.message : String(error));
        void showErrorMessage(`Ask Model could not do that: ${reason}`);
      }
    },
  };
}

/** *Compare Models*. It begins with the models that were compared last with the connection in use. */
async function compare(ports: ActionsPorts, chosen: readonly string[]): Promise<void> {
  const { connections, remembered } = ports;
  const { compareModels } = await import('./compareModels.ts');
  const memory = {
    read: () => (connections.active ? remembered.compared(connections.active.id) : []),
    write: async (models: readonly string[]) => {
      await (connections.active && remembered.setCompared(connections.active.id, models));
    },
  };
  await compareModels({ ...ports, memory }, chosen);
}
