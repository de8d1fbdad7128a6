import type { PayingAction, TroubleAction } from '../../protocol.ts';

/** All of them: `satisfies` does not compile while one is missing. */
const paying = Object.keys({
  sendAgain: true,
  sendWithoutUsage: true,
  askOther: true,
  continue: true,
} satisfies Record<PayingAction, true>);

/** Whether a button is a paid call: it goes out once, and only while nothing else does. */
export function isPaying(action: TroubleAction): action is PayingAction {
  return paying.some((each) => each === action);
}
