import type { Charge } from '../../reply/cost.ts';
import type { Conversation } from './conversation.ts';

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
