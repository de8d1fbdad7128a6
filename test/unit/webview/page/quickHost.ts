import type { HostMessage, PanelMessage, ShownTurn } from '../../../../src/protocol/protocol.ts';
import type { PanelPage } from './panelPage.ts';

/**
 * Simulates a host inside the page that answers each send: after a delay a reply starts, and then it ends.
 *
 * @param turns the turn after each paid call, starting with the first.
 * @param times milliseconds until the reply starts, and from then until it ends.
 */
export async function answerQuickly(
  panel: PanelPage,
  turns: readonly ShownTurn[],
  { startMs, replyMs }: { readonly startMs: number; readonly replyMs: number | 'untilStopped' },
): Promise<void> {
  await panel.page.evaluate(
    ({ turns, startMs, replyMs }) => {
      const { posted } = window as unknown as { posted: PanelMessage[] };
      const send = (...messages: HostMessage[]) => {
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
        send(
          { type: 'turn', turn: { ...turn, reply: plain } },
          { type: 'composer', composer: { ...composer, runningReply: turn.reply.id } },
          { type: 'sent', sendId },
        );
        await (replyMs === 'untilStopped' ? new Promise<void>((done) => (stop = done)) : later(replyMs));
        send(
          { type: 'delta', replyId: turn.reply.id, text, reasoning },
          { type: 'reply', reply: { ...rest, length: text.length + reasoning.length } },
          { type: 'composer', composer },
        );
      };
      posted.push = (...messages: PanelMessage[]) => {
        for (const message of messages) {
          if (message.type === 'send' || message.type === 'act') {
            void answer(message.sendId);
          }
          if (message.type === 'stop') {
            stop();
          }
        }
        return Array.prototype.push.apply(posted, messages);
      };
    },
    { turns, startMs, replyMs },
  );
}
