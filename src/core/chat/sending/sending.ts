import { awaitsKeeping, keepFirst } from '../conversation/comparison.ts';
import { lastReply, runningReply } from '../conversation/conversation.ts';
import { messagesFor } from '../conversation/messagesFor.ts';
import { type Action, isTaken, notThere, type Plan, placeOf, planOf, questionEvents, stoppedInTime } from './action.ts';
import type { ChatPorts, Sender, Sent } from './chatPorts.ts';
import type { LiveConversation } from './liveConversation.ts';
import { ReplyCalls } from './replyCalls.ts';

export type SendingPorts = Pick<ChatPorts, 'clock' | 'findSender' | 'claim' | 'onKeepFailed' | 'onDefect'>;

/** The way from an action to its replies. One at a time, each taken once, and on disk before a request leaves. */
export class Sending {
  readonly #live: LiveConversation;
  readonly #ports: SendingPorts;
  readonly #calls: ReplyCalls;
  #isClosed = false;
  /** The action on its way to a request: its key is being read, its question kept. */
  #starting: { readonly id: string; readonly sent: Promise<Sent>; readonly abort: AbortController } | undefined;

  constructor(live: LiveConversation, ports: SendingPorts) {
    this.#live = live;
    this.#ports = ports;
    const { clock, onDefect } = ports;
    this.#calls = new ReplyCalls({ clock, onDefect, onDelta: (delta) => live.happen(delta) });
  }

  get isRunning(): boolean {
    return this.#starting !== undefined || this.#calls.isRunning;
  }

  async send(action: Action): Promise<Sent> {
    const { id } = action;
    const plan = planOf(this.#live.current, action);
    if ('reason' in plan) {
      return plan;
    }
    if (this.#starting?.id === id) {
      return this.#starting.sent;
    }
    if (isTaken(this.#live.current, id)) {
      return { ok: true };
    }
    if (this.#starting || runningReply(this.#live.current)) {
      return { ok: false, reason: 'A reply is still arriving. Stop it, or wait for its end.' };
    }
    // From here to the reply's entry nothing else may start: a second Enter arrives while the key is being read.
    const abort = new AbortController();
    const sent = this.#start(action, plan, abort.signal);
    this.#starting = { id, sent, abort };
    try {
      return await sent;
    } finally {
      this.#starting = undefined;
    }
  }

  /**
   * Ends what runs; what arrived stays. What has not left yet is not sent.
   *
   * @param id that of a reply, or of the action it comes from; without it, all of them.
   */
  stop(id?: string): void {
    if (id === undefined || id === this.#starting?.id) {
      this.#starting?.abort.abort();
    }
    this.#calls.stop(id);
  }

  /** The window is going away: nothing more leaves, and what runs is ended. */
  close(): void {
    this.#isClosed = true;
    this.#calls.close();
  }

  async #start(action: Action, plan: Plan, signal: AbortSignal): Promise<Sent> {
    const release = await this.#claim();
    if (release === undefined) {
      return { ok: false, reason: 'A reply to this conversation is arriving in another window.' };
    }
    let sent: Sent & { begin?: () => void };
    try {
      sent = await this.#prepare(action, plan, release, signal);
    } catch (error) {
      release();
      throw error;
    }
    if (sent.begin) {
      sent.begin();
    } else {
      release();
    }
    return sent.ok ? { ok: true } : sent;
  }

  /** A folder that can not be written takes the history, not the question: then there is nothing to share. */
  async #claim(): Promise<(() => void) | undefined> {
    try {
      return await this.#ports.claim();
    } catch (error) {
      this.#ports.onKeepFailed(error);
      return () => undefined;
    }
  }

  async #prepare(
    { id, host }: Action,
    plan: Plan,
    release: () => void,
    signal: AbortSignal,
  ): Promise<Sent & { begin?: () => void }> {
    const { turn, calls, place } = plan;
    await this.#live.catchUp();
    if (isTaken(this.#live.current, id)) {
      return { ok: true };
    }
    const found = await this.#ports.findSender();
    if (signal.aborted) {
      return stoppedInTime;
    }
    if (!found.ok) {
      return found;
    }
    const { sender } = found;
    const { current } = this.#live;
    const expected = host ?? lastReply(current)?.host;
    if (expected !== undefined && expected !== sender.host) {
      const reason = `The connection is to ${sender.host} now, and this was meant for ${expected}.`;
      return { ok: false, reason, otherHost: sender.host };
    }
    if (this.#isClosed) {
      return { ok: false, reason: 'The conversation was closed.' };
    }
    const after = place && placeOf(current, place);
    if (place && after === undefined) {
      return notThere;
    }
    const before = current.turns.find((each) => each.id === after);
    if (before && awaitsKeeping(before)) {
      return { ok: false, reason: keepFirst };
    }
    const startedAt = this.#ports.clock.now();
    for (const event of after === undefined ? [] : questionEvents(current, plan, after)) {
      this.#live.happen(event);
    }
    for (const call of calls) {
      this.#calls.add(call.id, id);
      this.#live.happen({ type: 'reply', turnId: turn.id, ...call, host: sender.host, startedAt });
    }
    // Only now may a request leave.
    await this.#live.settled();
    const begin = () => {
      const { onDefect } = this.#ports;
      // The others go on whatever becomes of one.
      const ends = calls.map(({ id, model }) => this.#receive(id, model, turn.id, sender, startedAt).catch(onDefect));
      void Promise.all(ends).then(release);
    };
    return { ok: true, begin };
  }

  async #receive(id: string, model: string, turnId: string, sender: Sender, startedAt: number): Promise<void> {
    const request = { model, messages: messagesFor(this.#live.current, turnId) };
    const end = await this.#calls.run(id, request, sender, startedAt);
    if (end) {
      this.#live.happen(end);
    }
    await this.#live.settled();
  }
}
