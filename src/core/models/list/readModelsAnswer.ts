import { JsonDocuments } from '../../base/jsonDocuments.ts';
import { isRecord, parseJson } from '../../base/loose.ts';
import { type AnswerFacts, classify, evidenceOf } from '../../errors/classify.ts';
import { readErrorBody } from '../../errors/errorBody.ts';
import { GatewayError, type ProblemOf } from '../../errors/gatewayProblem.ts';
import { isRedirect } from '../../errors/redirect.ts';
import { isHtmlLike, webPageProblem } from '../../errors/webPage.ts';
import { redactedStart } from '../../secrets/redact.ts';
import { itemsOf, nextQuery } from './modelList.ts';

/** One page of a model list; most gateways have only one. */
export type ModelsPage = {
  readonly items: readonly unknown[];
  /** The query of the next page's address; undefined on the last page. */
  readonly next: string | undefined;
};

/**
 * Reads a complete response to `GET /v1/models`. The body decides and not the status: an error or a list in the body
 * counts under any status (service section 7).
 *
 * @throws GatewayError when the response holds no list.
 */
export function readModelsPage(text: string, answer: AnswerFacts): ModelsPage {
  if (isHtmlLike(text)) {
    throw new GatewayError(webPageProblem(text, answer));
  }
  // Some gateways send a second JSON document after the first.
  const body = parseJson(text) ?? parseJson(new JsonDocuments().push(text)[0] ?? '');
  const error = readErrorBody(body, answer.status);
  if (error) {
    throw new GatewayError(classify(error, answer));
  }
  const items = itemsOf(body);
  if (items) {
    return { items, next: nextQuery(body, items) };
  }
  if (answer.status >= 400) {
    throw new GatewayError(classify(text.trim() === '' ? {} : { message: text.trim() }, answer));
  }
  if (text.trim() === '' && isRedirect(answer)) {
    throw new GatewayError({ kind: 'redirected', target: '', ...evidenceOf({}, answer) });
  }
  throw new GatewayError({ kind: 'unreadable', ...formatOf(body, text, answer), ...evidenceOf({}, answer) });
}

/** What a response without a list is. */
function formatOf(
  body: unknown,
  text: string,
  { secrets }: AnswerFacts,
): Pick<ProblemOf<'unreadable'>, 'detail' | 'fields'> {
  if (isRecord(body)) {
    const fields = redactedStart(Object.keys(body).slice(0, 8).join(', '), secrets, 300);
    return { detail: 'notList', ...(fields && { fields }) };
  }
  return { detail: body !== undefined ? 'notList' : text.trim() === '' ? 'empty' : 'notJson' };
}
