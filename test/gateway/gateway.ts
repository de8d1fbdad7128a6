import { Account, type KeyOptions } from './account.ts';
import { emptyState, type UsageEntry } from './accountState.ts';
import { answerApi } from './api.ts';
import { openConsole } from './console/openConsole.ts';
import { chooseFault } from './faultTable.ts';
import { groups } from './models/catalogue.ts';
import { type Exchange, openExchange } from './network/exchange.ts';
import { startForeignListener } from './network/foreignListener.ts';
import { startListener } from './network/listener.ts';
import { newTlsIdentity, type TlsKind } from './network/tlsIdentity.ts';
import type { Upstream } from './network/upstream.ts';
import { type RecordedRequest, RequestRecorder } from './requestRecorder.ts';
import type { Settings } from './settings.ts';
import { openSite } from './site/openSite.ts';
import { chooseSiteFault, type GroupRatios, type SiteDisplay } from './site/siteSettings.ts';
import { loadState, StateWriter } from './stateFile.ts';
import { lockStateFile } from './stateLock.ts';

/** Options of a gateway. By default it stores its state in memory, uses a free port and waits 20 ms between deltas. */
export interface GatewayOptions {
  /** Ports to try in turn; the default is any free one. */
  readonly ports?: readonly number[];
  /** Serves over TLS with a certificate of this kind; plain HTTP when undefined. */
  readonly tls?: TlsKind;
  /** The file that the state is stored in; in memory when undefined. */
  readonly stateFile?: string;
  /** Milliseconds between deltas. */
  readonly delayMs?: number;
  /** The wallet of a gateway without a stored state, in micro-USD; 10 USD by default. */
  readonly walletMicroUsd?: number;
  readonly errorsAs200?: boolean;
  /** The context size of every chat model, in tokens, instead of its own. */
  readonly contextTokens?: number;
  readonly upstream?: Upstream;
  /** The number of requests to record for `requests()`; 2,000 by default, 0 for none. */
  readonly recordedRequests?: number;
  /** Whether it offers what sites of the new-api family tell of prices and of a key, under `/api`; on by default. */
  readonly siteApi?: 'on' | 'off';
  /** Factors of the catalogue's prices, by group; 1 by default. */
  readonly groupRatios?: GroupRatios;
  readonly now?: () => number;
}

/** A running gateway. */
export interface Gateway {
  /** The base URL for clients: `http://127.0.0.1:<port>/v1`, or `https://…`. */
  readonly baseUrl: string;
  /** The URL of the console: `http://127.0.0.1:<port>`, or `https://…`. */
  readonly consoleUrl: string;
  /** The certificate that signed the gateway's own, as PEM, for a client to trust; empty without TLS. */
  readonly authority: string;
  /** Whether there was no stored state. */
  readonly isNew: boolean;
  /** The other origin that redirecting faults point to. */
  readonly foreign: { readonly origin: string; requests(): readonly RecordedRequest[] };
  /** Makes a key, in every group unless groups are given. Throws when the fault is unknown. */
  createKey(key: Omit<KeyOptions, 'groups'> & { readonly groups?: readonly string[] }): { id: string; value: string };
  deleteKey(id: string): void;
  setKeyDisabled(id: string, isDisabled: boolean): void;
  /** The usage log, oldest first: one line for every chat POST. */
  usageLog(): readonly UsageEntry[];
  /** The number of chat POSTs that arrived, including refused ones. */
  postCount(): number;
  /** The newest requests under `/v1` and to the site's endpoints, with their keys and bodies, oldest first. */
  requests(): readonly RecordedRequest[];
  /** Sets the time between deltas, from the next delta on, even for replies in progress. */
  setDelayMs(delayMs: number): void;
  /** Sets the fault of every call (`name`, `name:number`, `name@chat`), or none. Throws when it is unknown. */
  setFault(fault: string | undefined): void;
  setErrorsAs200(errorsAs200: boolean): void;
  /** Sets the fault of the site's endpoints, or none; see `chooseSiteFault`. Throws when it is unknown. */
  setSiteFault(fault: string | undefined): void;
  /** Sets how the site says that it shows quota; in US dollars by default. */
  setSiteDisplay(display: SiteDisplay): void;
  walletMicroUsd(): number;
  setWallet(microUsd: number): void;
  /** Resolves when no request is in progress, so that the usage log is complete. */
  settled(): Promise<void>;
  /** Closes open connections, writes the state and stops. Safe to call twice. */
  close(): Promise<void>;
}

