import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { DisposableStore } from '../../core/base/lifetime.ts';
import { shortLine } from '../../core/base/shortLine.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { type PlacedDefaults, placedDefaults, sentPrompt } from '../../core/chat/conversation/sentParameters.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import {
  type ParameterChange,
  type QuestionDefaults,
  readParameterText,
  systemPromptProblem,
  withChanges,
} from '../../core/connections/questionDefaults.ts';
import { askText } from '../ui/askText.ts';
import type { Log } from '../ui/log.ts';
import { pickRow, type Row } from '../ui/quickPick.ts';
import { type PromptFiles, systemPromptScheme } from '../ui/registrations.ts';

/** A file in which something is set for the questions of a conversation, of a connection, or of one of its models. */
export type SettingFile = {
  readonly kind: 'systemPrompt' | 'parameters';
  readonly place: PlacedDefaults['place'];
  /** Of the conversation or the connection. */
  readonly id: string;
  readonly model?: string;
};

/** A file, the name of its model or connection, and what is set in it. */
type Owner = Omit<SettingFile, 'kind'> & QuestionDefaults & { readonly name: string };

/** The two commands that edit what is set for a question. */
export type EditSettings = 'editSystemPrompt' | 'editParameters';

type Conversations = {
  /** @returns undefined when it no longer exists. */
  find(id: string): Promise<Conversation | undefined>;
  /** @returns false when it no longer exists. */
  change(id: string, change: (chat: LiveConversation) => void): Promise<boolean>;
  /** Stores a conversation of this window, also when nothing was asked in it yet. */
  begin(id: string): void;
};

const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };

/** The efforts that most models with this parameter have; a model may have others, which are set in the file. */
const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/**
 * What a person sets to be sent with questions: a system prompt and parameters, each for a conversation, a model or a
 * connection. They are edited in files of VS Code, so that a text can have many lines and survives a reload before it is
 * saved; a reasoning effort is picked.
 */
export class QuestionSettings implements PromptFiles {
  readonly #log: Log;
  readonly #connections: Pick<Connections, 'active' | 'find' | 'readKeys' | 'setSystemPrompt' | 'setParameters'>;
  readonly #conversations: Conversations;
  readonly #stored: Pick<ConversationStore, 'isOnDisk'>;
  readonly #problems: vscode.DiagnosticCollection;

