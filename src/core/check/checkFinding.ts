import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { sentences } from '../base/localization.ts';
import type { Connection } from '../connections/connection.ts';
import { advice } from '../errors/advice.ts';
import { type AdviceWords, adviceText } from '../errors/adviceText.ts';
import { durationText } from '../errors/durationText.ts';
import { GatewayError, type GatewayProblem } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { quotedWords } from '../errors/quotedWords.ts';
import type { Transport } from '../http/transport.ts';
import type { NetworkProbe } from '../network/networkProbe.ts';
import type { NetworkSettings } from '../network/networkSettings.ts';

/** The result of one step. Its texts contain no key and no value of an extra header. */
export type CheckFinding = {
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
  /** What the person can do about it. */
  readonly remedy?: string;
};

/** Dependencies of the check. */
export type CheckPorts = {
  readonly transport: Transport;
  readonly probe: NetworkProbe;
  readonly clock: Clock;
  readonly userAgent: string;
  /** The same limit as for other requests, so that the check fails when they do. */
  readonly connectTimeoutMs: number;
  /** The transport; `undici` by default. The probe can't inspect the route that `host` takes. */
  readonly network?: NetworkSettings['transport'];
};

/** Input of every step. */
export type CheckContext = CheckPorts & {
  readonly connection: Pick<Connection, 'url' | 'headers'>;
  readonly key: string | undefined;
  /** Host and port, as `advice` names the gateway. */
  readonly host: string;
  /** Texts to redact. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
};

/** Describes a problem in the same words as elsewhere, except where those mention paid answers. */
export function findingOf(problem: GatewayProblem, host: string): CheckFinding {
  const { status, code, words, requestId } = problem;
  const { title, remedy } = wordsFor(problem, host);
  const facts = [status !== undefined && `HTTP ${status}`, String(status) !== code && code].filter(Boolean).join(', ');
  const detail = sentences(
    facts
      ? l10n.t({ message: '{0} ({1}).', args: [title, facts], comment: ['A title as a sentence, then facts'] })
      : adviceText({ title, remedy: '' }),
    words && quotedWords(problem, host),
    requestId && l10n.t('Request ID: {0}.', requestId),
  );
  return { status: 'failed', detail, remedy };
}

function wordsFor(problem: GatewayProblem, host: string): AdviceWords {
  switch (problem.kind) {
    case 'timedOut':
      return {
        title: l10n.t('No response within {0}', durationText(problem.limitMs)),
        remedy: l10n.t(
          '{0} or the network path to it is slow or blocks the connection. Check your network, VPN, and proxy.',
          host,
        ),
      };
    case 'cut':
      return {
        title: l10n.t('The connection closed before the response was complete'),
        remedy: l10n.t('A firewall, a proxy, or {0} closed it, or the gateway is restarting. Try again later.', host),
      };
    default:
      return advice(problem, { host });
  }
}

/** Converts an error thrown by a step to a problem. */
export function problemOf(error: unknown, { host, secrets }: CheckContext): GatewayProblem {
  return error instanceof GatewayError ? error.problem : networkProblem(error, host, secrets);
}

export function skipped(detail: string): CheckFinding {
  return { status: 'skipped', detail };
}
