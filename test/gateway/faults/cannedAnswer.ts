import type { Fault, FaultContext, FaultTarget } from '../fault.ts';

/** A fixed response. */
export interface CannedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = 'application/json; charset=utf-8';

/** Sends a fixed response: a string body as it is, `undefined` as an empty body, anything else as JSON. */
export function send({ exchange }: FaultContext, { status, body, type, headers }: CannedAnswer): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  exchange.response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type ?? json }), ...headers });
  exchange.response.end(text);
}

/** Makes a fault that answers instead of the model. */
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

/** Makes an error body as New API gateways send it. */
export function error(message: string, code: unknown = null, type = 'new_api_error'): object {
  return { error: { message, type, param: '', code } };
}

/** Makes a small web page. */
export function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${body}</p></body></html>`;
}

/** The content type of a web page. */
export const html = 'text/html; charset=utf-8';
