import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, Emitter } from '../../core/base/lifetime.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { contextsBefore } from '../../core/chat/conversation/messagesFor.ts';
import type { ComposerView } from '../../protocol/protocol.ts';
import type { ReadContext } from '../code/foundContext.ts';
import { readFileContext } from '../code/readFiles.ts';
import type { WorkspaceFiles } from '../code/workspaceFiles.ts';
import { shownPath } from '../ui/lastEditor.ts';

/** The files, in each folder of the workspace. */
const names = ['AGENTS.md', '.github/copilot-instructions.md'] as const;
/** How many folders of a workspace are searched. */
const maxFolders = 10;
const setting = 'askModel.context.offerInstructionFiles';

/**
 * The files with instructions for models in a trusted workspace. They are offered, and included in a question only when
 * the person chooses one.
 */
export class InstructionFiles implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** Fires when other files are offered. */
  readonly onDidChange = this.#didChange.event;
  #found: readonly vscode.Uri[] = [];
  #search = 0;

  constructor() {
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(setting) && this.refresh()),
    );
  }

  /** Looks for the files again, unless the setting is off or the workspace isn't trusted. */
  refresh(): void {
    const search = ++this.#search;
    const isOn = vscode.workspace.isTrusted && vscode.workspace.getConfiguration().get<unknown>(setting) !== false;
    const folders = isOn ? (vscode.workspace.workspaceFolders ?? []) : [];
    const uris = folders.slice(0, maxFolders).flatMap(({ uri }) => names.map((name) => vscode.Uri.joinPath(uri, name)));
    void Promise.all(uris.map(async (uri) => ((await hasText(uri)) ? [uri] : []))).then((all) => {
      const found = all.flat();
      if (search === this.#search && String(found) !== String(this.#found)) {
        this.#found = found;
        this.#didChange.fire();
      }
    });
  }

  /** What the composer of a conversation offers: the files that are not sent already. */
  offers(conversation: Conversation): NonNullable<ComposerView['offers']> {
    const { edit, draft } = conversation;
    const sent = new Set([...contextsBefore(conversation), ...(edit ?? draft).contexts].map(({ path }) => path));
    return this.#found
      .map((uri) => ({ id: uri.toString(), label: shownPath(uri) }))
      .filter(({ label }) => !sent.has(label))
      .map((each) => ({ ...each, hint: l10n.t('Instructions of this workspace. Sent only if you include them.') }));
  }

  /** Reads an offered file; nothing if it isn't offered any more. */
  async read(id: string, files: Pick<WorkspaceFiles, 'follow'>): Promise<ReadContext> {
    const uri = vscode.workspace.isTrusted ? this.#found.find((each) => each.toString() === id) : undefined;
    if (uri === undefined) {
      return { pieces: [] };
    }
    const { pieces, ...rest } = await readFileContext(uri, files);
    return { pieces: pieces.map((piece) => ({ ...piece, kind: 'instructions' })), ...rest };
  }

  dispose(): void {
    this.#store.dispose();
  }
}

async function hasText(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0 && size > 0;
  } catch {
    return false;
  }
}
