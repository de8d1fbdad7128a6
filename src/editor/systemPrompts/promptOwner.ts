import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleName } from '../../core/base/visibleText.ts';
import { systemPromptScheme } from '../ui/lazyPromptFiles.ts';

/** What a system prompt is set for. A model has one for each connection. */
export type PromptOwner =
  | { readonly place: 'conversation'; readonly conversation: string }
  | { readonly place: 'model'; readonly connection: string; readonly model: string }
  | { readonly place: 'connection'; readonly connection: string };

/**
 * The address of the file that a system prompt is edited in. VS Code writes addresses to disk, so that of a conversation
 * contains nothing of it but its id.
 *
 * @param name of the model or connection; it is part of the file's name.
 */
export function promptUri(owner: PromptOwner, name: string): vscode.Uri {
  const shown = visibleName(name).replace(/[\\/]+/g, ' ');
  const file =
    owner.place === 'conversation'
      ? l10n.t('System Prompt of This Conversation')
      : l10n.t('System Prompt of {0}', shown);
  const id = owner.place === 'conversation' ? owner.conversation : owner.connection;
  const query = [owner.place, id, ...(owner.place === 'model' ? [owner.model] : [])].join(' ');
  return vscode.Uri.from({ scheme: systemPromptScheme, path: `/${file}.md`, query });
}

/** @returns undefined for an address that isn't of `promptUri`. */
export function ownerOf({ query }: vscode.Uri): PromptOwner | undefined {
  const [, place, id = '', model] = /^(conversation|model|connection) ([\w-]{1,64})(?: (.+))?$/s.exec(query) ?? [];
  switch (place) {
    case 'conversation':
      return { place, conversation: id };
    case 'connection':
      return { place, connection: id };
    case 'model':
      return model === undefined ? undefined : { place, connection: id, model };
    default:
      return undefined;
  }
}
