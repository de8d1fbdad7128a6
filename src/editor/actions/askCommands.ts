import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, numberText, plural, sentences } from '../../core/base/localization.ts';
import { textsIn } from '../../core/base/loose.ts';
import { type CodeContext, explainQuestion } from '../../core/chat/context/prompt.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { troubleOf } from '../../core/chat/conversation/trouble.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import { type ConfirmMore, contentsOf, maxUnconfirmed, type PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { OwnCaller } from '../../core/usage/ledgerLine.ts';
import { selectedCode } from '../code/fileContexts.ts';
import type { ModelPricing } from '../models/modelPricing.ts';
import { ModelsView } from '../models/modelsView.ts';
import { countProblem, pickModels } from '../models/pickModel.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { type CommandQuestion, type Gateways, pickAnswer } from '../sending/paidCalls.ts';
import { tellTrouble } from '../sending/tellTrouble.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { showErrorMessage, showInformationMessage, withProgress } from '../ui/messages.ts';
import type { Remembered } from '../ui/remembered.ts';

export type AskDeps = {
  readonly gateways: Gateways;
  /** Loaded when the first question is asked. */
  readonly panels: () => Promise<ChatPanels>;
  readonly lastEditor: LastEditor;
  /** Prevents a command from opening its dialog again while it is open, and from sending a question twice. */
  readonly paid: Pick<PaidActions, 'once' | 'admit' | 'gestures'>;
  readonly priceOf: ModelPricing['priceOf'];
  /** Has the models that were compared last with a connection. */
  readonly remembered: Remembered;
};

/** *Ask Model*: shows a question box in a panel, with the selection as its context. */
export async function ask(deps: AskDeps, row?: unknown): Promise<void> {
  // Read before any dialog opens: this is the selection the person means.
  const contexts = selectedCode(deps.lastEditor.current);
  const modelOfRow = ModelsView.modelOf(row);
  await deps.paid.once(['prepare', modelOfRow, contentsOf(contexts)], async () => {
    const model =
      modelOfRow ?? ((await deps.gateways.ensureConnected()) ? await chosenModel(deps.gateways) : undefined);
    if (model !== undefined) {
      await (await deps.panels()).prepare(contexts, [model]);
    }
  });
}

/** *Add to Ask Model*: includes files, or else the file of the last editor, in the next question. */
export async function addToQuestion(deps: AskDeps, files: readonly vscode.Uri[]): Promise<void> {
  const open = deps.lastEditor.current?.document.uri;
  const uris = files.length > 0 || open === undefined ? files : [open];
  if (uris.length === 0) {
    void showInformationMessage(l10n.t('Open or select a file to add first.'));
  } else if (await deps.gateways.ensureConnected()) {
    await (await deps.panels()).addFiles(uris);
  }
}

/** *Explain Selection*: asks without a dialog once a model was chosen or used. */
export async function explainSelection(deps: AskDeps): Promise<void> {
  const contexts = selectedCode(vscode.window.activeTextEditor ?? deps.lastEditor.current);
  if (contexts.length === 0) {
    void showInformationMessage(l10n.t('Select the code to explain first.'));
    return;
  }
  await askNow(deps, 'explain', explainQuestion(), contexts, explainsFurther());
}

/** Whether explanations continue the conversation that is shown. */
export function explainsFurther(): boolean {
  return vscode.workspace.getConfiguration().get<unknown>('askModel.explain.continuesConversation') === true;
}

/**
 * Asks a question of a command in a panel. A declined question is put into the composer of a new panel.
 *
 * @param caller what the ledger names as the caller.
 * @param continues see `ChatPanels.ask`.
 * @param focus what has the focus afterwards.
 */
export async function askNow(
  deps: AskDeps,
  caller: OwnCaller,
  question: string,
  contexts: readonly CodeContext[],
  continues = false,
  focus: 'panel' | 'editor' = 'editor',
): Promise<void> {
  const { panels } = deps;
  await sendOnce(
    deps,
    ['ask', question, contentsOf(contexts)],
    async (ready) => {
      const asked = { caller, question, contexts, ...ready };
      const sent = await (await panels()).ask(asked, focus, continues);
      return sent.ok || !sent.isStopped;
    },
    async ({ model }) => (await panels()).offer(question, contexts, model),
  );
}

/**
 * Runs a command that sends without a box: its repeats once, such as those of a key that is held down. The person may have
 * to confirm it first, because any extension can run the command.
 *
 * @param run resolves to what was sent, if the next one is a repeat then.
 * @param decline called for one that the person declined.
 * @param own the model that a setting names for the question.
 */
export async function sendOnce(
  deps: AskDeps,
  identity: readonly unknown[],
  run: (ready: Ready) => Promise<unknown>,
  decline?: (ready: Ready) => Promise<void>,
  own?: string,
): Promise<void> {
  await deps.paid.once(identity, async () => {
    const ready = await readyToAsk(deps.gateways, own);
    if (ready === undefined) {
      return false;
    }
    const admission = await deps.paid.admit(ready.host ?? l10n.t('the gateway'));
    await (admission === 'declined' && decline?.(ready));
    return admission === 'admitted' ? run(ready) : true;
  });
}

/**
 * Asks without a panel, with progress that stops it, and tells what went wrong.
 *
 * @param prepare makes the question; undefined when there is none.
 * @param unused what an answer that can't be used means, as a sentence.
 * @param again asks once more.
 * @returns the conversation if the question was sent, and the answer if it can be used.
 */
export async function askUnseen(
  { panels }: AskDeps,
  { stop, ...options }: vscode.ProgressOptions & { readonly stop?: AbortSignal },
  prepare: (signal: AbortSignal) => Promise<CommandQuestion | undefined>,
  unused: string,
  again: () => Promise<unknown>,
): Promise<{ readonly chat?: Chat; readonly reply?: Reply }> {
  const answered = await withProgress({ ...options, cancellable: true }, async (cancelled) => {
    const signal = stop ? AbortSignal.any([cancelled, stop]) : cancelled;
    const asked = await prepare(signal);
    return asked && (await panels()).askUnseen(asked, signal);
  });
  if (answered === undefined || 'reason' in answered) {
    if (answered && !answered.isStopped) {
      void showErrorMessage(sentences(l10n.t("Your question wasn't sent."), answered.reason));
    }
    return {};
  }
  const { chat, reply } = answered;
  const trouble = troubleOf(reply);
  if (trouble && !reply.isUnsent) {
    void tellTrouble(unused, trouble, reply, chat.live.conversation.id, again);
  }
  return trouble || reply.isUnsent ? { chat } : answered;
}

/** The model and the gateway of a question that is asked at once. */
export type Ready = Pick<CommandQuestion, 'model' | 'host'>;

/**
 * @param own the model that a setting names for the question.
 * @returns undefined when the person cancelled.
 */
export async function readyToAsk(gateways: Gateways, own?: string): Promise<Ready | undefined> {
  const { catalogue, connections, ensureConnected } = gateways;
  // With a known model, the key is read only once, for the call: reading it delays the request.
  const isKnown = catalogue.modelToAsk !== undefined && connections.active !== undefined;
  const model = own ?? (isKnown || (await ensureConnected()) ? await chosenModel(gateways) : undefined);
  const { active } = connections;
  return model === undefined ? undefined : { model, host: active?.url.host };
}

/** The default model, or else the one that was used last. The person picks one when there is none. */
async function chosenModel({ catalogue, pickModel }: Gateways): Promise<string | undefined> {
  const { modelToAsk } = catalogue;
  const model = modelToAsk ?? (await pickModel());
  // If this can't be saved, the person is asked for a model again. A click on a row is not recorded: it would move
  // the rows under the pointer.
  await (modelToAsk === undefined && model !== undefined && catalogue.used(model).catch(() => undefined));
  return model;
}

/** Asks the person to confirm questions that commands sent one after another, with their number and hosts. */
export const confirmPaid: ConfirmMore = async (count, hosts) => {
  const to = listText(hosts);
  const title = plural(
    count,
    l10n.t('Send another question to {0}?', to),
    l10n.t('Send {0} more questions to {1}?', numberText(count), to),
  );
  const objections = [
    l10n.t(
      'Commands sent {0} questions in a row. A key binding or another extension may be running them.',
      maxUnconfirmed,
    ),
    l10n.t('Each question is a paid call.'),
  ];
  return (await pickAnswer({ title, objections, answers: [{ answer: 'send', label: l10n.t('Send') }] })) === 'send';
};

/**
 * *Compare Models*: shows the question box in a panel, with two to four models that the question is sent to and with the
 * selection as its context.
 *
 * @param chosen exact ids of the models in the rows the command was run on. Two to four are compared without picking.
 * For fewer or more, the picker opens with these selected; with none, it opens with the models compared last.
 */
export async function compareModels(deps: AskDeps, chosen: readonly string[]): Promise<void> {
  // Read before any dialog opens: this is the selection the person means.
  const contexts = selectedCode(deps.lastEditor.current);
  await deps.paid.once(['compare', chosen, contentsOf(contexts)], async () => {
    const { catalogue, connections, costs, ensureConnected } = deps.gateways;
    if (!(await ensureConnected())) {
      return;
    }
    const { active } = connections;
    const compared = deps.remembered.ofConnections('compared');
    const first = chosen.length > 0 || active === undefined ? chosen : textsIn(compared.read(active.id));
    const costOf = (model: string) => costs.first({ text: '', contexts }, model);
    const models =
      countProblem(chosen.length) === undefined ? chosen : await pickModels(catalogue, first, deps.priceOf, costOf);
    if (models !== undefined) {
      // If this can't be saved, the models only have to be picked again the next time.
      void (active && compared.write(active.id, models).catch(() => undefined));
      await (await deps.panels()).prepare(contexts, models);
    }
  });
}
