import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { type CodeContext, isCode, newPieces } from '../../core/chat/context/prompt.ts';
import { type NamedPrompt, promptVariables } from '../../core/chat/prompts/namedPrompt.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { FoundView, PanelMessage } from '../../protocol/protocol.ts';
import { pickContext } from '../code/addContext.ts';
import { type ContextSources, findContext } from '../code/contextFinder.ts';
import { pastedCode } from '../code/fileContexts.ts';
import { showContext } from '../code/filePlaces.ts';
import {
  type FoundContext,
  foundView,
  type IncludableContext,
  matching,
  promptRow,
  type ReadContext,
  readAll,
} from '../code/foundContext.ts';
import { allPrompts, fillPrompt, type ReadyPrompt } from '../code/promptContext.ts';
import { droppedFiles, notesText, readFiles } from '../code/readFiles.ts';
import type { Log } from '../ui/log.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import type { PanelUpdates } from './panelUpdates.ts';

/** How many prompts a list shows. */
const maxPrompts = 30;
/** How many sentences about prompts that were left out are shown. */
const maxProblems = 3;

/** Handles what a panel's page asks about context and prompts: finds them by name, and adds them to the question. */
export class ContextRequests {
  readonly #live: LiveConversation;
  readonly #updates: PanelUpdates;
  readonly #sources: ContextSources;
  readonly #log: Log;
  /** The last list that was sent to the page. */
  #found: readonly FoundContext[] = [];
  /** The request that the list answers, while it may still change. */
  #request: number | undefined;

  constructor(live: LiveConversation, updates: PanelUpdates, sources: ContextSources, log: Log) {
    this.#live = live;
    this.#updates = updates;
    this.#sources = sources;
    this.#log = log;
  }

  /** Adds context to the question, each piece once. It is dropped if another question is in the composer by then. */
  async add(read: () => Promise<readonly CodeContext[]>): Promise<void> {
    const { edit } = this.#live.conversation;
    const added = this.#live.scan(await read());
    if (edit?.turnId !== this.#live.conversation.edit?.turnId) {
      return;
    }
    const { contexts } = this.#live.composed;
    this.#live.setDraft({ contexts: [...contexts, ...newPieces(added, contexts)] });
  }

  /** Shows where a piece of context of the conversation comes from, or its text if it comes from no file. */
  async open(
    id: string,
    { documents, column }: { readonly documents: ShownTexts; readonly column: vscode.ViewColumn },
  ): Promise<void> {
    const { composed, conversation } = this.#live;
    const all = [composed, ...conversation.turns].flatMap(({ contexts }) => contexts);
    const context = all.find((each) => each.id === id);
    if (context?.kind === 'pasted') {
      await documents.show(`${l10n.t('Pasted Code')}.txt`, id, context.text, column);
    } else if (context?.kind === 'terminal') {
      if (!this.#sources.terminals.show(id)) {
        await documents.show(`${l10n.t('Terminal Output')}.txt`, id, context.text, column);
      }
    } else if (context !== undefined) {
      await showContext(context, column);
    }
  }

  /** Posts what the question can include. The page waits for an answer, so a failure has one too. */
  async find({ request, query }: Extract<PanelMessage, { type: 'findContext' }>): Promise<void> {
    this.#request = request;
    this.#post(request, await this.#find(query));
  }

