import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/lifetime.ts';
import type { ChatRequest } from '../../client/gatewayClient.ts';
import { withRejectedParameter } from '../../errors/classify.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';
import type { OwnCaller } from '../../usage/ledgerLine.ts';
import type { CodeContext } from '../context/prompt.ts';
import { replyIn, turnToFollow } from '../conversation/branches.ts';
import { keepFirst, needsChoice, notComparable } from '../conversation/comparison.ts';
import { type Conversation, lastReply, questionTitle, type Reply, type Turn } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversationRecord.ts';
import { messagesFor, withSystemPrompt } from '../conversation/messagesFor.ts';
import { requestOptions, sentPrompt } from '../conversation/sentParameters.ts';
import type { LeftOut } from '../conversation/storedParts.ts';
import { type ConversationStore, lockedReason } from '../store/conversationStore.ts';
import type { FindSender, PaidEnd, Sender } from './callGate.ts';
import { LiveConversation, type LivePorts } from './liveConversation.ts';

/** What is asked. */
export type Asked =
  /** A new question; with `instead`, the edited one of that turn: the new turn becomes its sibling, and the editing ends. */
  | { readonly question: string; readonly contexts: readonly CodeContext[]; readonly instead?: string }
  /**
   * The question of a turn, for another reply in the column of `replyId`, by default of the shown reply. With `asking`, a
   * text that asks for the rest of that reply, which was cut.
   */
  | { readonly turnId: string; readonly replyId?: string | undefined; readonly asking?: string };

/** An action by the person that asks models: one paid call to each. */
export type Action = {
  /** Unique for each action. The ids of its turn and calls derive from it, so that a repeated action is detected. */
  readonly id: string;
  /** Exact ids. The answers of several are shown side by side until the person chooses one. */
  readonly models: readonly string[];
  /** Host the person expects it to be sent to; by default the host of the conversation's last reply. */
  readonly host?: string;
  /** Finds the sender that the caller has begun to look for. By default it's found when the question is ready. */
  readonly findSender?: FindSender;
  /** What is left out of the requests. */
  readonly leftOut?: LeftOut;
  /** Id of the turn that the person expects a new question to follow, `null` for none; by default, the one it follows. */
  readonly follows?: string | null;
  /** What the ledger names as the caller; by default, the panel or a comparison. */
  readonly caller?: OwnCaller;
} & Asked;

/** The turn and the calls that an action leads to. */
export type Plan = {
  readonly turn: Turn;
  readonly calls: readonly Call[];
  /** Whether the turn has to be added. */
  readonly isNew: boolean;
  /** Id of the turn whose edited question it is; its sibling then. */
  readonly instead?: string;
};

/** One POST request; its reply gets the same id. */
export type Call = { readonly id: string; readonly model: string } & Pick<Reply, 'column' | 'continues'>;

/** The result of an action. */
export type Sent =
  | { readonly ok: true }
  /**
   * `otherHost` is set when only the person's consent is missing, because the question would go to another gateway than
   * before. `isStopped` is set when the person stopped or cancelled the action, so that the reason is no error. `isOutdated` is set when
   * the question would follow another turn than the person expects.
   */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly otherHost?: string;
      readonly isStopped?: true;
      readonly isOutdated?: true;
    };
export type NotSent = Sent & { readonly ok: false };

export type ChatPorts = LivePorts & {
  readonly store: Pick<ConversationStore, 'isOnDisk' | 'keepPicture' | 'lock'>;
  readonly findSender: FindSender;
  /** Reports an error that is a defect of the extension. */
  readonly onDefect: (error: unknown) => void;
};

/** What the calls need, once the question and an entry for each reply are on disk. */
type Ready = { readonly sender: Sender; readonly startedAt: number; readonly isInMemory?: true };

/**
 * An open conversation that can ask models: one action at a time, with one POST request for each call. The ids of the
 * calls derive from the id of the action, so that a repeated action is detected, even after a restart.
 */
