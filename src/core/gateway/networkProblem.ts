import type { GatewayProblem } from './gatewayProblem.ts';
import { isRecord, textOf } from './loose.ts';
import { redact } from './redact.ts';

const certificateCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** No connection was made in time, so nothing was sent. */
const connectTimeouts: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/**
 * Reads why a request never got its answer from the error's `code` and its chain of `cause` (wire Q68, Q70, Q71).
 * The thrown message itself is shown only redacted: a header error repeats the header's value.
 */
export function networkProblem(error: unknown, host: string, secrets: readonly string[]): GatewayProblem {
  const chain = causes(error);
  for (const { name, code, syscall } of chain) {
    if ((syscall === 'read' || syscall === 'write') && code !== 'EPROTO') {
      // The connection stood, so the request may have been read, and charged.
      return { kind: 'cut', code };
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return { kind: 'unreachable', host, cause: 'dns', code };
    }
    if (code === 'ECONNREFUSED') {
      return { kind: 'unreachable', host, cause: 'refused', code };
    }
    if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL' || connectTimeouts.has(code)) {
      return { kind: 'unreachable', host, cause: 'network', code };
    }
    if (name === 'HTTPParserError' || code.startsWith('HPE_')) {
      return { kind: 'unreadable', detail: 'something other than HTTP', ...(code && { code }) };
    }
    if (certificateCodes.test(code)) {
      return { kind: 'certificate', detail: code, code };
    }
    if (code === 'ECONNRESET' || code === 'EPIPE' || /^(?:UND_ERR|ERR_HTTP2)_/.test(code)) {
      return { kind: 'cut', code };
    }
  }
  const code = chain[0]?.code;
  const words = redact(chain[0]?.message ?? String(error), secrets).slice(0, 500);
  return code?.startsWith('ERR_SSL') || code === 'EPROTO'
    ? { kind: 'certificate', detail: code, code, words }
    : { kind: 'unreachable', host, cause: 'network', words, ...(code && { code }) };
}

function causes(error: unknown): { name: string; code: string; syscall: string; message: string }[] {
  const found: ReturnType<typeof causes> = [];
  let current: unknown = error;
  // An AggregateError of all addresses tried says it best in its first member.
  for (let level = 0; level < 8 && (isRecord(current) || current instanceof Error); level++) {
    const record = current as {
      name?: unknown;
      code?: unknown;
      syscall?: unknown;
      message?: unknown;
      cause?: unknown;
      errors?: unknown;
    };
    found.push({
      name: textOf(record.name) ?? '',
      code: textOf(record.code) ?? '',
      syscall: textOf(record.syscall) ?? '',
      message: textOf(record.message) ?? '',
    });
    current = record.cause ?? (Array.isArray(record.errors) ? record.errors[0] : undefined);
  }
  return found;
}
