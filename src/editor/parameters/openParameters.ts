import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { type RequestParameters, withParameters } from '../../core/connections/requestParameters.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { editParameters } from './editParameters.ts';
import type { ParameterOwner } from './parameterOwner.ts';

export type ParametersPorts = Pick<SharedPorts, 'log'> & {
  readonly connections: Pick<Connections, 'active' | 'readKeys' | 'setParameters'>;
};

/** An open conversation whose parameters can be set. */
type ParameterChat = {
  readonly conversation: Conversation;
  setParameters(parameters: RequestParameters | undefined): void;
};

/** The parameters of requests: of connections and their models in the settings, of conversations in their files. */
export type OpenedParameters = {
  /**
   * *Edit Parameters*, for the conversation or, where none is open, for the model.
   *
   * @param model exact id of the model that is asked next.
   */
  readonly editParameters: (chat: ParameterChat | undefined, model: string | undefined) => Promise<void>;
  readonly editConnectionParameters: (connection: Connection) => Promise<void>;
};

/** Builds what edits parameters. Statically imported: in files of their own, its parts would take more of the package. */
export function openParameters({ connections, log }: ParametersPorts): OpenedParameters {
  const hasKey = (text: string) => log.redact(text) !== text;
  const edit = async (owners: readonly ParameterOwner[]) => {
    // Without them, a key that is shaped like no known kind would be saved.
    await connections.readKeys();
    await editParameters(owners, hasKey);
  };
  const ofConnection = (connection: Connection): ParameterOwner => ({
    place: 'connection',
    name: connection.name,
    parameters: connection.parameters,
    write: (change) => connections.setParameters(connection, undefined, change),
  });
  return {
    editParameters: async (chat, model) => {
      const { active } = connections;
      const owners: ParameterOwner[] = [];
      if (chat) {
        owners.push({
          place: 'conversation',
          name: '',
          parameters: chat.conversation.parameters,
          write: async (change) => chat.setParameters(withParameters(chat.conversation.parameters, change)),
        });
      }
      if (active && model !== undefined) {
        owners.push({
          place: 'model',
          name: model,
          parameters: active.modelParameters?.get(model),
          write: (change) => connections.setParameters(active, model, change),
        });
      }
      await edit([...owners, ...(active ? [ofConnection(active)] : [])]);
    },
    editConnectionParameters: (connection) => edit([ofConnection(connection)]),
  };
}
