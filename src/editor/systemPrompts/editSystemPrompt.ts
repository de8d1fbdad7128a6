import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { shortLine } from '../../core/chat/context/shortLine.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { inheritedPrompt, type PlacedPrompt, sentPrompt } from '../../core/chat/conversation/systemPrompt.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { askText } from '../ui/askText.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import type { StoredPrompts } from './promptFiles.ts';
import { type PromptOwner, promptUri } from './promptOwner.ts';

/** What a row does: opens the file of a prompt, or sets what the conversation sends. */
type Choice = { readonly edit: PromptOwner; readonly name: string } | { readonly set: '' | undefined };

/** What editing needs: where prompts are stored, and which texts can't be one. */
export type EditPromptDeps = {
  readonly prompts: StoredPrompts;
  /** Whether a conversation is on disk. If not, VS Code must not get its text to store either. */
  readonly isOnDisk: (conversation: string) => Promise<boolean>;
  /** Why a text can't be a system prompt, as a sentence. */
  readonly problemOf: (text: string) => string | undefined;
};

/**
 * *Edit System Prompt*: shows which of the three is sent with the next question, and opens the one that is picked.
 *
 * @param conversation undefined where none is open.
 * @param model exact id of the model that is asked next.
 */
export async function editSystemPrompt(
  connection: Connection | undefined,
  conversation: Conversation | undefined,
  model: string | undefined,
  deps: EditPromptDeps,
  column?: vscode.ViewColumn,
): Promise<void> {
  const sent = sentPrompt(conversation ?? {}, connection, model);
  const row = (
    place: PlacedPrompt['place'],
    icon: string,
    label: string,
    text: string | undefined,
    value: Choice,
  ): Row<Choice, never> => ({
    value,
    label,
    iconPath: new vscode.ThemeIcon(icon),
    description: stateText(text, sent?.place === place),
    ...(text !== undefined && text.trim() !== '' && { detail: shortLine(text, 100) }),
  });
  const rows: Row<Choice, never>[] = [];
  if (conversation) {
    const edit: PromptOwner = { place: 'conversation', conversation: conversation.id };
    const label = l10n.t('This Conversation');
    rows.push(row('conversation', 'comment', label, conversation.systemPrompt, { edit, name: '' }));
  }
  if (connection && model !== undefined) {
    const edit: PromptOwner = { place: 'model', connection: connection.id, model };
    const text = connection.modelSystemPrompts?.get(model);
    rows.push(row('model', 'hubot', l10n.t('Model {0}', model), text, { edit, name: model }));
  }
  if (connection) {
    const { id, name, systemPrompt } = connection;
    const edit: PromptOwner = { place: 'connection', connection: id };
    rows.push(row('connection', 'plug', l10n.t('Connection {0}', name), systemPrompt, { edit, name }));
  }
  rows.push(...conversationRows(conversation, inheritedPrompt(connection, model)));
  const picked = await pickRow<Choice>({
    title: l10n.t('System Prompt'),
    placeholder: l10n.t('Only the first one that is set is sent. Select one to edit it, then save the file.'),
    rows,
  });
  if (picked.status !== 'picked') {
    return;
  }
  const { value } = picked;
  if ('edit' in value) {
    const { edit } = value;
    const isInMemory = edit.place === 'conversation' && !(await deps.isOnDisk(edit.conversation));
    await (isInMemory ? askPrompt(edit, deps) : openPrompt(edit, value.name, column));
  } else if (conversation) {
    await deps.prompts.write({ place: 'conversation', conversation: conversation.id }, value.set);
  }
}

/** Asks in an input box, which has one line, because VS Code backs up the text of unsaved files on disk. */
async function askPrompt(owner: PromptOwner, { prompts, problemOf }: EditPromptDeps): Promise<void> {
  await askText<string, boolean>({
    title: l10n.t('System Prompt of This Conversation'),
    value: (await prompts.read(owner)) ?? '',
    prompt: () => l10n.t("This conversation isn't saved on disk, so its system prompt has one line and no file."),
    read: (text) => {
      const reason = problemOf(text);
      return reason === undefined ? { ok: true, value: text } : { ok: false, reason };
    },
    accept: async (text) => ({ done: await prompts.write(owner, text.trim() === '' ? undefined : text) }),
  });
}

/** Opens the file that a system prompt is edited in. */
export async function openPrompt(owner: PromptOwner, name: string, viewColumn?: vscode.ViewColumn): Promise<void> {
  const document = await vscode.workspace.openTextDocument(promptUri(owner, name), { encoding: 'utf8' });
  await vscode.window.showTextDocument(document, { preview: false, viewColumn });
}

function stateText(text: string | undefined, isSent: boolean): string {
  if (text === undefined) {
    return l10n.t('not set');
  }
  return text.trim() === '' ? l10n.t('none is sent') : isSent ? l10n.t('sent') : l10n.t('set, but not sent now');
}

/** The rows that change what the conversation sends without a text of its own. */
function conversationRows(
  conversation: Conversation | undefined,
  inherited: PlacedPrompt | undefined,
): Row<Choice, never>[] {
  if (!conversation || (conversation.systemPrompt === undefined && !inherited)) {
    return [];
  }
  const separator: Row<Choice, never> = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const remove = l10n.t('Remove the System Prompt of This Conversation');
  const change: Row<Choice, never> =
    conversation.systemPrompt === undefined
      ? {
          value: { set: '' },
          label: l10n.t('Send No System Prompt in This Conversation'),
          iconPath: icon('circle-slash'),
        }
      : {
          value: { set: undefined },
          label: inherited ? l10n.t('Use the System Prompt of the Model or Connection Again') : remove,
          iconPath: icon('discard'),
        };
  return [separator, change];
}

function icon(name: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name);
}
