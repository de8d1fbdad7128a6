import type { Charge } from '../../reply/cost.ts';
import type { Masks } from '../masking/masks.ts';
import { withJoined } from './continued.ts';
import { type Conversation, isRunning, type Reply } from './conversation.ts';

/**
 * The conversation as the person sees and uses it: continued answers are one, and answers and context have their secrets.
 * Questions stay masked, because that is what was sent. Of a running answer, an end that may become a mask is left out;
 * see `Masks.stream`.
 */
export function asShown(conversation: Conversation, masks: Masks): Conversation {
  const answers = conversation.turns.map(withJoined);
  if (masks.size === 0) {
    return { ...conversation, turns: answers };
  }
  const turns = answers.map((turn) => ({
    ...turn,
    contexts: turn.contexts.map((context) => ({ ...context, text: masks.restore(context.text) })),
    replies: turn.replies.map((reply) => replyWithSecrets(reply, masks)),
  }));
  return { ...conversation, turns };
}

function replyWithSecrets(reply: Reply, masks: Masks): Reply {
  const shown = (text: string) =>
    masks.restoreShown(isRunning(reply) ? text.slice(0, text.length - masks.heldLength(text)) : text);
  return { ...reply, text: shown(reply.text), reasoning: shown(reply.reasoning) };
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
