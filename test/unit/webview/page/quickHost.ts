import type { HostMessage, PanelMessage, TurnView } from '../../../../src/protocol.ts';
import type { PanelPage } from './panelPage.ts';

/**
 * From now on a host in the page answers each wish to send: it lets it wait, then one reply begins, ends at once, and is
 * shown by `turns`.
 *
 * @param turns what the conversation is after so many paid calls, beginning with 1.
 * @param times milliseconds until the reply begins, and from then on until it ends.
 */
export async function answerQuickly(
  panel: PanelPage,
  turns: readonly TurnView[],
  { startMs, replyMs }: { readonly startMs: number; readonly replyMs: number | 'untilStopped' },
): Promise<void> {
  await panel.page.evaluate(
    ({ turns, startMs, replyMs }) => {
      const { heard } = window as unknown as { heard: PanelMessage[] };
      const tell = (...messages: HostMessage[]) => {
        for (const data of messages) {
          window.dispatchEvent(new MessageEvent('message', { data }));
        }
      };
      const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
      const later = (ms: number) => new Promise((done) => setTimeout(done, ms));
      let calls = 0;
      let stop: () => void = () => undefined;
      const answer = async (sendId: string) => {
        const turn = turns[Math.min(calls++, turns.length - 1)];
        if (turn === undefined) {
          return;
        }
        const { text, reasoning, ...rest } = turn.reply;
        await later(startMs);
        const begun = { ...turn.reply, state: 'waiting' as const, text: '', reasoning: '', footer: [], retries: [] };
        const { trouble, ...plain } = begun;
        tell(
          { type: 'turn', turn: { ...turn, reply: plain } },
          { type: 'composer', composer: { ...composer, runningReply: turn.reply.id } },
          { type: 'sent', sendId },
        );
        await (replyMs === 'untilStopped' ? new Promise<void>((done) => (stop = done)) : later(replyMs));
        tell(
          { type: 'delta', replyId: turn.reply.id, text, reasoning },
          { type: 'reply', reply: { ...rest, length: text.length + reasoning.length } },
          { type: 'composer', composer },
        );
      };
      heard.push = (...messages: PanelMessage[]) => {
        for (const message of messages) {
          if (message.type === 'send' || message.type === 'act') {
            void answer(message.sendId);
          }
          if (message.type === 'stop') {
            stop();
          }
        }
        return Array.prototype.push.apply(heard, messages);
      };
    },
    { turns, startMs, replyMs },
  );
}
