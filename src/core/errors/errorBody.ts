import { isRecord, type LooseRecord, parseJson, recordOf, textOf } from '../base/loose.ts';

/** What a failing body of any shape says. */
export type ErrorFacts = {
  readonly message?: string;
  readonly code?: string;
  /** The gateway's error type, when there is also a code, which may be just a number. */
  readonly type?: string;
  readonly requestId?: string;
};

/**
 * Finds the error in a parsed body, in the order of wire 1.6. A field named `error` decides (service section 7).
 * `error: null` or another empty value next to choices isn't an error, because several gateways send nulls.
 *
 * @returns undefined when the body reports no failure.
 */
export function readErrorBody(body: unknown): ErrorFacts | undefined {
  if (Array.isArray(body)) {
    const failing: unknown = body.find((item) => isRecord(item) && 'error' in item);
    return failing === undefined ? undefined : readErrorBody(failing);
  }
  if (!isRecord(body)) {
    return undefined;
  }
  if ('error' in body) {
    const error = body.error;
    if (isBlankError(error)) {
      // A last chunk has usage and an empty list of choices. Later code detects when choices are missing.
      const isBeside = Array.isArray(body.choices) || hasPayload(body);
      return isBeside || !isRecord(error) ? readUnnamedError(body) : factsOf(body, {});
    }
    return factsOf(body, error);
  }
  return readUnnamedError(body);
}

/** Reads failing bodies that have no field `error`, or an empty one. */
function readUnnamedError(body: LooseRecord): ErrorFacts | undefined {
  const code = textOf(body.code);
  const isErrorCode = code !== undefined && !/^(?:0+|200|ok|success)$/i.test(code);
  const isFailure =
    body.success === false ||
    body.status === 'failure' ||
    body.status === 'error' ||
    body.object === 'error' ||
    body.type === 'error' ||
    typeof body['html-message'] === 'string' ||
    (!hasPayload(body) &&
      ('detail' in body || saysFailure(body) || (isErrorCode && ('message' in body || typeof body.code === 'number'))));
  return isFailure ? factsOf(body, undefined) : undefined;
}

/** True for fields that hold a message only in failures. Next to data they are just a remark. */
function saysFailure(body: LooseRecord): boolean {
  const header = recordOf(body.header);
  const isProblem = typeof body.title === 'string' && typeof body.status === 'number' && body.status >= 400;
  return (
    body.data === undefined &&
    body.models === undefined &&
    (isProblem ||
      [body.err, body.error_msg, body.error_description].some((said) => typeof said === 'string' && said !== '') ||
      (typeof header.message === 'string' && typeof header.code === 'number' && header.code !== 0) ||
      isRecord(recordOf(body.response).error))
  );
}

function isBlankError(error: unknown): boolean {
  return error === null || error === '' || error === false || (isRecord(error) && Object.keys(error).length === 0);
}

function hasPayload(body: LooseRecord): boolean {
  return (Array.isArray(body.choices) && body.choices.length > 0) || Array.isArray(body.data);
}

function factsOf(body: LooseRecord, error: unknown): ErrorFacts {
  const message = messageOf(error, 0) ?? messageOf(withoutError(body), 0);
  const inner = recordOf(Array.isArray(error) ? error[0] : error);
  const innermost = recordOf(inner.error);
  const code =
    textOf(inner.code) ??
    textOf(innermost.code) ??
    textOf(inner.status) ??
    (typeof error === 'number' ? textOf(error) : undefined) ??
    specific(textOf(inner.type) ?? textOf(innermost.type)) ??
    textOf(body.code) ??
    (typeof body.status === 'number' ? textOf(body.status) : undefined) ??
    specific(textOf(body.type));
  const type = specific(textOf(inner.type) ?? textOf(innermost.type) ?? textOf(body.type));
  const requestId = textOf(body.request_id) ?? textOf(inner.request_id) ?? requestIdIn(message);
  return {
    ...(message && { message }),
    ...(code && { code }),
    ...(type && type !== code && { type }),
    ...(requestId && { requestId }),
  };
}

/** The type, unless it says no more than "error". */
function specific(type: string | undefined): string | undefined {
  return type === 'error' || type === 'one_api_error' || type === 'new_api_error' ? undefined : type;
}

function withoutError(body: LooseRecord): LooseRecord {
  const { error: _, ...rest } = body;
  return rest;
}

/** The first message in the order of wire 1.6; also reads JSON inside of strings, three levels deep at most. */
function messageOf(value: unknown, level: number): string | undefined {
  if (level > 6) {
    return undefined;
  }
  if (typeof value === 'string') {
    return unfold(value, level);
  }
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).map((item) => {
      const where = isRecord(item) && Array.isArray(item.loc) ? `${item.loc.filter(isPathPart).join('.')}: ` : '';
      const said = messageOf(item, level + 1);
      return said === undefined ? undefined : where + said;
    });
    const known = parts.filter((part) => part !== undefined);
    return known.length > 0 ? known.join('; ') : undefined;
  }
  if (!isRecord(value)) {
    return undefined;
  }
  const candidates = [
    value.message,
    recordOf(value.error).message ?? value.error,
    value.detail,
    value.msg,
    value.err,
    value.error_msg,
    value.error_description,
    recordOf(value.header).message,
    recordOf(recordOf(value.response).error).message,
    value['html-message'],
    value.title,
  ];
  for (const candidate of candidates) {
    const said = messageOf(candidate, level + 1);
    if (said !== undefined) {
      return said;
    }
  }
  return undefined;
}

function unfold(text: string, level: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const inner = messageOf(parseJson(trimmed), level + 1);
    if (inner !== undefined) {
      return inner;
    }
  }
  return trimmed === '' ? undefined : trimmed;
}

function isPathPart(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

/** @returns the id that gateways append to their messages as `(request id: …)`. */
function requestIdIn(message: string | undefined): string | undefined {
  return /\(request id: ([\w-]{1,200})\)/i.exec(message ?? '')?.[1];
}
