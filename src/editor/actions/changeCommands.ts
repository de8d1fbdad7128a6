import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, sentences } from '../../core/base/localization.ts';
import { recordOf } from '../../core/base/loose.ts';
import { filesText } from '../../core/chat/context/contextText.ts';
import { newPieces } from '../../core/chat/context/prompt.ts';
import { commitQuestion, commitText } from '../../core/chat/prompts/commitMessage.ts';
import type { ContextSources } from '../code/contextFinder.ts';
import {
  type ChangesKind,
  type Commit,
  changedFiles,
  changesProblem,
  diffLimit,
  leftOutText,
  type ReadChanges,
  type Repository,
} from '../code/gitChanges.ts';
import { allPrompts, fillPrompt } from '../code/promptContext.ts';
import type { CommandQuestion } from '../sending/paidCalls.ts';
import { offerConversation } from '../sending/tellTrouble.ts';
import { nameOf } from '../ui/lastEditor.ts';
import { showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { pickOne, pickRow, type Row } from '../ui/quickPick.ts';
import { type AskDeps, askNow, askUnseen, type Ready, sendOnce } from './askCommands.ts';

const subjectCount = 10;
const listedCommits = 30;

/** The commands about the changes in a repository. */
export class ChangeCommands {
  readonly #asking: AskDeps;
  readonly #sources: ContextSources;
  /** The repositories that a message is being written for, by their addresses. */
  readonly #writing = new Map<string, { readonly root: vscode.Uri; readonly abort: AbortController }>();
  /** The last message written for a repository, by its address, with the note that it was written for. */
  readonly #written = new Map<string, { readonly message: string; readonly note: string }>();

  constructor(asking: AskDeps, sources: ContextSources) {
    this.#asking = asking;
    this.#sources = sources;
  }

  /**
   * *Write Commit Message*: writes one for the staged changes or, without any, for all, into the box of a repository.
   * What a person has in the box is a note to the model. It's replaced only by a whole message, and only while it's the same.
   *
   * @param source VS Code's argument in the title of a repository; without it, the person chooses one.
   */
  async writeMessage(source?: unknown): Promise<void> {
    const repository = await this.#repository(l10n.t('Write Commit Message'), source);
    const id = repository?.rootUri.toString();
    if (repository === undefined || id === undefined) {
      return;
    }
    const setting = vscode.workspace.getConfiguration().get<unknown>('askModel.commitMessage.model');
    const own = typeof setting === 'string' ? setting.trim() : '';
    const write = async (ready: Ready) => {
      const abort = new AbortController();
      this.#writing.set(id, { root: repository.rootUri, abort });
      await this.#showStop();
      try {
        return await this.#writeIn(repository, ready, abort, source !== undefined);
      } finally {
        this.#writing.delete(id);
        await this.#showStop();
      }
    };
    await sendOnce(this.#asking, ['commitMessage', id], write, undefined, own || undefined);
  }

  /** Stops the message that is being written for a repository. */
  stopMessage(source: unknown): void {
    this.#writing.get(rootOf(source) ?? '')?.abort.abort();
  }

  /** *Review Changes*, *Explain Changes*: asks about the changes that the person picks, with a prompt, in a panel. */
  async ask(prompt: 'review-changes' | 'explain-changes', title: string, source?: unknown): Promise<void> {
    const repository = await this.#repository(title, source);
    const kind = repository && (await this.#pickChanges(repository, title));
    const read = repository && kind && (await this.#read(repository, kind));
    const ready = kind && read && (await this.#question(prompt, wordsOf(kind), read));
    const caller = prompt === 'review-changes' ? 'review' : 'explain';
    await (ready && askNow(this.#asking, caller, ready.question, ready.contexts, false, 'panel'));
  }

  /** Shows *Stop* in the title of the repositories that a message is being written for. */
  async #showStop(): Promise<void> {
    // As addresses rather than texts, which VS Code's main process may spell in another way.
    const roots = [...this.#writing.values()].map(({ root }) => root);
    await vscode.commands.executeCommand('setContext', 'askModel.writingIn', roots);
  }

  /** @returns whether a question was sent, so that a second click is a repeat. */
  async #writeIn(repository: Repository, ready: Ready, abort: AbortController, isInView: boolean): Promise<boolean> {
    const { SourceControl, Notification } = vscode.ProgressLocation;
    const location = isInView ? SourceControl : Notification;
    const options = { location, title: l10n.t('Writing a commit message…'), stop: abort.signal };
    const before = { box: repository.inputBox.value, head: repository.state.HEAD?.commit };
    const id = repository.rootUri.toString();
    const last = this.#written.get(id);
    // A message that was left as it is isn't a note: a model that reads it writes the same again.
    const note = last?.message === before.box ? last.note : before.box;
    const prepare = (signal: AbortSignal) => this.#askForMessage(repository, ready, note, signal);
    const unused = l10n.t("The commit message wasn't written.");
    const again = () => this.writeMessage(repository);
    const { chat, reply } = await askUnseen(this.#asking, options, prepare, unused, again);
    if (chat && reply) {
      const message = commitText(reply.text);
      if (message === '') {
        void offerConversation(l10n.t('The answer has no commit message.'), chat.live.conversation.id);
      } else if (repository.inputBox.value === before.box && repository.state.HEAD?.commit === before.head) {
        repository.inputBox.value = message;
        this.#written.set(id, { message, note });
      } else {
        void offerMessage(repository, message);
      }
    }
    return chat !== undefined;
  }

  /** @returns undefined when there is nothing to ask about, or the person stopped. */
  async #askForMessage(
    repository: Repository,
    ready: Ready,
    note: string,
    signal: AbortSignal,
  ): Promise<CommandQuestion | undefined> {
    const staged = await this.#sources.changes.read(repository, 'staged');
    const kind = isEmpty(staged) ? 'uncommitted' : 'staged';
    const read = kind === 'staged' ? checked(staged) : await this.#read(repository, kind);
    const filled = read && (await this.#question('commit', wordsOf(kind), read));
    const subjects = (await this.#sources.changes.commits(repository, subjectCount)).map(({ subject }) => subject);
    return filled === undefined || signal.aborted
      ? undefined
      : {
          ...ready,
          caller: 'commitMessage',
          question: commitQuestion(filled.question, note, subjects),
          contexts: filled.contexts,
        };
  }

  /** The question of a prompt about changes. @returns undefined when the person cancelled. */
  async #question(name: string, words: string, { pieces, leftOut }: ReadChanges) {
    const { prompts } = await allPrompts(this.#sources);
    const prompt = prompts.find((each) => each.name === name);
    const changes = async () => ({ words, pieces });
    const ready = prompt && (await fillPrompt(prompt, this.#sources, changes));
    if (ready && ready.notes.length > 0) {
      void showInformationMessage(sentences(...new Set(ready.notes)));
    }
    return (
      ready && {
        question: [ready.text.trim(), ...(leftOut.length > 0 ? [leftOutText(leftOut)] : [])].join('\n\n'),
        // A prompt of the person's own may not name the changes.
        contexts: [...ready.pieces, ...newPieces(pieces, ready.pieces)],
      }
    );
  }

  /** Reads changes, or says that there are none or too many. */
  async #read(repository: Repository, kind: ChangesKind): Promise<ReadChanges | undefined> {
    const read = await this.#sources.changes.read(repository, kind);
    if (isEmpty(read)) {
      void showInformationMessage(l10n.t('{0} has no such changes.', nameOf(repository.rootUri)));
      return undefined;
    }
    return checked(read);
  }

  /** The repository that was clicked, the only one, or the one that the person picks; else says why there is none. */
  async #repository(title: string, source: unknown): Promise<Repository | undefined> {
    const problem = changesProblem();
    const { repositories } = this.#sources.changes;
    if (problem !== undefined || repositories.length === 0) {
      void showWarningMessage(problem ?? l10n.t('No Git repository is open.'));
      return undefined;
    }
    const root = rootOf(source);
    if (root !== undefined) {
      return repositories.find(({ rootUri }) => rootUri.toString() === root);
    }
    const row = (repository: Repository) => ({
      label: nameOf(repository.rootUri),
      description: filesText(changedFiles(repository)),
      detail: repository.rootUri.fsPath,
    });
    return pickOne(repositories, row, title);
  }

  /** Lets the person pick uncommitted changes or one of the last commits. */
  async #pickChanges(repository: Repository, title: string): Promise<ChangesKind | undefined> {
    const count = changedFiles(repository);
    const staged = repository.state.indexChanges.length;
    const commits = await this.#sources.changes.commits(repository, listedCommits);
    const rows: Row<ChangesKind>[] = [
      ...(count > 0
        ? [{ label: l10n.t('Uncommitted Changes'), description: filesText(count), value: 'uncommitted' as const }]
        : []),
      ...(staged > 0
        ? [{ label: l10n.t('Staged Changes'), description: filesText(staged), value: 'staged' as const }]
        : []),
      { label: l10n.t('Commits'), kind: vscode.QuickPickItemKind.Separator },
      ...commits.map((commit: Commit) => {
        return { label: commit.subject, description: commit.hash.slice(0, 8), value: commit };
      }),
    ];
    if (rows.length === 1) {
      void showInformationMessage(l10n.t('{0} has no changes and no commits.', nameOf(repository.rootUri)));
      return undefined;
    }
    const placeholder = l10n.t('Changes to include');
    return (await pickRow({ title, placeholder, rows })).value;
  }
}

/** The address of the repository in the argument of a command: VS Code's source control, or the repository itself. */
function rootOf(source: unknown): string | undefined {
  const { rootUri } = recordOf(source);
  return rootUri instanceof vscode.Uri ? rootUri.toString() : undefined;
}

function isEmpty({ pieces, leftOut }: ReadChanges): boolean {
  return pieces.length + leftOut.length === 0;
}

/** The changes, unless there are too many, which the person is told. */
function checked(read: ReadChanges): ReadChanges | undefined {
  const length = read.pieces[0]?.text.length ?? 0;
  if (length <= diffLimit) {
    return read;
  }
  void showWarningMessage(
    l10n.t(
      'The changes are too large to send: they have {0} characters, and the limit is {1}. Stage fewer files.',
      numberText(length),
      numberText(diffLimit),
    ),
  );
  return undefined;
}

function wordsOf(kind: ChangesKind): string {
  if (typeof kind === 'object') {
    return l10n.t('the commit "{0}"', kind.subject);
  }
  return kind === 'staged' ? l10n.t('the staged changes') : l10n.t('the uncommitted changes');
}

/** Offers a message whose box has another text by now. */
async function offerMessage({ inputBox }: Repository, message: string): Promise<void> {
  const [copy, insert] = [l10n.t('Copy'), l10n.t('Insert')];
  const text = l10n.t('The commit message is ready, but its box or the last commit has changed meanwhile.');
  const picked = await showInformationMessage(text, copy, insert);
  if (picked === copy) {
    await vscode.env.clipboard.writeText(message);
  } else if (picked === insert) {
    inputBox.value = inputBox.value.trim() === '' ? message : `${message}\n\n${inputBox.value}`;
  }
}