export class Chat implements Disposable {
  /** The conversation, and everything that can be done with it without asking a model. */
  readonly live: LiveConversation;
  readonly #ports: ChatPorts;
  /** Actions whose requests have not been sent yet, by id. */
  readonly #starting = new Map<string, AbortController>();
  /** Whether one of them is past its review: its key is being read, or its question written. */
  #isSending = false;
  /** Running calls, by the id of their reply. */
  readonly #calls = new Map<string, { readonly actionId: string; readonly abort: AbortController }>();

  /** @param isStored whether the store already has this conversation. */
  constructor(conversation: Conversation, isStored: boolean, ports: ChatPorts) {
    this.live = new LiveConversation(conversation, isStored, ports);
    this.#ports = ports;
  }

  /** Whether a reply is arriving or about to start. */
  get isBusy(): boolean {
    return this.#isSending || this.#calls.size > 0;
  }

  /** Id of the action whose requests have not been sent yet, if any; see `stop`. */
  get starting(): string | undefined {
    return this.#starting.keys().next().value;
  }

  /**
   * Runs an action up to the sending of its requests. `stop` aborts the signal that `run` gets, also the one of `send`
   * within it.
   */
  async start(id: string, run: (signal: AbortSignal) => Promise<Sent>): Promise<Sent> {
    const started = this.#starting.get(id);
    if (started) {
      return run(started.signal);
    }
    const abort = new AbortController();
    if (this.live.isDisposed) {
      abort.abort();
    }
    this.#starting.set(id, abort);
    try {
      return await run(abort.signal);
    } finally {
      this.#starting.delete(id);
    }
  }

  /** Sends the requests of an action. Its calls are paid. */
  send(action: Action): Promise<Sent> {
    return this.start(action.id, (signal) => this.#sendOnce(action, signal));
  }

  /**
   * Stops running calls and keeps the text that arrived. Requests that have not been sent yet are not sent.
   *
   * @param id id of a reply or of an action; without it, everything is stopped.
   */
  stop(id?: string): void {
    const matches = (each: string) => id === undefined || each === id;
    for (const [each, abort] of this.#starting) {
      if (matches(each)) {
        abort.abort();
      }
    }
    for (const [each, { actionId, abort }] of this.#calls) {
      if (matches(each) || matches(actionId)) {
        abort.abort();
      }
    }
  }

  /** Aborts running calls without recording an end for them, because the person did not stop them. */
  dispose(): void {
    this.stop();
    this.live.dispose();
  }

  /** Refuses an action that can't be sent here now, and one that was sent before. */
  async #sendOnce(action: Action, signal: AbortSignal): Promise<Sent> {
    const plan = planOf(this.live.conversation, action);
    if ('reason' in plan) {
      return plan;
    }
    if (isTaken(this.live.conversation, action.id)) {
      return { ok: true };
    }
    if (this.isBusy) {
      return { ok: false, reason: l10n.t("An answer is still arriving. Stop it or wait until it's complete.") };
    }
    // Nothing else may start until the reply has its entry: a second Enter can arrive while the key is being read.
    this.#isSending = true;
    try {
      return await this.#lockAndSend(action, plan, signal);
    } finally {
      this.#isSending = false;
    }
  }

  /** Sends while no other window sends in this conversation; until the last reply has ended. */
  async #lockAndSend(action: Action, plan: Plan, signal: AbortSignal): Promise<Sent> {
    const { store, onKeepFailed, onDefect } = this.#ports;
    const release = await store.lock(this.live.conversation.id).catch((error: unknown) => {
      // Without a writable folder the history can't be saved and needs no lock, but the question can still be sent.
      onKeepFailed(error);
      return () => undefined;
    });
    if (release === undefined) {
      return { ok: false, reason: lockedReason() };
    }
    let replies: Promise<unknown> = Promise.resolve();
    try {
      const prepared = await this.#prepare(action, plan, signal);
      if ('ok' in prepared) {
        return prepared;
      }
      // When one call fails, the others continue.
      replies = Promise.all(
        plan.calls.map((call) => this.#receive(call, plan, prepared, action.caller).catch(onDefect)),
      );
      return { ok: true };
    } finally {
      void replies.then(release);
    }
  }

