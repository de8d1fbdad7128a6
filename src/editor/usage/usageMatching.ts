import * as l10n from '@vscode/l10n';
import type { TokenLogAnswer } from '../../core/account/accountProbes.ts';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../core/base/lifetime.ts';
import { dateText, numberText, sentences } from '../../core/base/localization.ts';
import { runInSlices } from '../../core/base/runInSlices.ts';
import type { Credit } from '../../core/connections/consoleSettings.ts';
import { advice, adviceText } from '../../core/errors/advice.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import {
  type MatchResult,
  matchLog,
  receiptsOf,
  recordedCalls,
  withOffset,
} from '../../core/usage/receipts/matchLog.ts';
import { unreadableText } from '../../core/usage/view/matchView.ts';
import { showErrorMessage, showInformationMessage, withCancellableProgress } from '../ui/messages.ts';
import { askLogFile, type ColumnMemory, type ImportedLog } from './askLogFile.ts';

export type UsageMatchingPorts = {
  readonly ledger: () => Ledger;
  readonly clock: Clock;
  /**
   * Reads the gateway's own log of a connection's key; `notAllowed` if the connection doesn't allow look-ups, undefined
   * without its key.
   */
  readonly readLog: (
    connection: string,
    signal: AbortSignal,
  ) => Promise<TokenLogAnswer | { readonly status: 'notAllowed' } | undefined>;
  /** Lets the connection look up its account, because the person wants it. */
  readonly turnOnProbes: (connection: string) => Promise<void>;
  readonly hostOf: (connection: string) => string;
  /** What a dollar of the site is worth, if the person stated it. */
  readonly creditOf: (connection: string) => Credit | undefined;
  /** The columns of the log that was last imported for a connection. */
  readonly columnsOf: (connection: string) => ColumnMemory;
  /** Stores the ratio of a key's group, which later prices depend on. */
  readonly noteGroupRatio: (connection: string, ratio: number) => Promise<void>;
};

/** A call and its line may be apart, because clocks differ and answers take time. */
const aroundMs = 60 * 60_000;
/** A file may have times of any time zone. */
const zonesMs = 15 * 60 * 60_000;

/** Compares the record of paid calls with logs of gateways, and records what was charged. */
export class UsageMatching implements Disposable {
  readonly #ports: UsageMatchingPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** The last one of each connection, in this session and since calls were last removed. */
  readonly #results = new Map<string, MatchResult>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(ports: UsageMatchingPorts) {
    this.#ports = ports;
    this.#store.add(
      ports.ledger().onDidClear(() => {
        this.#results.clear();
        this.#didChange.fire();
      }),
    );
  }

  /** Fires when there is a new result, and when the results were forgotten. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  resultOf(connection: string): MatchResult | undefined {
    return this.#results.get(connection);
  }

  /** *Match with the Gateway's Log*. The gateway is asked only once at a time. */
  match(connection: string): Promise<void> {
    const running =
      this.#running.get(connection) ?? this.#match(connection).finally(() => this.#running.delete(connection));
    this.#running.set(connection, running);
    return running;
  }

  /** *Import a Log…* */
  async import(connection: string): Promise<void> {
    const { columnsOf, clock, creditOf } = this.#ports;
    let file = await askLogFile(columnsOf(connection), clock, creditOf(connection));
    while (file !== undefined) {
      const { assumed, askAgain } = file;
      await this.#compare(connection, file, file);
      const choose = l10n.t('Choose Columns…');
      const isWrong = assumed !== undefined && (await showInformationMessage(assumed, choose)) === choose;
      file = isWrong ? await askAgain() : undefined;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #match(connection: string): Promise<void> {
    const { readLog, turnOnProbes, hostOf } = this.#ports;
    const reading = l10n.t("Reading the gateway's log");
    const read = await withCancellableProgress(reading, async (signal) => ({
      answer: await readLog(connection, signal),
    }));
    if (read?.answer?.status === 'read') {
      await this.#compare(connection, read.answer);
    } else if (read !== undefined) {
      const importLog = l10n.t('Import a Log…');
      const turnOn = l10n.t('Turn On and Match');
      const buttons = read.answer?.status === 'notAllowed' ? [turnOn, importLog] : [importLog];
      const answer = await showErrorMessage(failureText(read.answer, hostOf(connection)), ...buttons);
      if (answer === turnOn) {
        await turnOnProbes(connection);
        await this.#match(connection);
      } else if (answer === importLog) {
        await this.import(connection);
      }
    }
  }

  async #compare(
    connection: string,
    { entries, unreadable }: Pick<ImportedLog, 'entries' | 'unreadable'>,
    file?: ImportedLog,
  ): Promise<void> {
    const { clock, noteGroupRatio } = this.#ports;
    const ledger = this.#ports.ledger();
    const now = clock.now();
    const times = entries.map(({ at }) => at);
    const around = file === undefined ? aroundMs : zonesMs;
    const from = times.reduce((one, other) => Math.min(one, other), now) - around;
    const to = times.reduce((one, other) => Math.max(one, other), 0) + around;
    const until = file === undefined ? Math.max(now, to) : to;
    const calls = (await ledger.callsBetween(from, until)).filter((call) => call.connection === connection);
    const isRunning = (call: (typeof calls)[number]) => ledger.stateOf(call) === 'running';
    const recorded = recordedCalls(calls, isRunning);
    const span = { from, to: until, ...(file === undefined && { readAt: now }) };
    const lines = await runInSlices(clock, withOffset(entries, recorded, file?.hasZone !== false));
    const match = await runInSlices(clock, matchLog(recorded, lines, span));
    await ledger.receive(receiptsOf(match, now));
    this.#results.set(connection, { ...match, at: now, file: file?.name, unreadable });
    if (match.groupRatio !== undefined) {
      await noteGroupRatio(connection, match.groupRatio);
    }
    this.#didChange.fire();
    if (match.matched.length === 0) {
      void showInformationMessage(
        entries.length > 0
          ? l10n.t('None of the {0} calls in the log was made from here.', numberText(entries.length))
          : unreadable > 0
            ? unreadableText(unreadable)
            : l10n.t('The log has no calls.'),
      );
    }
  }
}

/** Why the log of the gateway could not be read, and what to do. */
function failureText(
  answer: Exclude<Awaited<ReturnType<UsageMatchingPorts['readLog']>>, { status: 'read' }>,
  host: string,
): string {
  const exported = l10n.t("Export the log in the gateway's console and import it.");
  switch (answer?.status) {
    case undefined:
      return l10n.t('There is no key for this connection.');
    case 'notAllowed':
      return sentences(
        l10n.t('"Read Balance, Prices, and Log" is off for this connection, so {0} was not asked.', host),
        exported,
      );
    case 'notOffered':
      return sentences(l10n.t("{0} doesn't offer its log to keys.", host), exported);
    case 'tooMany':
      return sentences(
        l10n.t('The log was read too often.'),
        l10n.t('It can be read again at {0}.', dateText(answer.retryAt, { timeStyle: 'short' })),
      );
    case 'unreadable':
      return sentences(l10n.t('The log of {0} is damaged or too large.', host), exported);
    case 'failed':
      return adviceText(advice(answer.problem, { host }));
    default:
      return answer satisfies never;
  }
}
