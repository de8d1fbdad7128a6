import type { Cost } from '../../reply/cost.ts';
import type { Conversation } from './conversation.ts';

/**
 * The conversation with what its calls were charged in place of the costs that are stored with its replies.
 *
 * @param chargedOf finds what a call was charged, by the id of its reply. A reply that it doesn't know stays as it is.
 */
export function withCharges(conversation: Conversation, chargedOf: (id: string) => Cost | undefined): Conversation {
  const turns = conversation.turns.map((turn) => {
    const replies = turn.replies.map((reply) => {
      const cost = chargedOf(reply.id);
      return cost ? { ...reply, cost } : reply;
    });
    return { ...turn, replies };
  });
  return { ...conversation, turns };
}
