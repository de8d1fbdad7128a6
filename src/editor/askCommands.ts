import * as vscode from 'vscode';
import { explainQuestion } from '../core/chat/prompt.ts';
import type { Catalogue } from '../core/models/catalogue.ts';
import type { ChatPanels } from './chatPanels.ts';
import { contextLine } from './contextLine.ts';
import type { LastEditor } from './lastEditor.ts';
import { ModelsView } from './modelsView.ts';
import { selectedCode } from './selection.ts';
import { showInputBox } from './ui/boxes.ts';
import { showInformationMessage, showWarningMessage } from './ui/messages.ts';

/** Makes sure that there is a connection with a key. @returns false when the person left. */
export type EnsureConnected = () => Promise<boolean>;

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
};

/** *Ask Model*: a question in a box, the selection goes along, the answer comes beside the editor. */
export async function ask(deps: AskDeps, row?: unknown): Promise<void> {
  // Read before any box opens: the person sees this selection while choosing to ask.
  const contexts = selectedCode(deps.lastEditor.current);
  const model = ModelsView.modelOf(row) ?? (await chosenModel(deps));
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
    await (await deps.panels()).ask({ question: question.trim(), contexts, model, host, focus: 'panel' });
  }
}

/** *Explain Selection*: one click. Nothing is asked once a model is chosen. */
export async function explainSelection(deps: AskDeps): Promise<void> {
  const contexts = selectedCode(vscode.window.activeTextEditor ?? deps.lastEditor.current);
  if (contexts.length === 0) {
    void showInformationMessage('Select the code to explain first.');
    return;
  }
  const model = await chosenModel(deps);
  if (model !== undefined) {
    const asked = { question: explainQuestion, contexts, model, host: deps.host(), focus: 'editor' } as const;
    await (await deps.panels()).ask(asked);
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