  /** Finds the sender, and stores the question with its empty replies. */
  async #prepare(
    { id, host, leftOut, follows, findSender = this.#ports.findSender }: Action,
    plan: Plan,
    signal: AbortSignal,
  ): Promise<Ready | Sent> {
    const { turn, calls, isNew, instead } = plan;
    await this.live.catchUp();
    const found = await findSender();
    if (signal.aborted) {
      return stoppedInTime();
    }
    if (!found.ok) {
      return found;
    }
    const { sender } = found;
    const { conversation } = this.live;
    const expected = host ?? lastReply(conversation)?.host;
    if (expected !== undefined && expected !== sender.host) {
      return { ok: false, reason: otherGatewayText(expected, sender.host), otherHost: sender.host };
    }
    const after = isNew ? turnToFollow(conversation, instead) : undefined;
    if (isNew && after === undefined) {
      return notThere();
    }
    const before = conversation.turns.find((each) => each.id === after);
    if (before && needsChoice(before)) {
      return { ok: false, reason: keepFirst() };
    }
    if (isNew && follows !== undefined && follows !== after) {
      return { ...stoppedInTime(), isOutdated: true };
    }
    const startedAt = this.#ports.clock.now();
    if (after !== undefined) {
      this.#addQuestion(plan, after);
    }
    for (const call of calls) {
      // From here on the call can be stopped, even before its request is sent.
      this.#calls.set(call.id, { actionId: id, abort: new AbortController() });
      const systemPrompt = sentPrompt(conversation, sender.defaults, call.model)?.text;
      const options = requestOptions(conversation, sender.defaults, call.model);
      const set = this.live.withoutSecrets({
        ...(systemPrompt !== undefined && { systemPrompt }),
        ...(options && { options }),
      });
      const { host, connection } = sender;
      const sentWith = { host, ...(connection !== undefined && { connection }), ...(leftOut && { leftOut }) };
      this.live.record({ type: 'reply', turnId: turn.id, ...call, ...set, ...sentWith, startedAt });
    }
    // A request may be sent only once its question and reply are written.
    await this.live.settled();
    const isInMemory = !(await this.#ports.store.isOnDisk(conversation.id).catch(() => false));
    return { sender, startedAt, ...(isInMemory && { isInMemory }) };
  }

  /** Adds a new question after this turn, and names the conversation after its first one if it has no title yet. */
  #addQuestion({ turn, instead }: Plan, after: string | null): void {
    const { id, question, contexts } = turn;
    const { turns, title } = this.live.conversation;
    if (turns.length === 0 && title === undefined && questionTitle(turn) !== '') {
      // A question that is sent as it is gives a masked title: masked before it is cut, or a part of a secret would stay.
      const paths = contexts.slice(0, 1).map(({ path }) => ({ path }));
      const text = questionTitle(this.live.withoutSecrets({ question, contexts: paths }));
      this.live.record({ type: 'title', text });
    }
    const isNext = after === (turns.at(-1)?.id ?? null);
    this.live.record({
      type: 'turn',
      id,
      question,
      contexts,
      ...(!isNext && { after }),
      ...(instead !== undefined && { instead }),
    });
  }