  /** Posts the prompts whose names match, and which of the person's own were left out. */
  async findPrompts({ request, query }: Extract<PanelMessage, { type: 'findPrompts' }>): Promise<void> {
    this.#request = request;
    let problems: readonly string[] = [];
    const rows = await this.#orNone(
      // Read for each letter: a name that is found no more, or not yet, would be sent as a question.
      allPrompts(this.#sources).then((found) => {
        ({ problems } = found);
        const all = found.prompts.map(promptRow);
        return query === '' ? all : matching(all, query, maxPrompts);
      }),
    );
    this.#post(request, rows);
    if (query === '' && problems.length > 0) {
      this.#updates.post({ type: 'notAdded', reason: sentences(...problems.slice(0, maxProblems)), isNote: true });
    }
  }

  /**
   * Includes a row of the last list, searches with it, or runs it if it's a prompt.
   *
   * @returns whether the person was asked for something, so that the focus is elsewhere.
   */
  async include(id: string): Promise<boolean> {
    const found = this.#found.find((row) => row.id === id);
    const request = this.#request;
    if (found === undefined || request === undefined) {
      this.#updates.post({ type: 'prompt', id });
      return false;
    }
    if ('prompt' in found) {
      this.#request = undefined;
      return this.#run(id, found.prompt);
    }
    if ('search' in found) {
      const searching: FoundContext = { ...found, detail: l10n.t('Searching…') };
      this.#post(
        request,
        this.#found.map((row) => (row === found ? searching : row)),
      );
      const rows = await this.#orNone(found.search());
      if (rows.length === 0 && this.#request === request) {
        this.#updates.postWhenReady({ type: 'notAdded', reason: l10n.t('No symbols were found.') });
      }
      this.#post(request, rows);
      return false;
    }
    this.#request = undefined;
    await this.#addRead(() => this.#read(found));
    return false;
  }

  /** Includes what the person picks in *Add Context*. */
  async pick(): Promise<void> {
    const picked = await pickContext((query) => this.#find(query), this.#viewOf);
    await this.#addRead(() => readAll(picked.map((row) => () => this.#read(row))));
  }

  /** Includes files that were dropped on the page. */
  async addDropped(addresses: readonly string[]): Promise<void> {
    const { uris, refused } = droppedFiles(addresses);
    await this.addFiles(uris, refused);
  }

  /** Includes files and folders that the person chose. @param refused sentences about others. */
  async addFiles(uris: readonly vscode.Uri[], refused: readonly string[] = []): Promise<void> {
    await this.#addRead(async () => {
      const { pieces, notes } = await readFiles(uris, this.#sources.files);
      const { contexts } = this.#live.composed;
      const repeated = pieces.filter((piece) => newPieces([piece], contexts).length === 0);
      return { pieces, notes: [...refused, ...notes, ...repeated.map(({ path }) => includedText(path))] };
    });
  }

  /** Includes code that was copied from an editor, unless a piece of context has these lines already. */
  async addPasted({ text, language }: Extract<PanelMessage, { type: 'addPasted' }>): Promise<void> {
    const piece = pastedCode(text, language, this.#sources.lastEditor);
    const { contexts } = this.#live.unmask(this.#live.composed);
    // The same lines of two files are two pieces: the question may be about them.
    const isElsewhere = (each: CodeContext) => isCode(each) && isCode(piece) && each.path !== piece.path;
    const isIncluded = contexts.some((each) => !isElsewhere(each) && codeOf(each).includes(codeOf(piece)));
    const label = piece.path === '' ? l10n.t('The pasted code') : `${piece.path} ${piece.startLine}–${piece.endLine}`;
    const included = { pieces: [], notes: [includedText(label)], isOnlyNote: true };
    await this.#addRead(async () => (isIncluded ? included : { pieces: [piece] }));
  }

  /** Reads a row of a list; says so if the question has all of it already. */
  async #read({ label, read }: IncludableContext): Promise<ReadContext> {
    const found = await read();
    const isIncluded = found.pieces.length > 0 && newPieces(found.pieces, this.#live.composed.contexts).length === 0;
    return isIncluded ? { pieces: [], notes: [includedText(label)], isOnlyNote: true } : found;
  }

  /** Adds what is read; says why something isn't. */
  async #addRead(read: () => Promise<ReadContext>): Promise<void> {
    let reason = '';
    let isNote = false;
    await this.add(async () => {
      const { pieces, notes = [], isOnlyNote = false } = await read();
      reason = notesText(notes);
      isNote = isOnlyNote;
      return pieces;
    });
    // The page drops an earlier reason when the context changes.
    this.#updates.composer();
    if (reason !== '') {
      this.#updates.postWhenReady({ type: 'notAdded', reason, isNote: isNote || undefined });
    }
  }

  /** Includes what a prompt refers to, and posts its text. Nothing is changed when the person cancels. */
  async #run(id: string, prompt: NamedPrompt): Promise<boolean> {
    let ready: ReadyPrompt | undefined;
    try {
      ready = await fillPrompt(prompt, this.#sources);
      const { pieces = [] } = ready ?? {};
      await this.add(async () => pieces);
      this.#updates.composer();
    } finally {
      // The page waits for an answer.
      this.#updates.post({ type: 'prompt', id, ...(ready && { text: ready.text }) });
    }
    if (ready !== undefined && ready.notes.length > 0) {
      this.#updates.post({ type: 'notAdded', reason: sentences(...new Set(ready.notes)), isNote: true });
    }
    return promptVariables(prompt.text).some(({ kind }) => kind === 'input');
  }

  #post(request: number, rows: readonly FoundContext[]): void {
    if (this.#request === request) {
      this.#found = rows;
      this.#updates.post({ type: 'found', request, rows: rows.map(this.#viewOf) });
    }
  }

  readonly #viewOf = (found: FoundContext): FoundView => {
    return foundView(found, this.#live.composed.contexts, this.#updates.tokenFactor);
  };

  #find(query: string): Promise<readonly FoundContext[]> {
    return this.#orNone(findContext(query, this.#sources));
  }

  async #orNone(finding: Promise<readonly FoundContext[]>): Promise<readonly FoundContext[]> {
    try {
      return await finding;
    } catch (error) {
      this.#log.defect('Context by name', error);
      return [];
    }
  }
}

/** The text of a piece without what copying may change: the kind of its line breaks, and one at its end. */
function codeOf({ text }: CodeContext): string {
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function includedText(label: string): string {
  return l10n.t('{0} is already included.', label);
}
