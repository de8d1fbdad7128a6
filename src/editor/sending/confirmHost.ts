import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import { showWarningMessage } from '../ui/messages.ts';

/** Asks whether a conversation may go to another gateway than before. @param reason says that it would. */
export async function confirmHost(host: string, reason: string): Promise<boolean> {
  const proceed = l10n.t('Send to {0}', host);
  const answer = await showWarningMessage(
    l10n.t('Send this conversation to {0}?', host),
    {
      modal: true,
      detail: sentences(
        reason,
        l10n.t('The whole conversation, including code, is sent to {0} and charged there.', host),
      ),
    },
    proceed,
  );
  return answer === proceed;
}
