import { isRecord, textOf } from '../base/loose.ts';
import { ClearRouteError, ConnectError, ProxyError } from '../network/networkErrors.ts';
import { redactedStart } from '../secrets/redact.ts';
import type { GatewayProblem, TimerName } from './gatewayProblem.ts';

const certificateCodes = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
/** Codes of failures to connect: nothing was sent. */
const neverConnected: ReadonlySet<string> = new Set([
  ...['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
]);
/** How long Node's own `fetch` waits for the headers, and then for each piece of the body. */
const fetchLimitMs = 300_000;
const fetchTimers: ReadonlyMap<string, TimerName> = new Map([
  ['UND_ERR_HEADERS_TIMEOUT', 'firstByte'],
  ['UND_ERR_BODY_TIMEOUT', 'idle'],
]);
const cuts: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);
/** What undici, and with it the editor's `fetch`, reports when a proxy refuses a tunnel. */
const refusedTunnel = /^Proxy response \((\d{3})\)|^proxy authentication required/i;

/**
 * Explains why a request got no response, from the error's `code` and its chain of `cause` (wire Q68, Q70, Q71). The
 * error's message is shown only redacted: an error about a header repeats the header's value.
 */
export function networkProblem(error: unknown, host: string, secrets: readonly string[]): GatewayProblem {
  const chain = causes(error);
  const isUnsent = chain.some(({ thrown }) => thrown instanceof ConnectError);
  for (const { name, code, syscall, message, thrown } of chain) {
    if (thrown instanceof ClearRouteError) {
      const { proxy } = thrown.route;
      return { kind: 'routeInClear', proxy };
    }
    if (thrown instanceof ProxyError) {
      const why = chain.at(-1)?.code;
      return { kind: 'proxy', ...thrown.facts, ...(why && { code: why }), ...(!isUnsent && { mayHaveRun: true }) };
    }
    const [tunnel, refused = '407'] = refusedTunnel.exec(message) ?? [];
    if (tunnel !== undefined) {
      const status = Number(refused);
      const cause = status === 407 ? 'authentication' : 'refused';
      return { kind: 'proxy', proxy: '', setting: 'http.proxy', cause, status };
    }
    if (!isUnsent && (syscall === 'read' || syscall === 'write')) {
      // There was a connection, so the request may have been read and charged.
      return { kind: 'cut', code };
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return { kind: 'unreachable', host, cause: 'dns', code };
    }
    if (code === 'ECONNREFUSED') {
      return { kind: 'unreachable', host, cause: 'refused', code };
    }
    if (neverConnected.has(code)) {
      return { kind: 'unreachable', host, cause: 'network', code };
    }
    if (name === 'HTTPParserError' || code.startsWith('HPE_')) {
      return { kind: 'unreadable', code };
    }
    if (certificateCodes.test(code)) {
      return { kind: 'certificate', detail: code, code };
    }
    const timer = fetchTimers.get(code);
    if (timer !== undefined) {
      return { kind: 'timedOut', timer, limitMs: fetchLimitMs, code };
    }
    const isTls = code.startsWith('ERR_SSL') || code === 'EPROTO';
    if (!isUnsent && (isTls || cuts.has(code) || code.startsWith('UND_ERR_'))) {
      return { kind: 'cut', code };
    }
    if (isTls) {
      return { kind: 'certificate', detail: code, code, words: redactedStart(message, secrets, 500) };
    }
  }
  const informative = chain.find(({ code }) => code !== '') ?? chain.findLast(({ message }) => message !== '');
  if (isUnsent) {
    return { kind: 'unreachable', host, cause: 'network', ...(informative?.code && { code: informative.code }) };
  }
  const words = redactedStart(informative?.message ?? String(error), secrets, 500);
  return { kind: 'unreachable', host, cause: 'network', words, ...(informative?.code && { code: informative.code }) };
}

type Cause = {
  readonly name: string;
  readonly code: string;
  readonly syscall: string;
  readonly message: string;
  readonly thrown: unknown;
};

function causes(error: unknown): Cause[] {
  const found: Cause[] = [];
  let current: unknown = error;
  for (let level = 0; level < 8 && (isRecord(current) || current instanceof Error); level++) {
    const { name, code, syscall, message, cause, errors } = current as Record<string, unknown>;
    const text = (value: unknown) => textOf(value) ?? '';
    found.push({ name: text(name), code: text(code), syscall: text(syscall), message: text(message), thrown: current });
    // An AggregateError has one error for each address that was tried; the first is the most informative.
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return found;
}
