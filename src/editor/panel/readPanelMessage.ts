import * as z from 'zod/mini';
import { type PanelMessage, panelMessage, payingActions } from '../../protocol.ts';
import type { Log } from '../ui/log.ts';

/** What a panel wishes for; a message that is none is logged without its values, and dropped. */
export function readPanelMessage(received: unknown, log: Log): PanelMessage | undefined {
  const parsed = z.safeParse(panelMessage, received);
  if (!parsed.success) {
    const places = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
    log.warn(`The panel sent what is no message: ${places}`);
  }
  return parsed.data;
}

/** Id of the wish to send that a message is; the panel waits for its answer. */
export function sendIdOf(message: PanelMessage): string | undefined {
  const isPaying =
    message.type === 'send' || (message.type === 'act' && payingActions.some((each) => each === message.action));
  return isPaying ? message.sendId : undefined;
}
