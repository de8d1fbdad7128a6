import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Account, type KeyOptions } from './account.ts';
import { groups, modelList } from './catalogue.ts';
import { answerChat, onePiece, setHeaders } from './chat.ts';
import { answerConsole } from './console.ts';
import { type Call, sendAnswer } from './faults/fault.ts';
import { chooseFault, faultFor } from './faultTable.ts';
import {
  type Exchange,
  isAnswered,
  keyValueOf,
  openExchange,
  Refusal,
  readBody,
  sendPieces,
  sendRefusal,
} from './http.ts';
import { newTlsIdentity, type TlsKind } from './network/certificate.ts';
import { startListener } from './network/listener.ts';
import { listenOnLoopback } from './network/listenOnLoopback.ts';
import { openSite, type SiteDisplay } from './site.ts';

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
  /** The context size of every chat model, in tokens, instead of its own. */
  readonly contextTokens?: number;
  /** The number of requests to record for `requests()`; 2,000 by default, 0 for none. */
  readonly recordedRequests?: number;
  /** Factors of the catalogue's prices, by group; 1 by default. */
  readonly groupRatios?: Readonly<Record<string, number>>;
  readonly now?: () => number;
}

/** What the endpoints share: the account, and the settings that can change while the gateway runs. */
export interface Settings {
  readonly contextTokens: number | undefined;
  readonly account: Account;
  readonly now: () => number;
  readonly foreignOrigin: string;
  readonly groupRatios: Readonly<Record<string, number>>;
  readonly record: (request: IncomingMessage, body: string) => void;
  delayMs: number;
  /** The fault of every call, unless its header, its path or its key names another. */
  fault: string | undefined;
  siteDisplay: SiteDisplay;
}

