import type { Clock } from '../base/clock.ts';
import type { Connection } from '../connections/connection.ts';
import { advice } from '../errors/advice.ts';
import { GatewayError, type GatewayProblem } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import type { Transport } from '../http/transport.ts';
import type { NetworkProbe } from '../network/networkProbe.ts';
import type { NetworkSettings } from '../network/networkSettings.ts';

/** What one step found. The words hold no key and no value of an extra header. */
export type CheckFinding = {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
  /** What a person can do about it. */
  readonly remedy?: string;
};

/** What the check needs from outside. */
export type CheckPorts = {
  readonly transport: Transport;
  readonly probe: NetworkProbe;
  readonly clock: Clock;
  readonly userAgent: string;
  /** As for every other request, so that the check fails when they do. */
  readonly connectTimeoutMs: number;
  /** Who carries the requests; `undici` unless said. The probe knows nothing of the way that `host` takes. */
  readonly carrier?: NetworkSettings['transport'];
};

/** What every step is given. */
export type CheckContext = CheckPorts & {
  readonly connection: Pick<Connection, 'url' | 'headers'>;
  readonly key: string | undefined;
  /** Host and port, as `advice` names the gateway. */
  readonly host: string;
  /** Literal texts that must not be shown. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
};

/** What zlib and Brotli in Node say of bytes that are not what their header says. */
const damagedEncoding = /^(?:Z_|ERR__ERROR_|ERR_BROTLI|ZSTD_)/;

/** A problem in the words everything else uses, but for those that speak of paid replies. */
export function findingOf(problem: GatewayProblem, host: string): CheckFinding {
  const { title, remedy } = wordsFor(problem, host);
  const facts = [
    problem.status !== undefined && `HTTP ${problem.status}`,
    String(problem.status) !== problem.code && problem.code,
  ]
    .filter(Boolean)
    .join(', ');
  // Without an answer the words are this machine's own.
  const speaker = problem.status === undefined ? '' : 'It says: ';
  const words = problem.words ? ` ${speaker}“${problem.words}”` : '';
  const id = problem.requestId ? ` Request id: ${problem.requestId}.` : '';
  return { status: 'failed', detail: `${title}${facts && ` (${facts})`}.${words}${id}`, remedy };
}

function wordsFor(problem: GatewayProblem, host: string): { title: string; remedy: string } {
  switch (problem.kind) {
    case 'timedOut':
      return {
        title: `Nothing was to be had within ${Math.ceil(problem.limitMs / 1_000)} s`,
        remedy: `${host} or something on the way to it is slow, or lets nothing through. Check the network, a VPN, or a proxy.`,
      };
    case 'cut':
      if (problem.code !== undefined && damagedEncoding.test(problem.code)) {
        return {
          title: 'The answer’s compression is damaged',
          remedy: `${host} or something on the way to it changes answers: a proxy, a virus scanner, or the gateway itself.`,
        };
      }
      return {
        title: 'The connection was closed before all had arrived',
        remedy: `${host} or something on the way to it ended the connection: a firewall, a proxy, or a gateway that is starting anew.`,
      };
    default:
      return advice(problem, { host });
  }
}

/** Reads whatever a step threw. */
export function problemOf(error: unknown, { host, secrets }: CheckContext): GatewayProblem {
  return error instanceof GatewayError ? error.problem : networkProblem(error, host, secrets);
}

export function skipped(detail: string): CheckFinding {
  return { status: 'skipped', detail };
}
