import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { troubleReport } from '../../core/chat/conversation/trouble.ts';
import { consolePageOf } from '../../core/errors/consolePage.ts';
import type { PayingAction, TroubleAction } from '../../protocol/views.ts';
import { runCommand } from '../ui/runCommand.ts';
import type { Place } from './showRequest.ts';

/** Runs an action of an error card that makes no paid call. */
export async function runTroubleAction(
  action: Exclude<TroubleAction, PayingAction | 'chooseModel'>,
  reply: Reply | undefined,
  version: string,
  { documents, column }: Place,
): Promise<void> {
  switch (action) {
    case 'copyReport':
      if (reply) {
        await vscode.env.clipboard.writeText(troubleReport(reply, version));
        void vscode.window.setStatusBarMessage(
          l10n.t('Report copied. It contains no question, answer, or key.'),
          4_000,
        );
      }
      return;
    case 'showUnread':
      await documents.show(`${l10n.t('Raw Data')}.txt`, reply?.id ?? '', reply?.unread ?? '', column);
      return;
    case 'editAddress':
    case 'replaceKey':
    case 'showLog':
    case 'checkConnection':
    case 'editConnection':
      await runCommand(`askModel.${action}`);
      return;
    case 'openConsole':
      // The gateway that answered, which may not be the connection in use.
      await runCommand('askModel.openConsole', reply?.host, reply?.problem && consolePageOf(reply.problem));
      return;
    case 'proxySettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
      return;
    case 'limitSettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.daily*');
      return;
    case 'newConversation':
      await runCommand('askModel.newConversation');
      return;
    default:
      return action satisfies never;
  }
}
