import type { Clock } from '../../base/clock.ts';
import { type CostRange, costRange } from '../../base/costRange.ts';
import { dayStart } from '../../base/dayStart.ts';
import { type Disposable, Emitter, type Event } from '../../base/lifetime.ts';
import type { Connections } from '../../connections/connections.ts';
import type { Ledger } from '../../usage/ledger.ts';
import type { KnownPrices } from '../../usage/prices/prices.ts';
import { type QuestionPrice, questionPrice } from '../../usage/prices/questionPrice.ts';
import type { CountedCall } from '../../usage/usageTotals.ts';
import { turnBefore, turnsTo, visibleTurns } from '../conversation/branches.ts';
import { type Conversation, type Draft, noDraft } from '../conversation/conversation.ts';
import { answerOf } from '../conversation/messagesFor.ts';
import { requestParts, tokensOf } from '../conversation/requestParts.ts';
import { sentPrompt, tokenLimitOf } from '../conversation/sentParameters.ts';

/** How far back calls are counted. */
const countedDays = 30;
const newConversation: Conversation = { id: '', createdAt: 0, turns: [], draft: noDraft };

/** What questions with the active connection may cost, by prices and by the person's own calls. */
export class QuestionCosts implements Disposable {
  readonly #ledger: () => Pick<Ledger, 'calls' | 'loadedCalls' | 'tokenFactor'>;
  readonly #connections: Pick<Connections, 'active'>;
  readonly #priceNow: (connectionId: string, model: string) => KnownPrices | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onDefect: (error: unknown) => void;
  readonly #didChange = new Emitter<void>();
  /** Id of the connection whose calls were read last. */
  #connection: string | undefined;

  /** @param priceNow finds the prices of a connection's model that are known now. */
  constructor(
    ledger: () => Pick<Ledger, 'calls' | 'loadedCalls' | 'tokenFactor'>,
    connections: Pick<Connections, 'active'>,
    priceNow: (connectionId: string, model: string) => KnownPrices | undefined,
    clock: Pick<Clock, 'now'>,
    onDefect: (error: unknown) => void,
  ) {
    this.#ledger = ledger;
    this.#connections = connections;
    this.#priceNow = priceNow;
    this.#clock = clock;
    this.#onDefect = onDefect;
  }

  /** Fires when calls were read. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /**
   * What the cost of a question to a model depends on; undefined if its prices are unknown.
   *
   * @param after id of the turn that the question follows, `null` for none; by default, that of the question in the box.
   */
  price(conversation: Conversation, model: string, after = placeOfDraft(conversation)): QuestionPrice | undefined {
    const { active } = this.#connections;
    const prices = active && this.#priceNow(active.id, model);
    if (active === undefined || prices === undefined) {
      return undefined;
    }
    const calls = this.#callsOf(active.id, model);
    const answered = after === null ? [] : turnsTo(conversation, after);
    const reply = answered.flatMap((turn) => answerOf(turn) ?? []).at(-1);
    const usages = calls.map(({ usage }) => usage);
    return questionPrice(prices, usages, {
      factor: this.tokenFactor(model),
      tokenLimit: tokenLimitOf(conversation, active, model),
      last: calls.findLast(({ id }) => id === reply?.id)?.usage,
    });
  }

  /** What to multiply estimates of tokens with for a model, by what its calls showed. */
  tokenFactor(model: string): number {
    return this.#ledger().tokenFactor(model);
  }

  /** What a question with so many estimated tokens may cost; see `price`. */
  range(conversation: Conversation, model: string, estimate: number, after?: string | null): CostRange | undefined {
    const price = this.price(conversation, model, after);
    return price && costRange(price, estimate);
  }

  /** What a question may cost that begins a conversation. */
  first(draft: Draft, model: string): CostRange | undefined {
    const prompt = sentPrompt(newConversation, this.#connections.active, model)?.text;
    return this.range(newConversation, model, tokensOf(requestParts(newConversation, draft, null, prompt)));
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  /** The calls to a model as far as they were read; reads those of a connection once. */
  #callsOf(connection: string, model: string): readonly CountedCall[] {
    const from = dayStart(this.#clock.now(), -countedDays);
    if (this.#connection !== connection) {
      this.#connection = connection;
      const reading = this.#ledger().calls(connection, from);
      reading.then(() => this.#didChange.fire()).catch(this.#onDefect);
    }
    return this.#ledger()
      .loadedCalls(connection, from)
      .filter((call) => call.model === model);
  }
}

function placeOfDraft(conversation: Conversation): string | null {
  const { edit } = conversation;
  return (edit ? turnBefore(conversation, edit.turnId) : visibleTurns(conversation).at(-1)?.id) ?? null;
}
