import type { PayingAction, TroubleAction } from '../protocol.ts';

/** Whether a button is a paid call: it goes out once, and only while nothing else does. */
export function isPaying(action: TroubleAction): action is PayingAction {
  return action === 'sendAgain' || action === 'sendWithoutUsage';
}
