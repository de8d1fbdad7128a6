import { type ConfirmMore, mostUnasked } from '../../core/chat/sending/paidActions.ts';
import { showWarningMessage } from '../ui/messages.ts';

/** Asks whether questions that commands began in quick succession may be sent, with how many and to where. */
export const confirmPaid: ConfirmMore = async (count, hosts) => {
  const to = hosts.join(', ');
  const answer = await showWarningMessage(
    count === 1 ? `Send another question to ${to}?` : `Send ${count} more questions to ${to}?`,
    {
      modal: true,
      detail: `Commands have sent ${mostUnasked} questions within 10 seconds. A key binding or another extension may be running them. Each question is a paid call.`,
    },
    'Send',
  );
  return answer === 'Send';
};
