import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import type { Trouble } from '../../core/chat/conversation/trouble.ts';
import { adviceText } from '../../core/errors/advice.ts';
import { type AdviceAction, kindFacts } from '../../core/errors/gatewayProblem.ts';
import type { PayingAction } from '../../protocol/protocol.ts';
import { showErrorMessage, showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';

/** The actions of an advice that change nothing about the question. */
type FreeAction = Exclude<AdviceAction, PayingAction | 'chooseModel'>;

/** Runs an action of an advice that makes no paid call. */
export async function runAdviceAction(action: FreeAction, reply: Reply | undefined): Promise<void> {
  switch (action) {
    case 'openConsole':
      // The gateway that answered, which may not be the connection in use.
      await runCommand('askModel.openConsole', reply?.host, reply?.problem && kindFacts(reply.problem.kind).page);
      return;
    case 'proxySettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
      return;
    case 'limitSettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.daily*');
      return;
    default:
      await runCommand(`askModel.${action}`);
  }
}

/**
 * Tells what is wrong with an answer that is used outside of its panel, with the action that corrects it. All others are
 * in the conversation.
 *
 * @param what what became of the action, as a sentence.
 * @param again makes the call again.
 */
export async function tellTrouble(
  what: string,
  trouble: Trouble,
  reply: Reply,
  conversation: string,
  again: () => Promise<unknown>,
): Promise<void> {
  const { severity, title: happened, remedy, words, actions } = trouble;
  const said = words === undefined ? '' : l10n.t('{0} says: "{1}"', reply.host, words);
  const show = { title: l10n.t('Show Conversation'), run: () => runCommand('askModel.openConversation', conversation) };
  const buttons = actions.slice(0, 1).flatMap(({ action, label: title }) => {
    switch (action) {
      case 'sendAgain':
        return { title, run: again };
      case 'copyReport':
      case 'continue':
      case 'showUnread':
      case 'chooseParts':
      case 'chooseModel':
      case 'sendWithoutUsage':
      case 'sendWithoutParameter':
        return [];
      default:
        return { title, run: () => runAdviceAction(action, reply) };
    }
  });
  const tell = severity === 'error' ? showErrorMessage : showWarningMessage;
  // What was stopped has a whole sentence, and no remedy.
  const why = remedy === '' ? happened : adviceText(trouble);
  const picked = await tell(sentences(what, why, said), ...buttons, show);
  await picked?.run();
}

/** Says why an answer wasn't used, or what became of it, and offers its conversation. */
export async function offerConversation(text: string, conversation: string, tell = showWarningMessage): Promise<void> {
  const show = l10n.t('Show Conversation');
  if ((await tell(text, show)) === show) {
    await runCommand('askModel.openConversation', conversation);
  }
}
