import type { IncomingMessage } from 'node:http';
import type { Account } from './account.ts';
import type { KeyRecord } from './accountState.ts';
import { appliesTo, type ChosenFault } from './fault.ts';
import { chooseFault } from './faultTable.ts';
import { type CatalogueModel, catalogue, isOpenTo } from './models/catalogue.ts';
import type { Exchange } from './network/exchange.ts';
import { Refusal } from './refusal.ts';

/** Returns the key value of a request, or an empty string. */
export function keyValueOf(request: IncomingMessage): string {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** Returns the key of a request; throws a Refusal when there is none or it may not be used. */
export function admitKey(account: Account, request: IncomingMessage): KeyRecord {
  const value = keyValueOf(request);
  if (value === '') {
    const message = 'No API key was provided. Send the header: Authorization: Bearer <API_KEY>.';
    throw new Refusal(401, 'missing_api_key', message);
  }
  const key = account.keyByValue(value);
  if (key === undefined) {
    throw new Refusal(401, 'invalid_api_key', 'Invalid API key. Create one in the console, and copy all of it.');
  }
  account.requireValid(key);
  return key;
}

/** Returns the chat model with this id; throws a Refusal that says what to send instead when the key can't use it. */
export function admitModel(id: string, key: KeyRecord): CatalogueModel {
  const model = catalogue.find((each) => each.id === id);
  if (model === undefined) {
    const titled = catalogue.find((each) => each.title.toLowerCase() === id.trim().toLowerCase());
    const hint = titled === undefined ? 'GET /v1/models lists the ids.' : `That is a title; its id is '${titled.id}'.`;
    throw new Refusal(404, 'model_not_found', `The model '${id}' does not exist. ${hint}`, 'model');
  }
  if (!isOpenTo(model, key.groups)) {
    const open = model.groups.join(', ');
    const message = `This key has no access to model '${id}': it is open to the groups ${open}, and the key is in ${key.groups.join(', ') || 'none'}.`;
    throw new Refusal(403, 'model_not_allowed', message, 'model');
  }
  if (model.kind !== 'chat') {
    throw new Refusal(400, 'model_not_chat', `The model '${id}' is not for chat: it is for ${model.kind}.`, 'model');
  }
  return model;
}

/**
 * Returns the fault that applies to this call. The header `x-fault` takes precedence over the path prefix, then the
 * key's setting, then the gateway's.
 */
export function faultFor(
  endpoint: 'chat' | 'models',
  { request, pathFault }: Exchange,
  key: KeyRecord | undefined,
  gatewayFault: string | undefined,
): ChosenFault | undefined {
  const header = request.headers['x-fault'];
  const text = (Array.isArray(header) ? header[0] : header) ?? pathFault ?? key?.fault ?? gatewayFault;
  if (text === undefined || text === '' || text === 'none') {
    return undefined;
  }
  const chosen = readFault(text);
  return appliesTo(chosen, endpoint) ? chosen : undefined;
}

function readFault(text: string): ChosenFault {
  try {
    return chooseFault(text);
  } catch (error) {
    throw new Refusal(400, 'unknown_fault', (error as Error).message, 'x-fault');
  }
}
