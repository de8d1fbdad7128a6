import * as vscode from 'vscode';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { troubleReport } from '../../core/chat/conversation/trouble.ts';
import type { PayingAction, TroubleAction } from '../../protocol.ts';
import { runCommand } from '../ui/runCommand.ts';

/** What a button of an error card opens or copies; nothing of it is a paid call. */
export async function openFor(
  action: Exclude<TroubleAction, PayingAction | 'chooseModel'>,
  reply: Reply | undefined,
  version: string,
): Promise<void> {
  switch (action) {
    case 'copyReport':
      if (reply) {
        await vscode.env.clipboard.writeText(troubleReport(reply, version));
        void vscode.window.setStatusBarMessage('Report copied. It holds no question, answer or key.', 4_000);
      }
      return;
    case 'editAddress':
    case 'replaceKey':
    case 'showLog':
    case 'checkConnection':
    case 'editConnection':
      await runCommand(`askModel.${action}`);
      return;
    case 'openConsole':
      // Money is added where the question went, which need not be the connection in use.
      await runCommand('askModel.openConsole', reply?.host);
      return;
    case 'proxySettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
      return;
    case 'newConversation':
      await runCommand('askModel.ask');
      return;
    default:
      return action satisfies never;
  }
}
