import type { Exchange } from './network/exchange.ts';

/** An error response of the gateway. The checks throw it, and the caller turns it into a response. */
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

  /** The response body. The field `error` marks a failure (service section 7). */
  toBody(requestId: string): object {
    const message = `${this.message} (request id: ${requestId})`;
    return { error: { message, type: this.type, param: this.param, code: this.code } };
  }
}

/** Sends the refusal with its own status, or with 200 as service section 7 allows. */
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