/** A request as received. It contains the key and the content, so use it only in assertions; never write it out. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A running gateway. */
export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Starts a gateway on 127.0.0.1. Rejects when the state file can't be used, which is then left as it is. */
export async function startGateway(options: GatewayOptions = {}) {
  const now = options.now ?? Date.now;
  const account = new Account(options.stateFile, options.walletMicroUsd ?? 10_000_000, now);
  const { requests, record } = openRecord(now, options.recordedRequests ?? 2000);
  const foreign = await startForeignOrigin(now);
  const settings: Settings = {
    account,
    now,
    record,
    foreignOrigin: foreign.origin,
    contextTokens: options.contextTokens,
    groupRatios: { ...Object.fromEntries(groups.map((group) => [group, 1])), ...options.groupRatios },
    delayMs: options.delayMs ?? 20,
    fault: undefined,
    siteDisplay: { quota_display_type: 'USD' },
  };
  const answerSite = openSite(settings);
  async function answer(exchange: Exchange): Promise<void> {
    if (exchange.url.pathname === '/v1' || exchange.url.pathname.startsWith('/v1/')) {
      await answerApi(exchange, settings);
    } else if (!answerSite(exchange)) {
      await answerConsole(exchange, settings);
    }
  }
  const open = new Set<Promise<void>>();
  const identity = options.tls && newTlsIdentity(options.tls);
  const listener = await startListener(options.ports ?? [0], identity, (request, response, connection) => {
    const answered = answer(openExchange(request, response, connection))
      .catch((error: unknown) => {
        console.error(error);
        connection.tcp.destroy();
      })
      .finally(() => open.delete(answered));
    open.add(answered);
  }).catch((error: unknown) => {
    foreign.close();
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
    foreign.close();
    account.flush();
  }

  const origin = `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${listener.port}`;
  return {
    /** The base URL for clients: `http://127.0.0.1:<port>/v1`, or `https://…`. */
    baseUrl: `${origin}/v1`,
    /** The URL of the console: `http://127.0.0.1:<port>`, or `https://…`. */
    consoleUrl: origin,
    /** The certificate that signed the gateway's own, as PEM, for a client to trust; empty without TLS. */
    authority: identity?.authority ?? '',
    /** Whether there was no stored state. */
    isNew: account.isNew,
    /** The other origin that redirecting faults point to. */
    foreign,
    /** Makes a key, in every group unless groups are given. Throws when the fault is unknown. */
    createKey(key: Partial<KeyOptions> & { readonly name: string }): { id: string; value: string } {
      if (key.fault) {
        chooseFault(key.fault);
      }
      const { record: made, value } = account.createKey({ ...key, groups: key.groups ?? groups });
      return { id: made.id, value };
    },
    /** The usage log, oldest first: one line for every chat POST. */
    usageLog: () => account.usage.map((entry) => ({ ...entry })),
    /** The number of chat POSTs that arrived, including refused ones. */
    postCount: () => account.postCount,
    /** The newest requests under `/v1` and to the site's endpoints, with their keys and bodies, oldest first. */
    requests: (): readonly RecordedRequest[] => [...requests],
    /** Sets the time between deltas, from the next delta on, even for replies in progress. */
    setDelayMs(delayMs: number): void {
      settings.delayMs = delayMs;
    },
    /** Sets the fault of every call (`name`, `name:number`, `name@chat`), or none. Throws when it is unknown. */
    setFault(fault: string | undefined): void {
      if (fault !== undefined) {
        chooseFault(fault);
      }
      settings.fault = fault;
    },
    /** Sets how the site says that it shows quota; in US dollars by default. */
    setSiteDisplay(display: SiteDisplay): void {
      settings.siteDisplay = display;
    },
    walletMicroUsd: () => account.walletMicroUsd,
    setWallet: (microUsd: number) => account.setWallet(microUsd),
    /** Resolves when no request is in progress, so that the usage log is complete. */
    settled,
    /** Closes open connections, writes the state and stops. Safe to call twice. */
    close: (): Promise<void> => (closing ??= close()),
  };
}

/** Records the newest requests in memory. */
function openRecord(now: () => number, limit: number) {
  const requests: RecordedRequest[] = [];
  function record({ method = '', url = '', headers }: IncomingMessage, body: string): void {
    requests.push({ method, path: url, headers, body, time: now() });
    requests.splice(0, requests.length - limit);
  }
  return { requests, record };
}

/** Starts another origin on this machine. It records all requests, because no client should send any to it. */
async function startForeignOrigin(now: () => number) {
  const { requests, record } = openRecord(now, 200);
  const server = createServer(async (request, response) => {
    record(request, (await readBody(request).catch(() => '')) ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
  });
  return {
    origin: `http://127.0.0.1:${await listenOnLoopback(server, 0)}`,
    requests: (): readonly RecordedRequest[] => [...requests],
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

const endpoints = new Map([
  ['/v1/models', { method: 'GET', answer: answerModels }],
  ['/v1/chat/completions', { method: 'POST', answer: answerChat }],
]);

/** Answers every request under `/v1`, and sends a Refusal as an error response. */
async function answerApi(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response, tcp, url, gone } = exchange;
  try {
    const endpoint = endpoints.get(url.pathname);
    // The answer to a POST reads the body itself, after it was counted.
    if (endpoint === undefined || endpoint.method !== request.method || request.method !== 'POST') {
      settings.record(request, (await readBody(request)) ?? '');
    }
    if (endpoint === undefined) {
      throw new Refusal(404, 'unknown_url', `Invalid URL (${request.method} ${url.pathname}).`);
    }
    if (endpoint.method !== request.method) {
      response.setHeader('allow', endpoint.method);
      throw new Refusal(405, 'method_not_allowed', `${url.pathname} takes ${endpoint.method}, not ${request.method}.`);
    }
    await endpoint.answer(exchange, settings);
  } catch (error) {
    if (gone.aborted || tcp.destroyed) {
      response.destroy();
      return;
    }
    if (!(error instanceof Refusal)) {
      console.error(error);
    }
    const internal = new Refusal(500, 'internal_error', 'The gateway failed; its output says why.');
    sendRefusal(exchange, error instanceof Refusal ? error : internal);
  }
}

/** Answers `GET /v1/models` with the models that the key can use. */
async function answerModels(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response } = exchange;
  const key = settings.account.admit(keyValueOf(request));
  const chosen = faultFor('models', exchange, key, settings.fault);
  const list = modelList(key.groups, settings.contextTokens);
  if (chosen === undefined) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(list));
    return;
  }
  const { fault, amount } = chosen;
  const { foreignOrigin } = settings;
  const call: Call = { exchange, amount, keyValue: keyValueOf(request), model: '', body: '', foreignOrigin };
  if (fault.answer !== undefined) {
    await sendAnswer(fault.answer, call);
  }
  if (isAnswered(exchange)) {
    return;
  }
  await fault.before?.(call);
  const text = JSON.stringify(fault.list === undefined ? list : fault.list(list, call));
  response.statusCode = fault.status ?? 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  setHeaders(exchange, fault.headers);
  await sendPieces(exchange, fault.wire?.(onePiece(text), call) ?? onePiece(text));
}
