import * as l10n from '@vscode/l10n';
import { showWarningMessage } from '../ui/messages.ts';

/**
 * Asks before a question is sent to a model that doesn't seem to answer questions. It isn't refused, because what is
 * known of the model may be wrong.
 *
 * @param text says so.
 * @param canChoose whether another model can be chosen instead.
 * @returns undefined if the person cancelled.
 */
export async function confirmNotForChat(text: string, canChoose: boolean): Promise<'send' | 'choose' | undefined> {
  const choose = l10n.t('Choose Another Model…');
  const send = l10n.t('Send Anyway');
  const detail = l10n.t('A gateway can charge for a question that such a model fails to answer.');
  const answer = await showWarningMessage(text, { modal: true, detail }, ...(canChoose ? [choose] : []), send);
  return answer === send ? 'send' : answer === choose ? 'choose' : undefined;
}