  /** Sends the request of one call and records its reply until the end. */
  async #receive(
    { id, model, column }: Call,
    { turn }: Plan,
    { sender, startedAt, isInMemory }: Ready,
    kind: OwnCaller = column === undefined ? 'panel' : 'comparison',
  ): Promise<void> {
    const { clock, store, onKeepFailed, onDefect } = this.#ports;
    const signal = this.#calls.get(id)?.abort.signal ?? AbortSignal.abort();
    const isUnsent = signal.aborted;
    const reply = this.live.turnOf(id)?.replies.find((each) => each.id === id);
    const messages = withSystemPrompt(reply?.systemPrompt, messagesFor(this.live.conversation, turn.id, reply));
    // Also those of stored conversations, which may be older than a key.
    const request = {
      model,
      ...this.live.withoutKeys({ messages, ...(reply?.options && { options: reply.options }) }),
    };
    const origin = {
      id,
      caller: { kind },
      conversation: this.live.conversation.id,
      ...(isInMemory && { isInMemory }),
    };
    const elapsed = () => Math.max(0, clock.now() - startedAt);
    const kept: Promise<void>[] = [];
    const onDelta = ({ pictures = [], ...delta }: ReplyDelta) => {
      kept.push(...pictures.map((each) => store.keepPicture(this.live.conversation.id, each).catch(onKeepFailed)));
      this.live.record({ type: 'delta', replyId: id, ...delta, ms: elapsed() });
    };
    let end: PaidEnd;
    try {
      end = isUnsent ? { outcome: 'stopped' } : await sender.send(request, origin, onDelta, signal);
    } catch (error) {
      // A sender returns failures as data, so this is a defect in our code. It must not leave the reply running.
      onDefect(error);
      end = { outcome: 'failed', problem: { kind: 'defect' } };
    }
    await Promise.all(kept);
    this.#calls.delete(id);
    // After closing, the reply stays without an end, which is read back as `interrupted`.
    if (!this.live.isDisposed) {
      this.live.record({ ...endEvent(id, request, end, elapsed()), ...(isUnsent && { isUnsent }) });
    }
    await this.live.written();
  }
}

function endEvent(
  replyId: string,
  request: ChatRequest,
  { outcome, model, toolCalls, callsWithKey, problem, ...facts }: PaidEnd,
  totalMs: number,
): Extract<ConversationEvent, { type: 'end' }> {
  return {
    type: 'end',
    replyId,
    state: outcome,
    totalMs,
    ...facts,
    ...(problem && { problem: withRejectedParameter(problem, request.options) }),
    ...((toolCalls !== undefined || callsWithKey !== undefined) && { hasToolCalls: true }),
    ...(model !== undefined && model !== request.model && { echoedModel: model }),
  };
}

/** Plans an action. @returns the reason, as a sentence, when the action isn't possible. */
export function planOf({ turns }: Conversation, action: Action): Plan | NotSent {
  const { id, models } = action;
  const reason = models.length === 1 ? undefined : notComparable(models);
  if (reason !== undefined) {
    return { ok: false, reason };
  }
  const calls = models.map((model, index) =>
    models.length === 1 ? { id, model } : { id: `${id}.${index + 1}`, model, column: index + 1 },
  );
  if ('question' in action) {
    const { question, contexts, instead } = action;
    return {
      turn: { id, question, contexts, replies: [] },
      calls,
      isNew: true,
      ...(instead !== undefined && { instead }),
    };
  }
  const { turnId, replyId, asking } = action;
  const turn = turns.find((each) => each.id === turnId);
  if (turn === undefined) {
    return notThere();
  }
  const reply = replyIn(turn, replyId);
  const more = {
    ...(reply?.column !== undefined && { column: reply.column }),
    ...(asking !== undefined && reply && { continues: { replyId: reply.id, question: asking } }),
  };
  return { turn, calls: calls.map((each) => ({ ...each, ...more })), isNew: false };
}

/** Whether this action was run before, because a turn or a reply has its id. */
function isTaken({ turns }: Conversation, id: string): boolean {
  return turns.some((turn) => turn.id === id || turn.replies.some((reply) => reply.id === id));
}

/** Says that an action goes to another gateway than expected. */
export function otherGatewayText(expected: string, host: string): string {
  return l10n.t('This question was meant for {0}, but the active connection is {1}.', expected, host);
}

/** Result of an action that the person stopped, or cancelled in a review, before its request was sent. */
export function stoppedInTime(): NotSent {
  return { ok: false, reason: l10n.t('Nothing was sent.'), isStopped: true };
}

/** Result of an action whose turn no longer exists. */
function notThere(): NotSent {
  return { ok: false, reason: l10n.t('This question no longer exists.') };
}
