import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { redact } from '../secrets/redact.ts';
import { checkStreaming, compareClocks } from './checkAnswer.ts';
import { type CheckContext, type CheckFinding, type CheckPorts, skipped } from './checkFinding.ts';
import { checkKey, checkModelList } from './checkModels.ts';
import { checkAddress, checkDns, checkRoute, checkTls } from './checkNetwork.ts';

/** The steps, in order. */
export type CheckStepId = 'address' | 'route' | 'dns' | 'tls' | 'modelList' | 'key' | 'clock' | 'streaming';

export type CheckStep = CheckFinding & {
  readonly id: CheckStepId;
  /** As shown to the person. */
  readonly name: string;
  /** Duration in milliseconds; absent for a skipped step. */
  readonly ms?: number;
};

/** The result of a check, safe to show and report: contains no key and no header value. */
export type ConnectionCheck = {
  readonly connection: {
    readonly name: string;
    readonly base: string;
    /** The extra headers, by name and length of the value. */
    readonly headers: readonly { readonly name: string; readonly chars: number }[];
  };
  readonly hasKey: boolean;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly steps: readonly CheckStep[];
};

/** Steps that must succeed before the gateway can be reached. */
const prerequisites: ReadonlySet<CheckStepId> = new Set(['route', 'dns', 'tls']);
/** Shorter header values are words such as `true`; redacting those would make our own sentences unreadable. */
const minSecretChars = 8;

/**
 * Checks a connection step by step, over the route that requests take. Sends at most two GETs of the model list, one of
 * them without the key; never a POST, and nothing that costs. Each step has its own time limit. Steps that depend on a
 * failed one are skipped and say so.
 *
 * @param onStep called with each step when it ends.
 * @throws the signal's reason when it was aborted.
 */
export async function checkConnection(
  ports: CheckPorts,
  connection: Pick<Connection, 'name' | 'url' | 'headers'>,
  key: string | undefined,
  onStep: (step: CheckStep) => void,
  signal: AbortSignal,
): Promise<ConnectionCheck> {
  const secrets = [...(key === undefined ? [] : [key]), ...Object.values(connection.headers)];
  const hide = (text: string) =>
    redact(
      text,
      secrets.filter((secret) => secret === key || secret.length >= minSecretChars),
    );
  const { host } = new URL(connection.url.base);
  const context: CheckContext = { ...ports, connection, key, host, secrets, signal };
  const startedAt = ports.clock.now();
  const steps: CheckStep[] = [];

  /** Runs a step, or skips it if a prerequisite failed. */
  const step = async <T extends { finding: CheckFinding }>(
    id: CheckStepId,
    run: () => T | Promise<T>,
  ): Promise<T | undefined> => {
    signal.throwIfAborted();
    const failed = steps.find((earlier) => earlier.status === 'failed' && prerequisites.has(earlier.id));
    const began = ports.clock.now();
    const result = failed ? undefined : await run();
    signal.throwIfAborted();
    const finding = result?.finding ?? skipped(l10n.t('Skipped because "{0}" failed.', failed?.name ?? ''));
    const ms = Math.max(0, ports.clock.now() - began);
    const { status, detail, remedy } = finding;
    const done: CheckStep = {
      id,
      name: stepName(id),
      status,
      detail: hide(detail),
      ...(remedy && { remedy: hide(remedy) }),
      ...(status !== 'skipped' && { ms }),
    };
    steps.push(done);
    onStep(done);
    return result;
  };
  const found = (finding: CheckFinding) => ({ finding });

  await step('address', () => found(checkAddress(context)));
  const route = await step('route', () => checkRoute(context));
  await step('dns', async () => found(await checkDns(context, route?.value)));
  const tls = await step('tls', () => checkTls(context));
  const models = await step('modelList', () => checkModelList(context));
  const arrivedAt = ports.clock.now();
  const withoutKey = await step('key', () => checkKey(context, models?.value ?? {}));
  const answer = models?.value?.answer;
  const noAnswer = () => found(skipped(l10n.t('There is no response from the gateway to check.')));
  await step('clock', () => (answer ? found(compareClocks(answer, arrivedAt)) : noAnswer()));
  const plain = key === undefined ? answer : withoutKey?.value?.answer;
  await step('streaming', () => (answer ? found(checkStreaming(answer, plain, tls?.value)) : noAnswer()));

  return {
    connection: {
      name: hide(connection.name),
      base: connection.url.base,
      headers: Object.entries(connection.headers).map(([name, value]) => ({ name, chars: value.length })),
    },
    hasKey: key !== undefined,
    startedAt,
    steps,
  };
}

function stepName(id: CheckStepId): string {
  switch (id) {
    case 'address':
      return l10n.t('Address');
    case 'route':
      return l10n.t('Network route');
    case 'dns':
      return l10n.t('DNS');
    case 'tls':
      return l10n.t('TLS');
    case 'modelList':
      return l10n.t('Model list');
    case 'key':
      return l10n.t('Key');
    case 'clock':
      return l10n.t('Clock');
    case 'streaming':
      return l10n.t('Streaming');
    default:
      return id satisfies never;
  }
}
