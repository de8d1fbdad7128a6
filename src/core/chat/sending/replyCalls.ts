import type { Clock } from '../../base/clock.ts';
import type { ChatRequest } from '../../client/chatRequest.ts';
import type { ReplyEnd } from '../../client/gatewayClient.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import type { Sender } from './chatPorts.ts';

type Happened<T extends ConversationEvent['type']> = Extract<ConversationEvent, { type: T }>;

export type ReplyCallsPorts = {
  readonly clock: Clock;
  readonly onDelta: (delta: Happened<'delta'>) => void;
  /** Told what a sender throws: it answers with data, so that is a mistake of ours. */
  readonly onDefect: (error: unknown) => void;
};

/** The calls of one conversation that are on their way. Each one streams, is stopped and ends by itself. */
export class ReplyCalls {
  readonly #ports: ReplyCallsPorts;
  readonly #running = new Map<string, { readonly actionId: string; readonly abort: AbortController }>();
  #isClosed = false;

  constructor(ports: ReplyCallsPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** From now on it can be stopped, also before its request has left. */
  add(id: string, actionId: string): void {
    this.#running.set(id, { actionId, abort: new AbortController() });
  }

  /** Ends a call, or those of one action; what arrived stays. Without an id, all of them. */
  stop(id?: string): void {
    for (const [each, { actionId, abort }] of this.#running) {
      if (id === undefined || each === id || actionId === id) {
        abort.abort();
      }
    }
  }

  /** The window is going away: what runs is ended, and nobody has stopped it. */
  close(): void {
    this.#isClosed = true;
    this.stop();
  }

  /**
   * Sends the request of a call that was added.
   *
   * @param startedAt unix milliseconds.
   * @returns how it ended; undefined when the window went away in the middle, which a record without an end tells.
   */
  async run(id: string, request: ChatRequest, sender: Sender, startedAt: number): Promise<Happened<'end'> | undefined> {
    const { clock, onDelta, onDefect } = this.#ports;
    const signal = this.#running.get(id)?.abort.signal ?? AbortSignal.abort();
    const elapsed = () => Math.max(0, clock.now() - startedAt);
    const take = ({ text, reasoning }: ReplyDelta) =>
      onDelta({ type: 'delta', replyId: id, text, reasoning, ms: elapsed() });
    const isUnsent = signal.aborted;
    let end: ReplyEnd;
    try {
      end = isUnsent ? { outcome: 'stopped' } : await sender.send(request, take, signal);
    } catch (error) {
      // It must not leave the reply running.
      onDefect(error);
      end = { outcome: 'failed', problem: { kind: 'defect' } };
    }
    this.#running.delete(id);
    if (this.#isClosed) {
      return undefined;
    }
    const { outcome, model, toolCalls, callsWithKey, ...facts } = end;
    return {
      type: 'end',
      replyId: id,
      state: outcome,
      totalMs: elapsed(),
      ...facts,
      ...((toolCalls !== undefined || callsWithKey !== undefined) && { hasToolCalls: true }),
      ...(isUnsent && { isUnsent }),
      ...(model !== undefined && model !== request.model && { echoedModel: model }),
    };
  }
}