  constructor(
    store: DisposableStore,
    log: Log,
    connections: Pick<Connections, 'active' | 'find' | 'readKeys' | 'setSystemPrompt' | 'setParameters'>,
    conversations: Conversations,
    stored: Pick<ConversationStore, 'isOnDisk'>,
  ) {
    this.#log = log;
    this.#connections = connections;
    this.#conversations = conversations;
    this.#stored = stored;
    this.#problems = store.add(vscode.languages.createDiagnosticCollection('ask-model'));
    store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#check(document)));
    store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#problems.delete(uri)));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    // Always a new time: VS Code then compares the size before it saves, and reads the text when it shows the file again.
    return { type: vscode.FileType.File, ctime: 0, mtime: Date.now(), size: length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const file = fileOf(uri);
    const text = file && (await this.#read(file));
    if (text === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return new TextEncoder().encode(text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const file = fileOf(uri);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    // Without the keys, one that is shaped like no known kind would be saved.
    await this.#connections.readKeys();
    const [problem] = file ? this.#problemsOf(file, text) : [];
    if (problem) {
      throw vscode.FileSystemError.Unavailable(problem.text);
    }
    if (file === undefined || !(await this.#write(file, text))) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  }

  /**
   * *Edit System Prompt*: shows which of the three is sent with the next question, and opens the one that is picked.
   *
   * @param conversation undefined where none is open.
   * @param model exact id of the model that is asked next.
   * @returns whether a file was opened.
   */
  async editSystemPrompt(conversation?: Conversation, model?: string, column?: vscode.ViewColumn): Promise<boolean> {
    const { active } = this.#connections;
    const sent = sentPrompt(conversation ?? {}, active, model);
    const inherited = sentPrompt({}, active, model);
    const rows: Row<() => Promise<boolean>>[] = ownersOf(conversation, active, model).map((owner) => ({
      value: () => this.#edit({ ...owner, kind: 'systemPrompt' }, owner.name, column),
      ...labelOf(owner),
      description: promptState(owner.systemPrompt, sent?.place === owner.place),
      detail: owner.systemPrompt?.trim() ? shortLine(owner.systemPrompt, 100) : undefined,
    }));
    if (conversation && (conversation.systemPrompt !== undefined || inherited)) {
      const isSet = conversation.systemPrompt !== undefined;
      rows.push(separator, {
        value: async () => {
          await this.#conversations.change(conversation.id, (chat) => chat.setSystemPrompt(isSet ? undefined : ''));
          return false;
        },
        label: !isSet
          ? l10n.t('Send No System Prompt in This Conversation')
          : inherited
            ? l10n.t('Use the System Prompt of the Model or Connection Again')
            : l10n.t('Remove the System Prompt of This Conversation'),
        iconPath: new vscode.ThemeIcon(isSet ? 'discard' : 'circle-slash'),
      });
    }
    const placeholder = l10n.t('Only the first one that is set is sent. Select one to edit it, then save the file.');
    const picked = await pickRow({ title: l10n.t('System Prompt'), placeholder, rows });
    return (await picked.value?.()) ?? false;
  }

  /**
   * *Edit Parameters*: sets the effort of the conversation or, where none is open, of the model, and opens the file with
   * all parameters of the one that is picked.
   *
   * @returns whether a file was opened.
   */
  async editParameters(conversation?: Conversation, model?: string, column?: vscode.ViewColumn): Promise<boolean> {
    const owners = ownersOf(conversation, this.#connections.active, model);
    const [owner, ...others] = owners;
    if (owner === undefined) {
      return false;
    }
    const own = owner.parameters?.reasoningEffort;
    const inherited = others.map(({ parameters }) => parameters?.reasoningEffort).find((each) => each !== undefined);
    const effortRow = (effort: string | null | undefined, label: string, description?: string) => ({
      value: async () => {
        await this.#setParameters(owner, { reasoningEffort: effort });
        return false;
      },
      label,
      description,
      iconPath: new vscode.ThemeIcon(effort === own ? 'check' : 'blank'),
    });
    const rows: Row<() => Promise<boolean>>[] = [
      ...(inherited
        ? [effortRow(undefined, l10n.t('Not Set Here'), inherited), effortRow(null, l10n.t('Default of the Model'))]
        : [effortRow(undefined, l10n.t('Default of the Model'))]),
      ...[...new Set([...efforts, ...(own ? [own] : [])])].map((effort) => effortRow(effort, effort)),
      separator,
      ...owners.map((each) => ({
        value: () => this.#edit({ ...each, kind: 'parameters' }, each.name, column),
        iconPath: labelOf(each).iconPath,
        label: fileName({ ...each, kind: 'parameters' }, each.name),
        description: each.parameters ? shortLine(JSON.stringify(each.parameters)) : l10n.t('not set'),
      })),
    ];
    const picked = await pickRow({
      title: l10n.t('Reasoning Effort and Parameters'),
      placeholder: l10n.t('Select how much a model reasons before it answers. Reasoning is charged as output.'),
      rows,
    });
    return (await picked.value?.()) ?? false;
  }

  /** Opens the file with what is set for a connection. */
  openOfConnection({ id, name }: Connection, kind: SettingFile['kind']): Promise<boolean> {
    return this.#edit({ kind, place: 'connection', id }, name);
  }

  /** @returns whether a file was opened. */
  async #edit(file: SettingFile, name: string, viewColumn?: vscode.ViewColumn): Promise<boolean> {
    if (file.place === 'conversation' && !(await this.#stored.isOnDisk(file.id))) {
      // VS Code backs up the text of unsaved files on disk, but not that of an input box, which has one line.
      await this.#askText(file, name);
      return false;
    }
    const document = await vscode.workspace.openTextDocument(fileUri(file, name), { encoding: 'utf8' });
    await vscode.window.showTextDocument(document, { preview: false, viewColumn });
    return true;
  }

  async #askText(file: SettingFile, name: string): Promise<void> {
    const text = (await this.#read(file)) ?? '';
    await askText<string, boolean>({
      title: fileName(file, name),
      value: file.kind === 'parameters' ? text.replace(/\s*\n\s*/g, ' ').trim() : text,
      prompt: () => l10n.t("This conversation isn't saved on disk, so this has one line and no file."),
      read: (typed) => {
        const [problem] = this.#problemsOf(file, typed);
        return problem ? { ok: false, reason: problem.text } : { ok: true, value: typed };
      },
      accept: async (typed) => ({ done: await this.#write(file, typed) }),
    });
  }

  /** What is set for the owner of a file; undefined when it no longer exists. */
  async #settings({ place, id, model }: Omit<SettingFile, 'kind'>): Promise<QuestionDefaults | undefined> {
    if (place === 'conversation') {
      return this.#conversations.find(id);
    }
    const connection = this.#connections.find(id);
    return connection && placedDefaults({}, connection, model).find((each) => each.place === place);
  }

  /** The text of a file, blank where nothing is set; undefined when its owner no longer exists. */
  async #read(file: SettingFile): Promise<string | undefined> {
    const settings = await this.#settings(file);
    if (file.kind === 'systemPrompt') {
      return settings && (settings.systemPrompt ?? '');
    }
    return settings && `${JSON.stringify(settings.parameters ?? {}, undefined, 2)}\n`;
  }

  /** @returns false when the owner no longer exists. */
  async #write(file: SettingFile, text: string): Promise<boolean> {
    const { kind, place, id, model } = file;
    if (kind === 'parameters') {
      // Those that can't be used are not in the file, and stay as they are written.
      const shown = Object.keys((await this.#settings(file))?.parameters ?? {});
      const unset = Object.fromEntries(shown.map((name) => [name, undefined]));
      return this.#setParameters(file, { ...unset, ...readParameterText(text, place).parameters });
    }
    const prompt = text.trim() === '' ? undefined : text;
    if (place === 'conversation') {
      return this.#conversations.change(id, (chat) => chat.setSystemPrompt(prompt));
    }
    const connection = this.#connections.find(id);
    await (connection && this.#connections.setSystemPrompt(connection, model, prompt));
    return connection !== undefined;
  }

  async #setParameters({ place, id, model }: Omit<SettingFile, 'kind'>, change: ParameterChange): Promise<boolean> {
    if (place === 'conversation') {
      return this.#conversations.change(id, (chat) =>
        chat.setParameters(withChanges(chat.conversation.parameters, change)),
      );
    }
    const connection = this.#connections.find(id);
    await (connection && this.#connections.setParameters(connection, model, change));
    return connection !== undefined;
  }

  /** Why a text can't be saved: sentences, with the field of the parameters that each is about. */
  #problemsOf(
    { kind, place }: SettingFile,
    text: string,
  ): readonly { readonly text: string; readonly field?: string }[] {
    const hasKey = (each: string) => this.#log.redact(each) !== each;
    if (kind === 'parameters') {
      return readParameterText(text, place, hasKey).problems;
    }
    const problem = systemPromptProblem(text, hasKey);
    return problem === undefined ? [] : [{ text: problem }];
  }

  /** Underlines what can't be saved while it is typed: VS Code's message about saving has much before the reason. */
  #check(document: vscode.TextDocument): void {
    const { uri } = document;
    const file = uri.scheme === systemPromptScheme ? fileOf(uri) : undefined;
    if (file === undefined) {
      return;
    }
    const text = document.getText();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const rangeOf = (field: string | undefined) => {
      const at = field === undefined ? -1 : text.indexOf(JSON.stringify(field));
      return at < 0 ? whole : document.lineAt(document.positionAt(at).line).range;
    };
    const problems = this.#problemsOf(file, text);
    this.#problems.set(
      uri,
      problems.map((each) => new vscode.Diagnostic(rangeOf(each.field), each.text)),
    );
    if (document.isDirty && file.place === 'conversation') {
      // VS Code restores what is typed after a reload: the conversation must exist then.
      this.#conversations.begin(file.id);
    }
  }
}

/** What can be set for the next question, the first of them first. */
function ownersOf(
  conversation: Conversation | undefined,
  connection: Connection | undefined,
  model: string | undefined,
): Owner[] {
  const owners = {
    conversation: conversation && { id: conversation.id, name: '' },
    model: connection && model !== undefined ? { id: connection.id, model, name: model } : undefined,
    connection: connection && { id: connection.id, name: connection.name },
  };
  return placedDefaults(conversation ?? {}, connection, model).flatMap((each) => {
    const owner = owners[each.place];
    return owner ? [{ ...each, ...owner }] : [];
  });
}

function labelOf({ place, name }: Owner): { readonly label: string; readonly iconPath: vscode.ThemeIcon } {
  return {
    conversation: { label: l10n.t('This Conversation'), iconPath: new vscode.ThemeIcon('comment') },
    model: { label: l10n.t('Model {0}', name), iconPath: new vscode.ThemeIcon('hubot') },
    connection: { label: l10n.t('Connection {0}', name), iconPath: new vscode.ThemeIcon('plug') },
  }[place];
}

function promptState(text: string | undefined, isSent: boolean): string {
  if (text === undefined) {
    return l10n.t('not set');
  }
  return text.trim() === '' ? l10n.t('none is sent') : isSent ? l10n.t('sent') : l10n.t('set, but not sent now');
}

function fileName({ kind, place }: SettingFile, name: string): string {
  if (kind === 'parameters') {
    return place === 'conversation' ? l10n.t('Parameters of This Conversation') : l10n.t('Parameters of {0}', name);
  }
  return place === 'conversation' ? l10n.t('System Prompt of This Conversation') : l10n.t('System Prompt of {0}', name);
}

/**
 * The address of a file. VS Code writes addresses to disk, so that of a conversation contains nothing of it but its id.
 * The manifest gives the files of parameters a schema by their folder.
 *
 * @param name of the model or connection; it is part of the file's name.
 */
export function fileUri(file: SettingFile, name: string): vscode.Uri {
  const { kind, place, id, model } = file;
  const shown = fileName(file, visibleName(name).replace(/[\\/]+/g, ' '));
  const path = kind === 'systemPrompt' ? `/${shown}.md` : `/.ask-model-parameters/${shown}.json`;
  const query = [place, id, ...(model === undefined ? [] : [model])].join(' ');
  return vscode.Uri.from({ scheme: systemPromptScheme, path, query });
}

/** @returns undefined for an address that isn't of `fileUri`. */
export function fileOf({ path, query }: Pick<vscode.Uri, 'path' | 'query'>): SettingFile | undefined {
  const [, place, id = '', model] = /^(conversation|model|connection) ([\w-]{1,64})(?: (.+))?$/s.exec(query) ?? [];
  const kind = path.endsWith('.json') ? 'parameters' : 'systemPrompt';
  switch (place) {
    case 'conversation':
    case 'connection':
      return { kind, place, id };
    case 'model':
      return model === undefined ? undefined : { kind, place, id, model };
    default:
      return undefined;
  }
}
