import { JsonDocuments } from '../../base/jsonDocuments.ts';
import { isRecord, parseJson } from '../../base/loose.ts';
import type { Steps } from '../../base/shortTurns.ts';
import { type AnswerFacts, classify, evidenceOf } from '../../errors/classify.ts';
import { readErrorBody } from '../../errors/errorBody.ts';
import { GatewayError } from '../../errors/gatewayProblem.ts';
import { isRedirect } from '../../errors/redirect.ts';
import { looksLikeHtml, webPageProblem } from '../../errors/webPage.ts';
import type { OwnKey } from '../../secrets/ownKey.ts';
import { redactedStart } from '../../secrets/redact.ts';
import type { ModelListAnswer } from './model.ts';
import { readModelList } from './modelList.ts';

/**
 * Reads the whole answer to `GET /v1/models`. The body decides: an error in it is one under any status, a list is one
 * under any status (service.md section 7).
 *
 * @param ownKey what no model may hold.
 * @throws GatewayError when there is no list.
 */
export function* readModelsAnswer(text: string, answer: AnswerFacts, ownKey: OwnKey): Steps<ModelListAnswer> {
  if (looksLikeHtml(text)) {
    throw new GatewayError(webPageProblem(text, answer));
  }
  // Some gateways write a second document behind the first.
  const body = parseJson(text) ?? parseJson(new JsonDocuments().push(text)[0] ?? '');
  const error = readErrorBody(body);
  if (error) {
    throw new GatewayError(classify(error, answer));
  }
  const list = yield* readModelList(body, ownKey);
  if (list) {
    return list;
  }
  if (answer.status >= 400) {
    throw new GatewayError(classify(text.trim() === '' ? {} : { message: text.trim() }, answer));
  }
  if (text.trim() === '' && isRedirect(answer)) {
    throw new GatewayError({ kind: 'redirected', target: '', reason: 'nowhere', ...evidenceOf({}, answer) });
  }
  throw new GatewayError({ kind: 'unreadable', detail: describe(body, text, answer), ...evidenceOf({}, answer) });
}

function describe(body: unknown, text: string, { secrets }: AnswerFacts): string {
  if (isRecord(body)) {
    const names = Object.keys(body).slice(0, 8).join(', ') || 'nothing in it';
    return redactedStart(`an object with ${names}`, secrets, 300);
  }
  if (body !== undefined) {
    return 'no list';
  }
  return text.trim() === '' ? 'an empty answer' : 'text that is no JSON';
}
