import { isRecord, textOf } from '../base/loose.ts';
import { ConnectError, ProxyError } from '../network/networkErrors.ts';
import { redactedStart } from '../secrets/redact.ts';
import { GatewayError, type GatewayProblem } from './gatewayProblem.ts';

/** How long Node's own `fetch` waits for the headers, and then for each piece of the body. */
const fetchLimitMs = 300_000;
const cuts: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);
/** What undici, and with it the editor's `fetch`, reports when a proxy refuses a tunnel. */
const refusedTunnel = /^Proxy response \((\d{3})\)|^proxy authentication required/i;
/** What Node says of a connection that ends before its encryption begins. The editor's `fetch` has no `ConnectError`. */
const noTls = /before secure TLS connection/;

/**
 * Explains why a request got no response: the problem of a `GatewayError`, else from the error's `code` and its chain of `cause` (wire Q68, Q70, Q71). The
 * error's message is shown only redacted: an error about a header repeats the header's value.
 */
export function networkProblem(error: unknown, host: string, secrets: readonly string[]): GatewayProblem {
  if (error instanceof GatewayError) {
    return error.problem;
  }
  const chain = [...causes(error)];
  const isUnsent = chain.some(({ thrown, message }) => thrown instanceof ConnectError || noTls.test(message));
  for (const { name, code, syscall, message, thrown } of chain) {
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
    const known = rules(host, code).find(([codes]) => codes.test(code || name))?.[1];
    if (known) {
      return { ...known, code };
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

/** What a code means, in any case; after the first three, nothing was sent. */
function rules(host: string, code: string): readonly (readonly [RegExp, GatewayProblem])[] {
  return [
    [/^(?:ENOTFOUND|EAI_AGAIN)$/, { kind: 'unreachable', host, cause: 'dns' }],
    [/^ECONNREFUSED$/, { kind: 'unreachable', host, cause: 'refused' }],
    [
      /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
      { kind: 'unreachable', host, cause: 'network' },
    ],
    [/^(?:HPE_|HTTPParserError$)/, { kind: 'unreadable' }],
    [
      /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT)/,
      { kind: 'certificate', detail: code },
    ],
    [/^UND_ERR_HEADERS_TIMEOUT$/, { kind: 'timedOut', timer: 'firstByte', limitMs: fetchLimitMs }],
    [/^UND_ERR_BODY_TIMEOUT$/, { kind: 'timedOut', timer: 'idle', limitMs: fetchLimitMs }],
  ];
}

/** The error and its causes. */
function* causes(
  error: unknown,
  level = 0,
): Generator<Record<'name' | 'code' | 'syscall' | 'message', string> & { readonly thrown: unknown }> {
  if (level < 8 && isRecord(error)) {
    const { name, code, syscall, message, cause, errors } = error;
    const text = (value: unknown) => textOf(value) ?? '';
    yield { name: text(name), code: text(code), syscall: text(syscall), message: text(message), thrown: error };
    // An AggregateError has one error for each address that was tried; the first is the most informative.
    yield* causes(cause ?? (Array.isArray(errors) ? errors[0] : undefined), level + 1);
  }
}
