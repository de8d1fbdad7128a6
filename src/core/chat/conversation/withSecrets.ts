import type { Charge } from '../../reply/cost.ts';
import type { Masks } from '../masking/masks.ts';
import { withJoined } from './continued.ts';
import { type Conversation, isRunning, type Reply } from './conversation.ts';

/**
 * The conversation as the person sees and uses it: continued answers are one, and answers and context have their secrets.
 * Questions stay masked, because that is what was sent.
 */
export function asShown(conversation: Conversation, masks: Masks): Conversation {
  const answers = conversation.turns.map(withJoined);
  if (masks.size === 0) {
    return { ...conversation, turns: answers };
  }
  const turns = answers.map((turn) => ({
    ...turn,
    contexts: turn.contexts.map((context) => ({ ...context, text: masks.restore(context.text) })),
    replies: turn.replies.map((reply) => withSecrets(reply, masks)),
  }));
  return { ...conversation, turns };
}

/** An answer with its secrets. While it runs, its texts only grow: an end that may become a mask is left out. */
export function withSecrets(reply: Reply, masks: Masks): Reply {
  const shown = (text: string) => masks.restoreShown(text, isRunning(reply));
  return masks.size === 0 ? reply : { ...reply, text: shown(reply.text), reasoning: shown(reply.reasoning) };
}

/**
 * The conversation with what its calls were charged in place of the costs that are stored with its replies, and with the
 * tokens of the gateway's log for replies that reported none.
 *
 * @param chargedOf finds what a call was charged, by the id of its reply. A reply that it doesn't know stays as it is.
 */
export function withCharges(conversation: Conversation, chargedOf: (id: string) => Charge | undefined): Conversation {
  const turns = conversation.turns.map((turn) => {
    const replies = turn.replies.map((reply) => {
      const charge = chargedOf(reply.id);
      const usage = reply.usage ?? charge?.usage;
      return charge ? { ...reply, cost: charge.cost, ...(usage && { usage }) } : reply;
    });
    return { ...turn, replies };
  });
  return { ...conversation, turns };
}
