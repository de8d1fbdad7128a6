import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { rangeText } from '../../core/base/costRange.ts';
import { sentences } from '../../core/base/localization.ts';
import { isRecord, textsIn } from '../../core/base/loose.ts';
import { contextLine } from '../../core/chat/context/contextText.ts';
import { failureText } from '../../core/chat/context/problemList.ts';
import { type CodeContext, isCode } from '../../core/chat/context/prompt.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { asShown } from '../../core/chat/conversation/withSecrets.ts';
import { editQuestion, findLines, fitEdit, onlyBlock, readEdit } from '../../core/chat/edits/editAnswer.ts';
import { readBlock } from '../../core/chat/edits/readBlock.ts';
import type { NamedPrompt } from '../../core/chat/prompts/namedPrompt.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import { contentsOf } from '../../core/chat/sending/paidActions.ts';
import type { ContextSources } from '../code/contextFinder.ts';
import { editProblem, linesAround, linesMeant, problemsContext, wholeLines } from '../code/fileContexts.ts';
import { ownPrompts } from '../code/ownPrompts.ts';
import { allPrompts, fillPrompt } from '../code/promptContext.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import { askForLines, isWithin, mayChange, useCode } from '../code/useCode.ts';
import type { CommandQuestion } from '../sending/paidCalls.ts';
import { offerConversation } from '../sending/tellTrouble.ts';
import { pathAndUri } from '../ui/lastEditor.ts';
import { showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { showQuickPick } from '../ui/quickPick.ts';
import { type AskDeps, askNow, askUnseen, explainsFurther, type Ready, readyToAsk, sendOnce } from './askCommands.ts';
import { askInstruction } from './askInstruction.ts';

/** How many instructions are remembered. */
const maxInstructions = 10;

/** The whole lines that a command is about, and the editor that has them. */
type Meant = { readonly editor: vscode.TextEditor; readonly code: CodeContext };

/**
 * The commands in the menus of an editor, a terminal and a failed test. Those that change code ask without a panel, and
 * show the answer as a change that the person accepts or discards; the others ask in a panel.
 */
export class EditorActions {
  readonly #asking: AskDeps;
  readonly #changes: ProposedChanges;
  readonly #sources: ContextSources;

  constructor(asking: AskDeps, changes: ProposedChanges, sources: ContextSources) {
    this.#asking = asking;
    this.#changes = changes;
    this.#sources = sources;
  }

  /** *Edit with Ask Model*: asks what to change. @param place what the menu of line numbers passes. */
  async edit(place?: unknown): Promise<void> {
    const meant = await this.#meant(place);
    if (meant === undefined) {
      return;
    }
    const { paid, gateways } = this.#asking;
    await paid.once(['editBox', contentsOf([meant.code])], async () => {
      const ready = (await gateways.ensureConnected()) ? await readyToAsk(gateways) : undefined;
      if (ready) {
        await this.#editAsTyped(meant, ready);
      }
    });
  }

  /** Asks until an instruction is sent or the person cancels the box, so that none has to be typed twice. */
  async #editAsTyped(meant: Meant, ready: Ready): Promise<void> {
    const { gateways, remembered } = this.#asking;
    const { code } = meant;
    const earlier = remembered.value('instructions');
    const title = l10n.t('Edit {0} with {1}', contextLine(code), ready.model);
    const costOf = (text: string) => {
      const cost = gateways.costs.first({ text: editQuestion(text, code), contexts: [code] }, ready.model);
      return cost && rangeText(cost);
    };
    const ask = (value: string) => askInstruction(title, value, textsIn(earlier.read()), costOf);
    for (let typed = await ask(''); typed !== undefined; typed = await ask(typed)) {
      const chat = await this.#propose(meant, typed, [], ready);
      if (chat) {
        // What is secret isn't stored.
        if (chat.live.withoutSecrets(typed) === typed) {
          const all = [typed, ...textsIn(earlier.read()).filter((each) => each !== typed)];
          // If it can't be saved, it only has to be typed again.
          earlier.write(all.slice(0, maxInstructions)).catch(() => undefined);
        }
        return;
      }
    }
  }

  /** *Fix*, *Document* and *Improve*: propose a change without asking what to do. */
  async change(name: 'fix' | 'document' | 'improve'): Promise<void> {
    const meant = await this.#meant();
    if (meant) {
      const { document } = meant.editor;
      const found = name === 'fix' ? problemsContext(document, [rangeOf(meant.code)]) : undefined;
      await this.#changeAsked(meant, name, found ? [found] : []);
    }
  }

  /** *Fix Problem*: proposes a change for the problems that were chosen, or else those at the cursor. */
  async fixProblem(): Promise<void> {
    const found = this.#problems();
    const meant = found && (await this.#meant(found.place));
    if (meant) {
      await this.#changeAsked(meant, 'fix', [found.problems]);
    }
  }

  /** @param problems what a fix is about. */
  async #changeAsked(
    meant: Meant,
    name: 'fix' | 'document' | 'improve',
    problems: readonly CodeContext[],
  ): Promise<void> {
    const { home } = this.#sources;
    const own = (await ownPrompts(home)).prompts.find((each) => each.name === name);
    const filled = own && (await fillPrompt(own, this.#sources));
    if (own && filled === undefined) {
      return;
    }
    const { code } = meant;
    // The lines of the edit are the code that the prompt is about.
    const others = filled?.pieces.filter((each) => !isCode(each) && each.kind !== 'problems') ?? [];
    const pieces = [...problems, ...others];
    const instruction = filled?.text ?? instructionOf(name, problems.length > 0, code.languageId);
    await sendOnce(this.#asking, ['edit', instruction, contentsOf([code, ...pieces])], (ready) =>
      this.#propose(meant, instruction, pieces, ready),
    );
  }

  /** *Write Tests*: proposes a new file with its path. */
  async writeTests(): Promise<void> {
    const { lastEditor } = this.#sources;
    const prompt = (await allPrompts(this.#sources)).prompts.find(({ name }) => name === 'tests');
    const filled = prompt && lastEditor.current && (await fillPrompt(prompt, this.#sources));
    if (filled === undefined || filled.pieces.length === 0) {
      const isOpen = lastEditor.current !== undefined;
      void (isOpen || showInformationMessage(l10n.t('Open the file to write tests for first.')));
      return;
    }
    const { text, pieces } = filled;
    const form = l10n.t(
      'Answer with one code block that has the complete file with the tests. Its first line is a comment with only the path of the new file in this workspace, such as {0}.',
      (pieces[0]?.path ?? '').replace(/(\.\w+)?$/, '.test$1'),
    );
    const question = `${text}\n\n${form}`;
    await sendOnce(this.#asking, ['tests', question, contentsOf(pieces)], ({ model, host }) =>
      this.#answer(
        l10n.t('Writing tests with {0}…', model),
        { caller: 'edit', question, contexts: pieces, model, host },
        (reply, chat) => this.#proposeFile(reply, chat, pieces),
      ),
    );
  }

  async #proposeFile(reply: Reply, chat: Chat, pieces: readonly CodeContext[]): Promise<string | undefined> {
    const block = onlyBlock(reply.text);
    if (typeof block === 'string') {
      return block;
    }
    const { fence, text, lead } = block;
    const edits = readBlock(fence, text, lead);
    const path = typeof edits !== 'string' && edits.length === 1 ? edits[0]?.path : undefined;
    // Tests never replace the code that they are for.
    const action = path === undefined || pieces.some((each) => each.path === path) ? 'newFile' : 'apply';
    const { lastEditor, files } = this.#sources;
    const { conversation, masks } = chat.live;
    await useCode({ type: 'useCode', action, replyId: reply.id, block: 0, fence, text }, asShown(conversation, masks), {
      lastEditor,
      changes: this.#changes,
      files,
      masks,
      panelColumn: undefined,
    });
    return undefined;
  }

  /** *Explain Problem*: explains the problems that were chosen, or else those at the cursor. */
  async explainProblem(): Promise<void> {
    const { editor, place, problems } = this.#problems() ?? {};
    if (problems && editor) {
      const code = await linesMeant(editor, place?.lineNumber);
      const question = l10n.t('Explain this problem, and how to fix it.');
      await askNow(this.#asking, 'explain', question, code ? [code, problems] : [problems], explainsFurther());
    }
  }

  /** Asks a prompt: one of the person's own that is picked, or the one with this name. */
  async runPrompt(name?: string): Promise<void> {
    const prompt =
      name === undefined
        ? await this.#pickPrompt()
        : (await allPrompts(this.#sources)).prompts.find((each) => each.name === name);
    const filled = prompt && (await fillPrompt(prompt, this.#sources));
    if (filled === undefined) {
      return;
    }
    const { text, pieces, notes } = filled;
    if (notes.length > 0) {
      void showWarningMessage(sentences(...new Set(notes), l10n.t('Nothing was sent.')));
      return;
    }
    await askNow(this.#asking, name === undefined ? 'prompt' : 'review', text, pieces);
  }

  async #pickPrompt(): Promise<NamedPrompt | undefined> {
    const { prompts, problems } = await ownPrompts(this.#sources.home);
    if (prompts.length === 0) {
      const open = l10n.t('Open Settings');
      const text = sentences(l10n.t('You have no prompts of your own yet.'), ...problems);
      if ((await showInformationMessage(text, open)) === open) {
        await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.prompts');
      }
      return undefined;
    }
    // Picked even if it's the only one: it is sent at once.
    const rows = prompts.map((prompt) => ({ label: prompt.name, description: prompt.description, prompt }));
    return (await showQuickPick(rows, l10n.t('Send One of Your Prompts')))?.prompt;
  }

  /** *Explain Last Command*: explains the last command of the active terminal with its output. */
  async explainCommand(): Promise<void> {
    const row = this.#sources.terminals.last;
    const { pieces, notes } = (await row?.read()) ?? { pieces: [], notes: [l10n.t('No terminal is open.')] };
    if (pieces.length === 0) {
      void showInformationMessage(sentences(...(notes ?? [])));
      return;
    }
    const question = l10n.t('Explain what this command did. If it failed, say why and how to correct it.');
    await askNow(this.#asking, 'explain', question, pieces, explainsFurther());
  }

  /** *Explain Failure*: explains why a test failed. @param failed the test and its message, as VS Code passes them. */
  async explainFailure(failed: unknown): Promise<void> {
    const { test, message } = (isRecord(failed) ? failed : {}) as {
      test?: vscode.TestItem;
      message?: vscode.TestMessage;
    };
    if (message === undefined) {
      return;
    }
    const words = typeof message.message === 'string' ? message.message : message.message.value;
    const uri = message.location?.uri ?? test?.uri;
    const at = message.location?.range.start ?? test?.range?.start;
    const text = failureText(test?.label ?? '', words, message.expectedOutput, message.actualOutput);
    const document = uri && (await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined));
    // A test can fail in another file than its own.
    const range = String(uri) === String(test?.uri) ? test?.range : undefined;
    const start = range?.start ?? at;
    const whole = range && !range.isSingleLine ? document?.validateRange(range) : undefined;
    const code =
      document &&
      (whole
        ? wholeLines(document, whole.start.line, whole.end.line)
        : start && (await linesAround(document, document.validatePosition(start))));
    const line = (at?.line ?? 0) + 1;
    const failure: CodeContext = {
      kind: 'problems',
      id: crypto.randomUUID(),
      ...(uri ? pathAndUri(uri) : { path: '' }),
      languageId: document?.languageId ?? 'plaintext',
      startLine: line,
      endLine: line,
      text,
      count: 1,
    };
    const question = l10n.t('Explain why this test fails, and how to correct it.');
    await askNow(this.#asking, 'explain', question, code ? [code, failure] : [failure], explainsFurther());
  }

  /** *Ask Further*: shows the conversation of a proposed change. @param uri of its diff. */
  async askFurther(uri: unknown): Promise<void> {
    const id = this.#changes.conversationOf(uri);
    if (id !== undefined) {
      await (await this.#asking.panels()).askFurther(id);
    }
  }

  /** The lines that the person means, if they can be changed. Says why not otherwise. */
  async #meant(place?: unknown): Promise<Meant | undefined> {
    const { uri, lineNumber } = isRecord(place) ? place : {};
    const editor = this.#editorOf(uri);
    const problem = editor ? await editProblem(editor) : l10n.t('Open the file to edit first.');
    if (editor === undefined || problem !== undefined) {
      void showInformationMessage(problem ?? '');
      return undefined;
    }
    const code = await linesMeant(editor, typeof lineNumber === 'number' ? lineNumber : undefined);
    if (code === undefined) {
      void showInformationMessage(l10n.t('Select the code to edit, or put the cursor into it.'));
      return undefined;
    }
    return (await isWithin(editor.document.uri, this.#sources.files)) ? { editor, code } : undefined;
  }

  /** The editor that shows a document, by default the last one. */
  #editorOf(uri: unknown): vscode.TextEditor | undefined {
    const { current } = this.#sources.lastEditor;
    const isThere = ({ document }: vscode.TextEditor) => document.uri.toString() === String(uri);
    return uri === undefined || (current && isThere(current))
      ? current
      : vscode.window.visibleTextEditors.find(isThere);
  }

  /** The problems that were chosen; else those at the selection, or else in its lines. Says so if there are none. */
  #problems() {
    const { uri, ranges = [] } = this.#sources.lastEditor.takeProblems() ?? {};
    const editor = this.#editorOf(uri);
    const { document, selection } = editor ?? {};
    const lines = selection && rangeOf({ startLine: selection.start.line + 1, endLine: selection.end.line + 1 });
    const [first] = ranges;
    const places = first ? [ranges] : selection && lines ? [[selection], [lines]] : [];
    const problems =
      document && places.map((each) => problemsContext(document, each)).find((found) => found !== undefined);
    if (editor === undefined || problems === undefined) {
      void showInformationMessage(l10n.t('No problem is reported at the cursor.'));
      return undefined;
    }
    return { editor, problems, place: first && { uri, lineNumber: first.start.line + 1 } };
  }

  /** Asks for the new text of some lines, and shows it as a change of them. @returns the conversation if it was sent. */
  #propose(
    { editor, code }: Meant,
    instruction: string,
    pieces: readonly CodeContext[],
    { model, host }: Ready,
  ): Promise<Chat | undefined> {
    const { document, viewColumn = vscode.ViewColumn.Active } = editor;
    const before = document.getText();
    const question = editQuestion(instruction, code);
    const asked = { caller: 'edit', question, contexts: [code, ...pieces], model, host } as const;
    const title = l10n.t('Editing {0} with {1}…', contextLine(code), model);
    return this.#answer(title, asked, async (reply, chat) => {
      const { conversation, masks } = chat.live;
      const read = readEdit(masks.restore(reply.text), code);
      if ('reason' in read) {
        return read.reason;
      }
      const { uri: file } = document;
      if (!(await mayChange(file, read.code, { files: this.#sources.files, masks }))) {
        return undefined;
      }
      let reason: string | undefined;
      const make = async (current: vscode.TextDocument) => {
        const text = current.getText();
        const place = findLines(text, before, code) ?? (await askForLines(current, code));
        const change = place && fitEdit(current.getText(), place, read.code, code.text);
        reason = place && !change ? l10n.t('This answer also changes other lines of {0}.', code.path) : undefined;
        return change;
      };
      const from = { replyId: reply.id, block: 0 };
      const proposal = { conversation: conversation.id, from, part: 0, file, model: reply.model, make };
      await this.#changes.propose(proposal, viewColumn);
      return reason;
    });
  }

  /**
   * Asks without a panel.
   *
   * @param use uses the answer. @returns why it can't be used.
   * @returns the conversation if the question was sent.
   */
  async #answer(
    title: string,
    asked: CommandQuestion,
    use: (reply: Reply, chat: Chat) => Promise<string | undefined>,
  ): Promise<Chat | undefined> {
    const { paid } = this.#asking;
    const { gestures } = paid;
    const options = { location: vscode.ProgressLocation.Notification, title };
    const unchanged = l10n.t('Nothing was changed.');
    const again = () => this.#answer(title, asked, use);
    const { chat, reply } = await askUnseen(this.#asking, options, async () => asked, unchanged, again);
    if (chat && reply) {
      const show = async () => {
        const reason = await use(reply, chat);
        if (reason !== undefined) {
          void offerConversation(sentences(reason, unchanged), chat.live.conversation.id);
        }
      };
      await (paid.gestures === gestures ? show() : void this.#offer(asked, show));
    }
    return chat;
  }

  /** Offers to show a change to a person who went on with something else: it would take the focus. */
  async #offer({ contexts: [code] }: CommandQuestion, show: () => Promise<void>): Promise<void> {
    const button = l10n.t('Show Change');
    const text = l10n.t('The proposed change for {0} is ready.', code ? contextLine(code) : '');
    if ((await showInformationMessage(text, button)) === button) {
      await show();
    }
  }
}

/** What *Fix*, *Document* and *Improve* ask for. */
function instructionOf(name: 'fix' | 'document' | 'improve', hasProblems: boolean, language: string): string {
  switch (name) {
    case 'fix':
      return hasProblems
        ? l10n.t('Fix the reported problems in this code.')
        : l10n.t('Fix what is wrong in this code.');
    case 'document':
      return l10n.t(
        'Write documentation comments for this code as is usual in {0}. Leave the code as it is.',
        language,
      );
    case 'improve':
      return l10n.t('Make this code simpler and easier to read without changing what it does.');
    default:
      return name satisfies never;
  }
}

function rangeOf({ startLine, endLine }: Pick<CodeContext, 'startLine' | 'endLine'>): vscode.Range {
  return new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER);
}
