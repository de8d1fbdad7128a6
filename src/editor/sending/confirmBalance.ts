import * as l10n from '@vscode/l10n';
import { openPageText } from '../../core/errors/consolePage.ts';
import { showWarningMessage } from '../ui/messages.ts';

/**
 * Asks before a question is sent that the gateway may refuse for the balance or the key. It isn't refused here, because
 * what is known of the account may be out of date.
 *
 * @returns undefined if the person cancelled.
 */
export async function confirmBalance(text: string, detail: string): Promise<'send' | 'wallet' | undefined> {
  const send = l10n.t('Send Anyway');
  const wallet = openPageText('wallet');
  const answer = await showWarningMessage(text, { modal: true, detail }, send, wallet);
  return answer === send ? 'send' : answer === wallet ? 'wallet' : undefined;
}
