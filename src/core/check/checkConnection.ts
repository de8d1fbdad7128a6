import type { Connection } from '../connections/connection.ts';
import { redact } from '../secrets/redact.ts';
import { compareClocks, lookAtStreaming } from './checkAnswer.ts';
import { type CheckContext, type CheckFinding, type CheckPorts, skipped } from './checkFinding.ts';
import { lookAtKey, lookAtModels } from './checkModels.ts';
import { lookAtAddress, lookAtRoute, lookUpName, shakeHands } from './checkNetwork.ts';

/** The steps in their order, named as a person reads them. */
export type CheckStepName = 'Address' | 'Network way' | 'DNS' | 'TLS' | 'Model list' | 'Key' | 'Clock' | 'Streaming';

export type CheckStep = CheckFinding & {
  readonly name: CheckStepName;
  /** How long it took; left out for a step that was skipped. */
  readonly ms?: number;
};

/** What a check found, ready to be shown and reported: no key and no value of a header is in it. */
export type ConnectionCheck = {
  readonly connection: {
    readonly name: string;
    readonly base: string;
    /** The extra headers, by name and length. */
    readonly headers: readonly { readonly name: string; readonly chars: number }[];
  };
  readonly hasKey: boolean;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly steps: readonly CheckStep[];
};

/** Without these nothing can be asked of the gateway. */
const needed: ReadonlySet<CheckStepName> = new Set(['Network way', 'DNS', 'TLS']);
/** Shorter values of headers are words such as `true`; taken out of our own sentences they would spoil them. */
const minSecretChars = 8;

/**
 * Looks at one connection step by step, along the way that requests take. Two GETs of the model list at most, one of
 * them without the key; never a POST and nothing that costs. Each step has its own limit of time; what depends on one
 * that failed is skipped and says so.
 *
 * @param onStep is told each step as it ends.
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

  /** Runs a step, or skips it because an earlier one failed. */
  const step = async <T extends { finding: CheckFinding }>(
    name: CheckStepName,
    run: () => T | Promise<T>,
  ): Promise<T | undefined> => {
    signal.throwIfAborted();
    const failed = steps.find((earlier) => earlier.status === 'failed' && needed.has(earlier.name));
    const began = ports.clock.now();
    const look = failed ? undefined : await run();
    signal.throwIfAborted();
    const finding = look?.finding ?? skipped(`Not possible, because the step “${failed?.name}” failed.`);
    const ms = Math.max(0, ports.clock.now() - began);
    const { status, detail, remedy } = finding;
    const done: CheckStep = {
      name,
      status,
      detail: hide(detail),
      ...(remedy && { remedy: hide(remedy) }),
      ...(status !== 'skipped' && { ms }),
    };
    steps.push(done);
    onStep(done);
    return look;
  };
  const found = (finding: CheckFinding) => ({ finding });

  await step('Address', () => found(lookAtAddress(context)));
  const route = await step('Network way', () => lookAtRoute(context));
  await step('DNS', async () => found(await lookUpName(context, route?.value)));
  const tls = await step('TLS', () => shakeHands(context));
  const models = await step('Model list', () => lookAtModels(context));
  const arrivedAt = ports.clock.now();
  const withoutKey = await step('Key', () => lookAtKey(context, models?.value ?? {}));
  const answer = models?.value?.answer;
  const noAnswer = () => found(skipped('The gateway gave no answer that could tell.'));
  await step('Clock', () => (answer ? found(compareClocks(answer, arrivedAt)) : noAnswer()));
  const plain = key === undefined ? answer : withoutKey?.value?.answer;
  await step('Streaming', () => (answer ? found(lookAtStreaming(answer, plain, tls?.value)) : noAnswer()));

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
