import * as vscode from 'vscode';
import type texts from '../../../package.nls.json';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { LastEditor } from './lastEditor.ts';

/** All commands, by their titles in the manifest: `command.ask` is that of `askModel.ask`. */
export type CommandId = keyof {
  [Title in keyof typeof texts as Title extends `command.${infer Name}` ? `askModel.${Name}` : never]: never;
};

/** The rows of a tree. */
export type TreeRows = {
  getChildren(row?: unknown): readonly unknown[] | Promise<readonly unknown[]>;
  getTreeItem(row: unknown): vscode.TreeItem;
  /** Only for a tree whose rows can be revealed. */
  getParent?(row: unknown): unknown;
  /** Adds a tooltip, just before VS Code shows it. */
  resolveTreeItem?(item: vscode.TreeItem, row: unknown): Promise<vscode.TreeItem>;
};

/** A tree view whose rows are loaded when it is first shown. */
export class LazyTree extends DisposableStore implements vscode.TreeDataProvider<unknown> {
  readonly view: vscode.TreeView<unknown>;
  readonly #load: () => Promise<TreeRows>;
  readonly #didChange = this.add(new vscode.EventEmitter<unknown>());
  readonly onDidChangeTreeData = this.#didChange.event;
  #rows: TreeRows | undefined;

  constructor(id: string, load: () => Promise<TreeRows>) {
    super();
    this.#load = load;
    this.view = this.add(
      vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true, canSelectMany: true }),
    );
  }

  /** @param row to paint with those below it; by default all. */
  repaint(row?: unknown): void {
    this.#didChange.fire(row);
  }

  async getChildren(row?: unknown): Promise<unknown[]> {
    this.#rows ??= await this.#load();
    return [...(await this.#rows.getChildren(row))];
  }

  getTreeItem(row: unknown): vscode.TreeItem | Promise<vscode.TreeItem> {
    // Synchronous when possible, since VS Code calls this for each of thousands of rows.
    return this.#rows?.getTreeItem(row) ?? this.#load().then((rows) => rows.getTreeItem(row));
  }

  getParent(row: unknown): unknown {
    return this.#rows?.getParent?.(row);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: unknown): Promise<vscode.TreeItem> {
    return (await this.#rows?.resolveTreeItem?.(item, row)) ?? item;
  }
}

/** Same as in the manifest. */
const vendor = 'ask-model';

/**
 * Registers a language model provider that is loaded on its first call. It is registered even without a connection,
 * because VS Code activates the extension to get its models; the change event announces a later connection. In an
 * editor without this API, or where registering fails, the rest of the extension works.
 */
export function offerLanguageModels<Model extends vscode.LanguageModelChatInformation>(
  load: () => Promise<vscode.LanguageModelChatProvider<Model>>,
): vscode.Disposable {
  const store = new DisposableStore();
  const didChange = store.add(new vscode.EventEmitter<void>());
  const open = once(async () => {
    const provider = await load();
    const changed = provider.onDidChangeLanguageModelChatInformation?.(() => didChange.fire());
    if (changed) {
      store.add(changed);
    }
    return provider;
  });
  const lazy: vscode.LanguageModelChatProvider<Model> = {
    onDidChangeLanguageModelChatInformation: didChange.event,
    provideLanguageModelChatInformation: async (...args) => (await open()).provideLanguageModelChatInformation(...args),
    provideLanguageModelChatResponse: async (...args) => (await open()).provideLanguageModelChatResponse(...args),
    provideTokenCount: async (...args) => (await open()).provideTokenCount(...args),
  };
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (typeof lm?.registerLanguageModelChatProvider === 'function') {
    try {
      store.add(lm.registerLanguageModelChatProvider(vendor, lazy));
    } catch (error) {
      console.warn('Ask Model: this editor accepts no language model provider.', error);
    }
  }
  return store;
}

/** The scheme of the files that system prompts are edited in. The activation events name it too. */
export const systemPromptScheme = 'ask-model-system-prompt';

/** Reads and writes system prompts as if each was a file. */
export type PromptFiles = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile'>;

/** Registers the files of system prompts. What they need is loaded on their first use, also after a reload. */
export function offerPromptFiles(load: () => Promise<PromptFiles>): vscode.Disposable {
  const refuse = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return vscode.workspace.registerFileSystemProvider(
    systemPromptScheme,
    {
      // Saving compares with what is stored, so that nothing needs an event.
      onDidChangeFile: () => ({ dispose: () => undefined }),
      watch: () => ({ dispose: () => undefined }),
      stat: async (uri) => (await load()).stat(uri),
      readFile: async (uri) => (await load()).readFile(uri),
      writeFile: async (uri, content, options) => (await load()).writeFile(uri, content, options),
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );
}

/** Shows the actions of an editor in its context menu and on problems. */
const editorSetting = 'askModel.editorActions';

/**
 * Offers to explain and to fix problems, which need not be at the cursor: they can be chosen in the list of problems.
 *
 * @param lastEditor is told which: VS Code 1.134 lost the arguments of such commands.
 */
export function offerProblemActions(lastEditor: LastEditor): vscode.Disposable {
  const kind = vscode.CodeActionKind.QuickFix;
  const noteChosen = new WeakMap<vscode.CodeAction, () => void>();
  return vscode.languages.registerCodeActionsProvider(
    '*',
    {
      provideCodeActions: ({ uri }, _range, { diagnostics }) => {
        const ranges = diagnostics.map(({ range }) => range);
        const action = (command: CommandId, title: string) => {
          const made: vscode.CodeAction = { title, kind, command: { command, title } };
          noteChosen.set(made, () => lastEditor.chooseProblems(uri, ranges));
          return made;
        };
        return ranges.length > 0 && vscode.workspace.getConfiguration().get<unknown>(editorSetting) !== false
          ? [
              // Not the module of the other texts, which is loaded with the rest of the extension.
              action('askModel.fixProblem', vscode.l10n.t('Fix Problem with Ask Model')),
              action('askModel.explainProblem', vscode.l10n.t('Explain with Ask Model')),
            ]
          : [];
      },
      resolveCodeAction: (action) => {
        noteChosen.get(action)?.();
        return action;
      },
    },
    { providedCodeActionKinds: [kind] },
  );
}

/** Runs a command of this extension. */
export function runCommand(id: CommandId, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args);
}

export const keepSetting = 'askModel.conversations.keep';

/** Whether new conversations are stored on disk. */
export function isKeepingConversations(): boolean {
  return vscode.workspace.getConfiguration().get<unknown>(keepSetting) !== false;
}

/** The view type of the conversation panels. VS Code restores them by it; the activation events name it too. */
export const conversationViewType = 'askModel.conversation';

/** The view type of the usage view. VS Code restores it by this type; the activation events name it too. */
export const usageViewType = 'askModel.usage';
