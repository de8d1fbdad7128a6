import { admitKey, faultFor, keyValueOf } from '../admission.ts';
import type { FaultContext } from '../fault.ts';
import { type Exchange, isAnswered, setHeaders } from '../network/exchange.ts';
import type { Settings } from '../settings.ts';
import { onePiece, sendPieces } from '../wire.ts';
import { groups } from './catalogue.ts';
import { modelList } from './modelList.ts';

/** Answers `GET /v1/models` with the models that the key can use. */
export async function answerModels(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response, gone } = exchange;
  const isOpen = faultFor('models', exchange, undefined, settings.fault)?.fault.admitsAnyKey === true;
  const key = isOpen ? undefined : admitKey(settings.account, request);
  const chosen = faultFor('models', exchange, key, settings.fault);
  const list =
    settings.upstream === undefined
      ? modelList(key?.groups ?? groups, settings.contextTokens)
      : await settings.upstream.models(gone);
  if (chosen === undefined) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(list));
    return;
  }
  const { fault, amount } = chosen;
  const context: FaultContext = {
    exchange,
    amount,
    keyValue: keyValueOf(request),
    model: '',
    body: '',
    foreignOrigin: settings.foreignOrigin,
  };
  await fault.instead?.(context);
  if (isAnswered(exchange)) {
    return;
  }
  await fault.before?.(context);
  const text = JSON.stringify(fault.list === undefined ? list : fault.list(list, context));
  response.statusCode = fault.status ?? 200;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  setHeaders(response, fault.headers);
  await sendPieces(exchange, fault.wire?.(onePiece(text), context) ?? onePiece(text));
}
