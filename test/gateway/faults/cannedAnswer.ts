import type { Fault, FaultContext, FaultTarget } from '../fault.ts';

/** What an answer fault sends. */
export interface CannedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = 'application/json; charset=utf-8';

/** Sends a canned answer: a string as it is, anything else as JSON, `undefined` as an empty body. */
export function send({ exchange }: FaultContext, { status, body, type, headers }: CannedAnswer): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  exchange.response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type ?? json }), ...headers });
  exchange.response.end(text);
}

/** A fault that answers in place of the model. */
export function answer(
  name: string,
  quirk: string,
  about: string,
  canned: CannedAnswer | ((context: FaultContext) => CannedAnswer),
  on: FaultTarget = 'both',
): Fault {
  return {
    name,
    quirk,
    about,
    on,
    instead: (context) => send(context, typeof canned === 'function' ? canned(context) : canned),
  };
}

/** An error body as gateways of this kind send it. */
export function error(message: string, code: unknown = null, type = 'new_api_error'): object {
  return { error: { message, type, param: '', code } };
}

/** A small web page. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${body}</p></body></html>`;
}

/** The content type of a web page. */
export const html = 'text/html; charset=utf-8';
