import type { PayingAction, TroubleAction } from '../../protocol/views.ts';

/** All paying actions; `satisfies` makes a missing one a compile error. */
const paying = Object.keys({
  sendAgain: true,
  sendWithoutUsage: true,
  sendWithoutParameter: true,
  askOther: true,
  chooseParts: true,
  continue: true,
} satisfies Record<PayingAction, true>);

/** Whether an action makes a paid call. Only one paid call is sent at a time. */
export function isPaying(action: TroubleAction): action is PayingAction {
  return paying.some((each) => each === action);
}
