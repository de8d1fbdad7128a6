import * as l10n from '@vscode/l10n';
import type { Clock } from '../base/clock.ts';
import { numberText, sentences } from '../base/localization.ts';
import type { GatewayClient } from '../client/gatewayClient.ts';
import { type BaseUrl, modelsUrlText } from '../connections/baseUrl.ts';
import type { Connection } from '../connections/connection.ts';
import { advice, adviceText, quotedWords } from '../errors/advice.ts';
import { type GatewayProblem, keyProblems } from '../errors/gatewayProblem.ts';
import { networkProblem } from '../errors/networkProblem.ts';
import { leftOutModels, type ModelList } from '../models/list/model.ts';
import { chooseProxy, type Environment, type NetworkSettings } from '../network/route.ts';

/** One step of a check. Its texts contain no key. */
export type CheckStep = {
  /** As shown to the person. */
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was found, and what the person can do about it. */
  readonly detail: string;
  /** Duration in milliseconds; absent for a skipped step. */
  readonly ms?: number;
};

type Finding = Omit<CheckStep, 'name' | 'ms'>;

/**
 * Checks a connection over the route that requests take: the route, the model list with the key and, because some
 * gateways list models for anyone, without it. Never a paid call.
 *
 * @param key undefined when none is stored.
 * @throws the signal's reason when it was aborted.
 */
export async function checkConnection(
  client: Pick<GatewayClient, 'listModels'>,
  clock: Clock,
  settings: NetworkSettings,
  environment: Environment,
  { url, headers }: Pick<Connection, 'url' | 'headers'>,
  key: string | undefined,
  signal: AbortSignal,
): Promise<readonly CheckStep[]> {
  const { host } = url;
  const steps: CheckStep[] = [];
  const step = async (name: string, run: () => Finding | Promise<Finding>): Promise<void> => {
    const began = clock.now();
    const finding = await run();
    signal.throwIfAborted();
    steps.push({ name, ...finding, ...(finding.status !== 'skipped' && { ms: Math.max(0, clock.now() - began) }) });
  };
  const read = async (withKey: string): Promise<ModelList | GatewayProblem> => {
    try {
      return await client.listModels({ url, headers, key: withKey }, signal);
    } catch (error) {
      signal.throwIfAborted();
      return networkProblem(error, host, [withKey]);
    }
  };
  const addresses = l10n.t('Models are read from {0}, and questions are sent to {1}.', modelsUrlText(url), url.chatUrl);
  await step(l10n.t('Network route'), () => {
    const { status, detail } = routeFinding(url, settings, environment, host);
    return { status, detail: sentences(detail, addresses) };
  });
  let list: ModelList | GatewayProblem | undefined;
  await step(l10n.t('Model list'), async () => {
    list = await read(key ?? '');
    return 'models' in list ? listFinding(list) : problemFinding(list, host, key !== undefined);
  });
  await step(l10n.t('Key'), async () => {
    if (key === undefined) {
      return { status: 'warning', detail: l10n.t('This connection has no key.') };
    }
    if (list === undefined || !('models' in list)) {
      return list && keyProblems.has(list.kind)
        ? problemFinding(list, host)
        : { status: 'skipped', detail: l10n.t("Without a model list, the key can't be checked.") };
    }
    return keyFinding(list, await read(''), host);
  });
  return steps;
}

function routeFinding(url: BaseUrl, settings: NetworkSettings, environment: Environment, host: string): Finding {
  if (settings.transport === 'host') {
    return {
      status: 'ok',
      detail: l10n.t(
        "VS Code's own network stack sends the requests. It handles proxies, PAC files, and certificates.",
      ),
    };
  }
  try {
    const proxy = chooseProxy(new URL(url.modelsUrl), settings, environment);
    // A proxy reads whatever an http: address sends, even to a private network.
    const isReadable = url.isExposed || (proxy !== undefined && url.modelsUrl.startsWith('http:'));
    const detail = sentences(
      proxy
        ? l10n.t('Through the proxy {0}, which is set in {1}.', proxy.name, proxy.setting)
        : l10n.t('Direct connection.'),
      isReadable && l10n.t('The key and questions are sent unencrypted. Anyone on the network path can read them.'),
    );
    return { status: isReadable ? 'warning' : 'ok', detail };
  } catch (error) {
    return problemFinding(networkProblem(error, host, []), host);
  }
}

function listFinding(list: ModelList): Finding {
  const { models, dropped } = list;
  const detail = sentences(
    l10n.t('Models: {0}.', numberText(models.length)),
    dropped > 0 && l10n.t('Models without a usable ID: {0}.', numberText(dropped)),
    leftOutModels(list),
    models.length === 0 &&
      l10n.t("No models are available for this key. Check its groups in the gateway's console, or add a model by ID."),
  );
  return { status: models.length > 0 ? 'ok' : 'warning', detail };
}

/** What any error of the model list says; without a key, a refusal shows that the gateway is there. */
function problemFinding(problem: GatewayProblem, host: string, hasKey = true): Finding {
  if (!hasKey && isRefusal(problem)) {
    return { status: 'ok', detail: l10n.t('The gateway responds and requires a key.') };
  }
  const { status, code, requestId } = problem;
  const facts = [status !== undefined && `HTTP ${status}`, String(status) !== code && code].filter(Boolean).join(', ');
  return {
    status: 'failed',
    detail: sentences(
      adviceText(advice(problem, { host })),
      quotedWords(problem, host),
      facts && `${facts}.`,
      requestId && l10n.t('Request ID: {0}.', requestId),
      problem.kind === 'wrongAddress' &&
        l10n.t('If questions still work, the gateway has no model list. Add models by ID.'),
    ),
  };
}

/** Some gateways list models without looking at the key (wire 1.1), so a list alone proves nothing. */
function keyFinding(list: ModelList, without: ModelList | GatewayProblem, host: string): Finding {
  if ('models' in without) {
    const ids = ({ models }: ModelList) => JSON.stringify(models.map(({ id }) => id));
    return ids(without) === ids(list)
      ? {
          status: 'warning',
          detail: sentences(
            l10n.t("This gateway returns its model list without a key too, so the list doesn't verify the key."),
            l10n.t('Only a question, which is a paid call, shows whether the key is valid.'),
          ),
        }
      : {
          status: 'ok',
          detail: l10n.t('The gateway returns a different model list without the key, so it checked the key.'),
        };
  }
  return isRefusal(without)
    ? { status: 'ok', detail: l10n.t('The gateway refuses its model list without the key, so it checked the key.') }
    : {
        status: 'warning',
        detail: sentences(
          l10n.t(
            "The model list couldn't be requested without the key, so it's unknown whether the gateway checked the key.",
          ),
          problemFinding(without, host).detail,
        ),
      };
}

function isRefusal({ kind, status }: GatewayProblem): boolean {
  return keyProblems.has(kind) || kind === 'accessDenied' || status === 401 || status === 403;
}
