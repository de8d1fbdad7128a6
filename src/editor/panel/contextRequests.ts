import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type CodeContext, newPieces } from '../../core/chat/context/prompt.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PanelMessage } from '../../protocol.ts';
import { type ContextFinderDeps, findContext } from '../code/contextFinder.ts';
import { type FoundContext, foundView } from '../code/foundContext.ts';
import type { Log } from '../ui/log.ts';
import type { PanelUpdates } from './panelUpdates.ts';

export type ContextRequestsDeps = ContextFinderDeps & {
  readonly chat: Chat;
  readonly updates: PanelUpdates;
  readonly log: Log;
};

/** Handles what a panel's page asks about context: finds it by name, and includes it in the question. */
export class ContextRequests implements vscode.Disposable {
  readonly #deps: ContextRequestsDeps;
  /** The last list that was sent to the page. */
  #found: readonly FoundContext[] = [];
  /** The request that the list answers, while it may still change. */
  #request: number | undefined;
  #changes: vscode.Disposable | undefined;

  constructor(deps: ContextRequestsDeps) {
    this.#deps = deps;
  }

  /** Adds context to the question, each piece once. It is dropped if another question is in the composer by then. */
  async add(read: () => Promise<readonly CodeContext[]>): Promise<void> {
    const { chat } = this.#deps;
    const { edit } = chat.conversation;
    const added = await read();
    if (edit?.turnId !== chat.conversation.edit?.turnId) {
      return;
    }
    const { contexts } = chat.composed;
    chat.setDraft({ contexts: [...contexts, ...newPieces(added, contexts)] });
  }

  /** Posts what the question can include, and again whenever more files are known. */
  async find({ request, query }: Extract<PanelMessage, { type: 'findContext' }>): Promise<void> {
    this.#changes?.dispose();
    this.#request = request;
    const find = async () => {
      // The page waits for an answer when a key was pressed before it, so a failure has one too.
      await this.#post(request, await this.#orNone(findContext(this.#deps, query)));
    };
    this.#changes = this.#deps.files.onDidChange(() => void find());
    await find();
  }

  /** Includes a row of the last list, or searches with it. */
  async include(id: string): Promise<void> {
    const { chat, updates } = this.#deps;
    const found = this.#found.find((row) => row.id === id);
    this.#changes?.dispose();
    const request = this.#request;
    if (found === undefined || request === undefined) {
      return;
    }
    if ('search' in found) {
      const searching: FoundContext = { ...found, detail: l10n.t('Searching…') };
      await this.#post(
        request,
        this.#found.map((row) => (row === found ? searching : row)),
      );
      const rows = await this.#orNone(found.search());
      if (rows.length === 0 && this.#request === request) {
        updates.post({ type: 'notAdded', reason: l10n.t('No symbols were found in the workspace.') });
      }
      return this.#post(request, rows);
    }
    this.#request = undefined;
    await this.add(async () => {
      const { pieces, note } = await found.read();
      const isIncluded = pieces.length > 0 && newPieces(pieces, chat.composed.contexts).length === 0;
      const reason = isIncluded ? l10n.t('{0} is already included.', found.label) : note;
      if (reason !== undefined) {
        updates.post({ type: 'notAdded', reason });
      }
      return pieces;
    });
    updates.composer();
  }

  /** Posts a list, and again when the tokens of its rows are known. */
  async #post(request: number, rows: readonly FoundContext[]): Promise<void> {
    const { chat, updates } = this.#deps;
    if (this.#request !== request) {
      return;
    }
    this.#found = rows;
    const { contexts } = chat.composed;
    updates.post({ type: 'found', request, rows: rows.map((row) => foundView(row, undefined, contexts)) });
    const tokens = await Promise.all(
      rows.map((row) => ('countTokens' in row && row.countTokens ? row.countTokens() : undefined)),
    );
    if (this.#found === rows && this.#request === request && tokens.some((count) => count !== undefined)) {
      updates.post({ type: 'found', request, rows: rows.map((row, at) => foundView(row, tokens[at], contexts)) });
    }
  }

  async #orNone(finding: Promise<readonly FoundContext[]>): Promise<readonly FoundContext[]> {
    try {
      return await finding;
    } catch (error) {
      this.#deps.log.defect('Context by name', error);
      return [];
    }
  }

  dispose(): void {
    this.#changes?.dispose();
    this.#request = undefined;
  }
}