/** Starts a gateway on 127.0.0.1. Rejects with a StateFileError when the state file can't be used. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const release = options.stateFile === undefined ? async () => {} : await lockStateFile(options.stateFile);
  try {
    return await serve(options, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function serve(options: GatewayOptions, release: () => Promise<void>): Promise<Gateway> {
  const now = options.now ?? Date.now;
  const wallet = options.walletMicroUsd ?? 10_000_000;
  const { state, isNew } =
    options.stateFile === undefined
      ? { state: emptyState(wallet), isNew: true }
      : await loadState(options.stateFile, wallet);
  const writer = options.stateFile === undefined ? undefined : new StateWriter(options.stateFile, state);
  const account = new Account(state, now, () => writer?.schedule());
  const foreign = await startForeignListener(now);
  const settings: Settings = {
    account,
    recorder: new RequestRecorder(now, options.recordedRequests ?? 2000),
    now,
    foreignOrigin: foreign.origin,
    upstream: options.upstream,
    contextTokens: options.contextTokens,
    delayMs: options.delayMs ?? 20,
    fault: undefined,
    errorsAs200: options.errorsAs200 ?? false,
    siteApi: options.siteApi ?? 'on',
    groupRatios: Object.fromEntries(groups.map((group) => [group, options.groupRatios?.[group] ?? 1])),
    siteDisplay: { quota_display_type: 'USD' },
    siteFault: undefined,
  };

  const answerConsole = openConsole(settings);
  const answerSite = openSite(settings);
  async function answer(exchange: Exchange): Promise<void> {
    if (exchange.url.pathname === '/v1' || exchange.url.pathname.startsWith('/v1/')) {
      await answerApi(exchange, settings);
    } else if (!answerSite(exchange)) {
      await answerConsole(exchange);
    }
  }
  const open = new Set<Promise<void>>();
  const identity = options.tls === undefined ? undefined : newTlsIdentity(options.tls);
  const listener = await startListener({ ports: options.ports ?? [0], identity }, (request, response, connection) => {
    const exchange = openExchange(request, response, connection);
    const answered = answer(exchange)
      .catch((error: unknown) => {
        console.error(error);
        connection.close();
      })
      .finally(() => open.delete(answered));
    open.add(answered);
  }).catch(async (error: unknown) => {
    await foreign.close();
    throw error;
  });

  let closing: Promise<void> | undefined;
  async function settled(): Promise<void> {
    while (open.size > 0) {
      await Promise.all(open);
    }
  }
  async function close(): Promise<void> {
    await listener.close();
    await settled();
    await foreign.close();
    try {
      await writer?.flush();
    } finally {
      await release();
    }
  }

  const origin = `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${listener.port}`;
  return {
    baseUrl: `${origin}/v1`,
    consoleUrl: origin,
    authority: identity?.authority ?? '',
    isNew,
    foreign,
    createKey(key) {
      if (key.fault !== undefined && key.fault !== null) {
        chooseFault(key.fault);
      }
      const { record, value } = account.createKey({ ...key, groups: key.groups ?? groups });
      return { id: record.id, value };
    },
    deleteKey: (id) => account.deleteKey(id),
    setKeyDisabled: (id, isDisabled) => account.changeKey(id, { isDisabled }),
    usageLog: () => account.usage.map((entry) => ({ ...entry })),
    postCount: () => account.postCount,
    requests: () => settings.recorder.requests,
    setDelayMs(delayMs) {
      settings.delayMs = delayMs;
    },
    setFault(fault) {
      if (fault !== undefined) {
        chooseFault(fault);
      }
      settings.fault = fault;
    },
    setErrorsAs200(errorsAs200) {
      settings.errorsAs200 = errorsAs200;
    },
    setSiteFault(fault) {
      settings.siteFault = fault === undefined ? undefined : chooseSiteFault(fault);
    },
    setSiteDisplay(display) {
      settings.siteDisplay = display;
    },
    walletMicroUsd: () => account.walletMicroUsd,
    setWallet: (microUsd) => account.setWallet(microUsd),
    settled,
    close: () => (closing ??= close()),
  };
}
