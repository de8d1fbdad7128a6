import type * as vscode from 'vscode';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { systemPromptProblem } from '../../core/connections/systemPrompts.ts';
import type { PromptFiles } from '../ui/lazyPromptFiles.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { editSystemPrompt, openPrompt } from './editSystemPrompt.ts';
import { promptFiles, type StoredPrompts, watchTyping } from './promptFiles.ts';

export type SystemPromptsPorts = Pick<SharedPorts, 'store' | 'log' | 'clock'> & {
  readonly connections: Pick<Connections, 'active' | 'find' | 'change' | 'setModelPrompt'>;
  readonly conversations: {
    /** @returns undefined when it no longer exists. */
    find(id: string): Promise<Conversation | undefined>;
    /** @returns false when it no longer exists. */
    setSystemPrompt(id: string, text: string | undefined): Promise<boolean>;
    /** Stores a conversation of this window, also when nothing was asked in it yet. */
    begin(id: string): Promise<void>;
    /** See `ConversationStore`. */
    isOnDisk(id: string): Promise<boolean>;
  };
};

/** The person's system prompts: of connections and their models in the settings, of conversations in their files. */
export type OpenedSystemPrompts = {
  readonly promptFiles: PromptFiles;
  /** *Edit System Prompt*; see `editSystemPrompt`. */
  readonly editSystemPrompt: (
    conversation: Conversation | undefined,
    model: string | undefined,
    column?: vscode.ViewColumn,
  ) => Promise<void>;
  /** Opens the file with the system prompt of a connection. */
  readonly openConnectionPrompt: (connection: Connection) => Promise<void>;
};

/** Builds what edits system prompts. Statically imported: in files of their own, its parts would take more of the package. */
export function openSystemPrompts(ports: SystemPromptsPorts): OpenedSystemPrompts {
  const { store, connections, conversations, log, clock } = ports;
  const stored: StoredPrompts = {
    read: async (owner) => {
      if (owner.place === 'conversation') {
        const conversation = await conversations.find(owner.conversation);
        return conversation && (conversation.systemPrompt ?? '');
      }
      const connection = connections.find(owner.connection);
      const text =
        owner.place === 'model' ? connection?.modelSystemPrompts?.get(owner.model) : connection?.systemPrompt;
      return connection && (text ?? '');
    },
    write: async (owner, text) => {
      if (owner.place === 'conversation') {
        return conversations.setSystemPrompt(owner.conversation, text);
      }
      const connection = connections.find(owner.connection);
      await (connection &&
        (owner.place === 'model'
          ? connections.setModelPrompt(connection, owner.model, text)
          : connections.change(connection, { systemPrompt: text })));
      return connection !== undefined;
    },
  };
  const problemOf = (text: string) => systemPromptProblem(text, (each) => log.redact(each) !== each);
  store.add(
    watchTyping(problemOf, (owner) => {
      if (owner.place === 'conversation') {
        conversations.begin(owner.conversation).catch((error) => log.defect('A system prompt', error));
      }
    }),
  );
  const deps = { prompts: stored, isOnDisk: conversations.isOnDisk, problemOf };
  return {
    promptFiles: promptFiles(stored, clock, problemOf),
    editSystemPrompt: (conversation, model, column) =>
      editSystemPrompt(connections.active, conversation, model, deps, column),
    openConnectionPrompt: ({ id, name }) => openPrompt({ place: 'connection', connection: id }, name),
  };
}
