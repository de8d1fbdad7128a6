import type { Exchange } from './network/exchange.ts';

/** A call the gateway turns down. Thrown by the checks and made into an answer in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;

  constructor(status: number, code: string, message: string, param: string | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.type = status === 401 || status === 403 ? 'authentication_error' : 'invalid_request_error';
    this.code = code;
    this.param = param;
  }

  /** The body: the field `error` is what tells a failure (section 7 of the service's document). */
  toBody(requestId: string): object {
    const message = `${this.message} (request id: ${requestId})`;
    return { error: { message, type: this.type, param: this.param, code: this.code } };
  }
}

/** Sends the refusal, under its own status or under 200 as the service's document allows. */
export function sendRefusal({ response, connection, requestId }: Exchange, refusal: Refusal, as200: boolean): void {
  if (response.headersSent) {
    connection.close();
    return;
  }
  const body = JSON.stringify(refusal.toBody(requestId));
  response.writeHead(as200 ? 200 : refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
