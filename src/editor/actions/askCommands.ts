import * as vscode from 'vscode';
import { type CodeContext, explainQuestion } from '../../core/chat/context/prompt.ts';
import { contentsOf, type PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { contextLine } from '../code/contextLine.ts';
import { selectedCode } from '../code/selection.ts';
import { ModelsView } from '../models/modelsView.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { showInputBox } from '../ui/boxes.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { showInformationMessage, showWarningMessage } from '../ui/messages.ts';

/** Makes sure that there is a connection with a key. @returns false when the person left. */
type EnsureConnected = () => Promise<boolean>;

export type AskDeps = {
  readonly catalogue: Catalogue;
  /** Lets the person pick a model. @returns its exact id; undefined when they left. */
  readonly pickModel: (title?: string) => Promise<string | undefined>;
  /** Loaded with the first question. */
  readonly panels: () => Promise<ChatPanels>;
  readonly lastEditor: LastEditor;
  readonly ensureConnected: EnsureConnected;
  /** Host that a question would go to now. */
  readonly host: () => string | undefined;
  /** While a dialog on the way to a question is open, the same command does not open it again. */
  readonly paid: Pick<PaidActions, 'once'>;
};

/** *Ask Model*: a question in a box, the selection goes along, the answer comes beside the editor. */
export async function ask(deps: AskDeps, row?: unknown): Promise<void> {
  // Read before any box opens: the person sees this selection while choosing to ask.
  const contexts = selectedCode(deps.lastEditor.current);
  const of = ModelsView.modelOf(row);
  await deps.paid.once(
    ['askBox', of, contentsOf(contexts)],
    () => askInBox(deps, contexts, of),
    () => false,
  );
}

async function askInBox(deps: AskDeps, contexts: readonly CodeContext[], of: string | undefined): Promise<void> {
  const model = of ?? (await chosenModel(deps));
  if (model === undefined) {
    return;
  }
  // The question is meant for the gateway whose model is named above it, whatever happens while it is typed.
  const host = deps.host();
  const question = await showInputBox({
    title: `Ask ${model}`,
    prompt:
      contexts.length > 0
        ? `Goes along: ${contexts.map(contextLine).join('; ')}`
        : 'No code is selected; the question goes alone.',
    placeHolder: 'What do you want to know?',
    // Typed text must not be lost by a click beside the box.
    ignoreFocusOut: true,
    validateInput: (text) => (text !== '' && text.trim() === '' ? 'There is no question yet.' : undefined),
  });
  if (question?.trim()) {
    await (await deps.panels()).ask({
      question: question.trim(),
      contexts,
      model,
      host,
      focus: 'panel',
      isTyped: true,
    });
  }
}

/** *Explain Selection*: one click. Nothing is asked once a model is chosen. */
export async function explainSelection(deps: AskDeps): Promise<void> {
  const contexts = selectedCode(vscode.window.activeTextEditor ?? deps.lastEditor.current);
  if (contexts.length === 0) {
    void showInformationMessage('Select the code to explain first.');
    return;
  }
  await deps.paid.once(
    ['explainDialogs', contentsOf(contexts)],
    () => explain(deps, contexts),
    () => false,
  );
}

async function explain(deps: AskDeps, contexts: readonly CodeContext[]): Promise<void> {
  const model = await chosenModel(deps);
  if (model !== undefined) {
    const asked = { question: explainQuestion, contexts, model, host: deps.host() };
    await (await deps.panels()).ask({ ...asked, focus: 'editor', isTyped: false });
  }
}

/** The default model; asked for once when there is none, and again when the gateway has it no more. */
async function chosenModel({ catalogue, ensureConnected, pickModel }: AskDeps): Promise<string | undefined> {
  if (!(await ensureConnected())) {
    return undefined;
  }
  const { defaultModel } = catalogue;
  if (defaultModel === undefined) {
    return pickModel();
  }
  if (!catalogue.isGone(defaultModel)) {
    return defaultModel;
  }
  const pick = 'Pick Another';
  const ask = 'Ask It Anyway';
  const answer = await showWarningMessage(
    `${defaultModel} is no longer in this gateway’s list.`,
    { modal: true, detail: 'It stays your default. The gateway may refuse the question, or send it to another model.' },
    pick,
    ask,
  );
  return answer === ask ? defaultModel : answer === pick ? pickModel() : undefined;
}
