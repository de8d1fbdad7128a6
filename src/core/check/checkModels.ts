import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../base/localization.ts';
import { runInSlices } from '../base/runInSlices.ts';
import type { GatewayProblem, ProblemKind } from '../errors/gatewayProblem.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { isSameOrigin, redirectProblem, redirectTarget } from '../errors/redirect.ts';
import { type BoundedAnswer, boundedGet } from '../http/boundedGet.ts';
import { requestHeaders } from '../http/requestHeaders.ts';
import { leftOutModels } from '../models/list/leftOutModels.ts';
import type { ModelList } from '../models/list/model.ts';
import { readModelsAnswer } from '../models/list/readModelsAnswer.ts';
import { OwnKey } from '../secrets/ownKey.ts';
import { type CheckContext, type CheckFinding, findingOf, problemOf, skipped } from './checkFinding.ts';
import type { StepResult } from './checkNetwork.ts';

/** The result of reading the model list: an answer with a list or a problem, or a problem alone. */
export type ModelsReading = {
  readonly answer?: BoundedAnswer;
  readonly list?: ModelList;
  readonly problem?: GatewayProblem;
};

const readMs = 30_000;
const maxListBytes = 20 * 1024 * 1024;
const maxRedirects = 3;
/** Problems that state what is wrong with the key. */
const keyProblems: ReadonlySet<ProblemKind> = new Set(['keyRejected', 'keyExpired', 'keyExhausted', 'keyDisabled']);

/** Reads the model list with the key, as the client does. */
export async function checkModelList(context: CheckContext): Promise<StepResult<ModelsReading>> {
  const reading = await readModels(context, context.key);
  const { answer, list, problem } = reading;
  if (list && answer) {
    return { finding: listFinding(list, answer), value: reading };
  }
  if (context.key === undefined && problem && isRefusal(problem)) {
    const detail = sentences(
      problem.status === undefined
        ? l10n.t('The gateway responds and requires a key.')
        : l10n.t('The gateway responds and requires a key (HTTP {0}).', problem.status),
      l10n.t('This connection has no key.'),
    );
    const remedy = l10n.t('Enter the key of this connection.');
    return { finding: { status: 'warning', detail, remedy }, value: reading };
  }
  const finding = findingOf(problem ?? { kind: 'defect' }, context.host);
  const remedy =
    problem?.kind === 'wrongAddress'
      ? sentences(finding.remedy, l10n.t('If questions still work, the gateway has no model list. Add models by ID.'))
      : finding.remedy;
  const timed = answer ? sentences(finding.detail, timesOf(answer)) : finding.detail;
  return { finding: { ...finding, detail: timed, ...(remedy && { remedy }) }, value: reading };
}

/**
 * Checks the key by repeating the GET without it: some gateways list models without checking the key (wire 1.1), so a
 * list alone proves nothing. A chat call would prove it too, but costs money.
 */
export async function checkKey(context: CheckContext, withKey: ModelsReading): Promise<StepResult<ModelsReading>> {
  const { host, key } = context;
  if (key === undefined) {
    return { finding: skipped(l10n.t('There is no key to check.')) };
  }
  if (withKey.list === undefined) {
    const { problem } = withKey;
    return problem && keyProblems.has(problem.kind)
      ? { finding: findingOf(problem, host) }
      : { finding: skipped(l10n.t("Without a model list, the key can't be checked.")) };
  }
  const without = await readModels(context, undefined);
  return { finding: keyFinding(withKey.list, without, host), value: without };
}

function keyFinding(list: ModelList, without: ModelsReading, host: string): CheckFinding {
  const { list: open, problem } = without;
  if (open) {
    const isSame = JSON.stringify(open.models.map(({ id }) => id)) === JSON.stringify(list.models.map(({ id }) => id));
    return isSame
      ? {
          status: 'warning',
          detail: l10n.t("This gateway returns its model list without a key too, so the list doesn't verify the key."),
          remedy: l10n.t('Only a question, which is a paid call, shows whether the key is valid.'),
        }
      : {
          status: 'ok',
          detail: l10n.t('The gateway returns a different model list without the key, so it checked the key.'),
        };
  }
  if (problem && isRefusal(problem)) {
    return {
      status: 'ok',
      detail:
        problem.status === undefined
          ? l10n.t('The gateway refuses its model list without the key, so it checked the key.')
          : l10n.t(
              'The gateway refuses its model list without the key (HTTP {0}), so it checked the key.',
              problem.status,
            ),
    };
  }
  const { detail } = findingOf(problem ?? { kind: 'defect' }, host);
  return {
    status: 'warning',
    detail: sentences(
      l10n.t(
        "The model list couldn't be requested without the key, so it's unknown whether the gateway checked the key.",
      ),
      detail,
    ),
  };
}

function isRefusal({ kind, status }: GatewayProblem): boolean {
  return keyProblems.has(kind) || kind === 'accessDenied' || status === 401 || status === 403;
}

function listFinding(list: ModelList, answer: BoundedAnswer): CheckFinding {
  const { models, dropped } = list;
  const detail = sentences(
    plural(models.length, l10n.t('1 model.'), l10n.t('{0} models.', numberText(models.length))),
    dropped > 0 &&
      plural(dropped, l10n.t('1 more has no usable ID.'), l10n.t('{0} more have no usable ID.', numberText(dropped))),
    leftOutModels(list),
    timesOf(answer),
  );
  return models.length > 0
    ? { status: 'ok', detail }
    : {
        status: 'warning',
        detail,
        remedy: l10n.t(
          "No models are available for this key. Check its groups in the gateway's console, or add a model by ID.",
        ),
      };
}

function timesOf({ status, headers, firstByteMs, totalMs }: BoundedAnswer): string {
  const type = headers['content-type']?.slice(0, 100);
  const times = [numberText(firstByteMs), numberText(totalMs)] as const;
  return type
    ? l10n.t('HTTP {0}, {1}. First byte after {2} ms, complete after {3} ms.', status, type, ...times)
    : l10n.t('HTTP {0}, no content type. First byte after {1} ms, complete after {2} ms.', status, ...times);
}

async function readModels(context: CheckContext, key: string | undefined): Promise<ModelsReading> {
  const { clock, connection, connectTimeoutMs, secrets, signal } = context;
  let answer: BoundedAnswer | undefined;
  try {
    let url = connection.url.modelsUrl;
    const limits = { totalMs: readMs, maxBytes: maxListBytes, connectTimeoutMs };
    for (let hop = 0; ; hop++) {
      answer = await boundedGet(context, url, headersFor(context, key), limits, signal);
      const next = redirectTarget(answer, url);
      if (next === undefined) {
        break;
      }
      // Follows redirects within the origin only, as the client does, because the key is sent along.
      if (!isSameOrigin(next, connection.url.origin) || hop === maxRedirects) {
        throw new GatewayError(redirectProblem(url, next, answer, secrets));
      }
      url = next;
    }
    const { status, headers, text } = answer;
    const ownKey = new OwnKey(context.key === undefined ? [] : [context.key]);
    const steps = readModelsAnswer(text, { status, headers, secrets, now: clock.now() }, ownKey);
    return { answer, list: await runInSlices(clock, steps) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...(answer && { answer }), problem: problemOf(error, context) };
  }
}

function headersFor({ connection, userAgent }: CheckContext, key: string | undefined): Record<string, string> {
  const headers = requestHeaders(userAgent, connection.headers, key);
  // Without the key, requests no compression, as chat calls do, to detect answers that are compressed regardless.
  return key === undefined ? { 'accept-encoding': 'identity', ...headers } : headers;
}
