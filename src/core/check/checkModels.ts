import { ShortTurns } from '../base/shortTurns.ts';
import type { GatewayProblem, ProblemKind } from '../errors/gatewayProblem.ts';
import { GatewayError } from '../errors/gatewayProblem.ts';
import { isWithin, redirectProblem, redirectTarget } from '../errors/redirect.ts';
import { type BoundedAnswer, boundedGet } from '../http/boundedGet.ts';
import { requestHeaders } from '../http/requestHeaders.ts';
import { leftOutForKey } from '../models/list/leftOutForKey.ts';
import type { ModelList } from '../models/list/model.ts';
import { readModelsAnswer } from '../models/list/readModelsAnswer.ts';
import { OwnKey } from '../secrets/ownKey.ts';
import { type CheckContext, type CheckFinding, findingOf, problemOf, skipped } from './checkFinding.ts';
import type { Look } from './checkNetwork.ts';

/** What came of one reading of the list: an answer, and in it a list or a problem; or a problem alone. */
export type ModelsReading = {
  readonly answer?: BoundedAnswer;
  readonly list?: ModelList;
  readonly problem?: GatewayProblem;
};

const readMs = 30_000;
const maxListBytes = 20 * 1024 * 1024;
const maxRedirects = 3;
/** The gateway knows what it thinks of the key. */
const aboutKey: ReadonlySet<ProblemKind> = new Set(['keyRejected', 'keyExpired', 'keyExhausted', 'keyDisabled']);

/** `GET {base}/models` with the key, as the client reads it. */
export async function lookAtModels(context: CheckContext): Promise<Look<ModelsReading>> {
  const reading = await readModels(context, context.key);
  const { answer, list, problem } = reading;
  if (list && answer) {
    return { finding: listFinding(list, answer), value: reading };
  }
  if (context.key === undefined && problem && isRefusal(problem)) {
    const detail = `The gateway answers and wants a key (HTTP ${problem.status}). There is none for this connection here.`;
    return { finding: { status: 'warning', detail, remedy: 'Enter the key of this connection.' }, value: reading };
  }
  const finding = findingOf(problem ?? { kind: 'defect' }, context.host);
  const remedy =
    problem?.kind === 'wrongAddress'
      ? `${finding.remedy} If questions are answered all the same, this gateway has no list: enter model ids by hand.`
      : finding.remedy;
  const timed = answer ? `${finding.detail} ${timesOf(answer)}` : finding.detail;
  return { finding: { ...finding, detail: timed, ...(remedy && { remedy }) }, value: reading };
}

/**
 * Some gateways list models without looking at the key (wire 1.1), so a list alone proves nothing. The same GET
 * without the key tells; a chat call would tell too, and cost money.
 */
export async function lookAtKey(context: CheckContext, withKey: ModelsReading): Promise<Look<ModelsReading>> {
  const { host, key } = context;
  if (key === undefined) {
    return { finding: skipped('There is no key to check.') };
  }
  if (withKey.list === undefined) {
    const { problem } = withKey;
    return problem && aboutKey.has(problem.kind)
      ? { finding: findingOf(problem, host) }
      : { finding: skipped('There is no list, so nothing tells whether the key is good.') };
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
          detail: 'This gateway shows its list to anyone, so this does not prove the key.',
          remedy: 'Only a question tells whether the key is good, and a question is paid for.',
        }
      : {
          status: 'ok',
          detail: `With the key the gateway lists ${list.models.length} models, without it ${open.models.length}: it looked at the key.`,
        };
  }
  if (problem && isRefusal(problem)) {
    const status = problem.status === undefined ? '' : ` (HTTP ${problem.status})`;
    return {
      status: 'ok',
      detail: `Without the key the gateway refuses its list${status}, so the key was really checked.`,
    };
  }
  const { detail } = findingOf(problem ?? { kind: 'defect' }, host);
  return {
    status: 'warning',
    detail: `The list without the key could not be asked for, so it stays open whether the key was looked at. ${detail}`,
  };
}

function isRefusal({ kind, status }: GatewayProblem): boolean {
  return aboutKey.has(kind) || kind === 'accessDenied' || status === 401 || status === 403;
}

function listFinding(list: ModelList, answer: BoundedAnswer): CheckFinding {
  const { models, dropped } = list;
  const left = dropped > 0 ? `, ${dropped} more without a usable id` : '';
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  const detail = [`${count}${left}.`, leftOutForKey(list), timesOf(answer)].filter(Boolean).join(' ');
  return models.length > 0
    ? { status: 'ok', detail }
    : {
        status: 'warning',
        detail,
        remedy: 'No model is open to this key. Its groups are set in the gateway’s console.',
      };
}

function timesOf({ status, headers, firstByteMs, totalMs }: BoundedAnswer): string {
  const type = headers['content-type']?.slice(0, 100) || 'no content type';
  return `HTTP ${status}, ${type}; first byte after ${firstByteMs} ms, all after ${totalMs} ms.`;
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
      // As the client does: within the origin, because the key goes along.
      if (!isWithin(next, connection.url.origin) || hop === maxRedirects) {
        throw new GatewayError(redirectProblem(url, next, answer, secrets));
      }
      url = next;
    }
    const { status, headers, text } = answer;
    const ownKey = new OwnKey(context.key === undefined ? [] : [context.key]);
    const steps = readModelsAnswer(text, { status, headers, secrets, now: clock.now() }, ownKey);
    return { answer, list: await new ShortTurns(clock).run(steps) };
  } catch (error) {
    signal.throwIfAborted();
    return { ...(answer && { answer }), problem: problemOf(error, context) };
  }
}

function headersFor({ connection, userAgent }: CheckContext, key: string | undefined): Record<string, string> {
  const headers = requestHeaders(userAgent, connection.headers, key);
  // Without the key as chat calls ask, so that an encoding in the answer is one that nobody wanted.
  return key === undefined ? { 'accept-encoding': 'identity', ...headers } : headers;
}
