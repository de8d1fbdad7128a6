import { keyValueOf } from './admission.ts';
import { answerChat } from './chat/chatEndpoint.ts';
import { answerModels } from './models/modelsEndpoint.ts';
import { type Exchange, readBody } from './network/exchange.ts';
import { Refusal, sendRefusal } from './refusal.ts';
import type { Settings } from './settings.ts';

const endpoints = new Map([
  ['/v1/models', { method: 'GET', answer: answerModels }],
  ['/v1/chat/completions', { method: 'POST', answer: answerChat }],
]);

/** Answers every request under `/v1`, and sends a Refusal as an error response. */
export async function answerApi(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response, connection, url, gone } = exchange;
  try {
    const endpoint = endpoints.get(url.pathname);
    if (endpoint?.method === 'POST' && request.method === 'POST') {
      await endpoint.answer(exchange, settings);
      return;
    }
    settings.recorder.add(request, (await readBody(request)) ?? '');
    if (endpoint === undefined) {
      throw new Refusal(404, 'unknown_url', `Invalid URL (${request.method} ${url.pathname}).`);
    }
    if (endpoint.method !== request.method) {
      response.setHeader('allow', endpoint.method);
      throw new Refusal(405, 'method_not_allowed', `${url.pathname} takes ${endpoint.method}, not ${request.method}.`);
    }
    await endpoint.answer(exchange, settings);
  } catch (error) {
    if (gone.aborted || connection.isBroken) {
      response.destroy();
      return;
    }
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, 'internal_error', 'The gateway failed; its output says why.');
    if (refusal !== error) {
      console.error(error);
    }
    sendRefusal(exchange, refusal, wantsErrorsAs200(exchange, settings));
  }
}

function wantsErrorsAs200({ request }: Exchange, { account, errorsAs200 }: Settings): boolean {
  const key = account.keyByValue(keyValueOf(request));
  return errorsAs200 || request.headers['x-errors-as-200'] === '1' || key?.errorsAs200 === true;
}
