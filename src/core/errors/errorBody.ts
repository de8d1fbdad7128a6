import { fieldsOf, isRecord, jsonText, type LooseRecord, parseJson, recordOf, textOf } from '../base/loose.ts';

/** What a failing body of any shape says. */
export type ErrorFacts = {
  readonly message?: string;
  readonly code?: string;
  /** The gateway's error type, when there is also a code, which may be just a number. */
  readonly type?: string;
  readonly requestId?: string;
};

/**
 * The fields that hold a message, or an object that has one, in order. Names are compared without case and separators,
 * because gateways and vendors write `message` and `Message`, `errorMessage` and `error_message` (wire 1.6).
 */
const messageNames = [
  ...['message', 'detail', 'details', 'msg', 'errormessage', 'errormsg', 'errmsg', 'errordescription', 'err'],
  ...['statusmsg', 'statusmessage', 'faultstring', 'description', 'htmlmessage', 'fault', 'baseresp', 'header'],
  ...['response', 'title', 'reason'],
];

/** Fields that only failures have. Next to data they are just a remark. */
const failureNames: ReadonlySet<string> = new Set([
  ...['detail', 'err', 'errmsg', 'errormsg', 'errormessage', 'errordescription', 'errors', 'fault', 'htmlmessage'],
]);

/**
 * Finds the error in a parsed body, in the order of wire 1.6. A field named `error` decides (service section 7).
 * `error: null` or another empty value next to choices isn't an error, because several gateways send nulls.
 *
 * @param status from 400 on, an object is an error unless it has choices or data.
 * @returns undefined when the body reports no failure.
 */
export function readErrorBody(body: unknown, status = 200): ErrorFacts | undefined {
  if (Array.isArray(body)) {
    const failing: unknown = body.find((item) => isRecord(item) && 'error' in item);
    return failing === undefined ? undefined : readErrorBody(failing);
  }
  if (!isRecord(body)) {
    return undefined;
  }
  return ('error' in body && !isBlank(body.error)) || isFailure(body, status) ? factsOf(body) : undefined;
}

/** Whether a body without an error in `error` reports a failure. */
function isFailure(body: LooseRecord, status: number): boolean {
  const { choices, data, models } = body;
  if (
    [body.success, body.ok].some((value) => value === false || value === 'false') ||
    [body.status, body.object, body.type].some((value) => /^(?:error|fail(?:ed|ure)?)$/.test(textOf(value) ?? '')) ||
    isErrorCode(recordOf(body.base_resp).status_code)
  ) {
    return true;
  }
  if ((Array.isArray(choices) && choices.length > 0) || Array.isArray(data)) {
    return false;
  }
  // A last chunk has usage and an empty list of choices. Later code detects when choices are missing.
  if (isRecord(body.error) && !Array.isArray(choices)) {
    return true;
  }
  if (isErrorCode(body.code) && ('message' in body || 'msg' in body || typeof body.code === 'number')) {
    return true;
  }
  if ((data !== undefined && data !== null) || models !== undefined) {
    return false;
  }
  return (
    (status >= 400 && !Array.isArray(choices)) ||
    (typeof body.title === 'string' && typeof body.status === 'number' && body.status >= 400) ||
    isErrorCode(recordOf(body.header).code) ||
    isRecord(recordOf(body.response).error) ||
    [...fieldsOf(body)].some(([name, value]) => failureNames.has(name) && !isSuccess(messageOf(value, 0) ?? 'ok'))
  );
}

function isBlank(error: unknown): boolean {
  return !error || (isRecord(error) && Object.keys(error).length === 0);
}

function isErrorCode(value: unknown): boolean {
  const code = textOf(value);
  return code !== undefined && !/^(?:0+|2\d\d(?:00)?)$/.test(code) && !isSuccess(code);
}

function isSuccess(text: string): boolean {
  return /^(?:ok|success)$/i.test(text);
}

function factsOf(body: LooseRecord): ErrorFacts {
  const { error, errors } = body;
  const json = jsonText(body) ?? '';
  // Words under an unknown name are better shown as JSON than not at all.
  const message = messageOf(body, 0) ?? (/: ?"[^"]*[\s\u3001-\u9fff]/.test(json) ? json : undefined);
  const inner = recordOf([error ?? errors].flat()[0]);
  const innermost = recordOf(inner.error);
  const innerType = specific(textOf(inner.type) ?? textOf(innermost.type));
  const code =
    codeOf(inner) ??
    codeOf(innermost) ??
    textOf(inner.status) ??
    (typeof error === 'number' ? textOf(error) : undefined) ??
    innerType ??
    codeOf(body) ??
    codeOf(recordOf(body.base_resp)) ??
    (typeof body.status === 'number' ? textOf(body.status) : undefined) ??
    specific(textOf(body.type));
  const type = innerType ?? specific(textOf(body.type));
  const requestId = requestIdOf(body) ?? requestIdOf(inner) ?? requestIdIn(message);
  return {
    ...(message && { message }),
    ...(code && { code }),
    ...(type && type !== code && { type }),
    ...(requestId && { requestId }),
  };
}

function codeOf(record: LooseRecord): string | undefined {
  const fields = fieldsOf(record);
  return ['code', 'errorcode', 'errcode', 'statuscode'].map((name) => textOf(fields.get(name))).find(Boolean);
}

function requestIdOf(record: LooseRecord): string | undefined {
  return textOf(fieldsOf(record).get('requestid'));
}

/** The type, unless it says no more than "error". */
function specific(type: string | undefined): string | undefined {
  return type === 'error' || type === 'one_api_error' || type === 'new_api_error' ? undefined : type;
}

/** What a body or a part of it says; also reads JSON inside of strings. */
function messageOf(value: unknown, level: number): string | undefined {
  if (level > 8) {
    return undefined;
  }
  if (typeof value === 'string') {
    return unfold(value, level);
  }
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).map((item) => {
      const where =
        isRecord(item) && Array.isArray(item.loc) ? `${item.loc.map(textOf).filter(Boolean).join('.')}: ` : '';
      const said = messageOf(item, level + 1);
      return said === undefined ? undefined : where + said;
    });
    const known = parts.filter((part) => part !== undefined);
    return known.length > 0 ? known.join('; ') : undefined;
  }
  if (!isRecord(value)) {
    return undefined;
  }
  const fields = fieldsOf(value);
  const read = (field: unknown) => messageOf(field, level + 1);
  const [error, errors, metadata, cause, param] = ['error', 'errors', 'metadata', 'value', 'param'].map((name) =>
    fields.get(name),
  );
  const inError = read(error);
  // A text in `error` may be just a label, such as "Bad Request" before the message.
  const said =
    typeof error !== 'string' && inError !== undefined
      ? undefined
      : messageNames.map((name) => read(fields.get(name))).find(Boolean);
  // The vendor's own words, or those about single fields, say more than the "Provider returned error" before them.
  const { raw } = recordOf(metadata);
  const vendors = recordOf(raw).data ?? raw ?? recordOf(cause).error_message;
  // Xiaomi says in `param` what is wrong, where others have the name of a field.
  const words = textOf(param)?.includes(' ') ? param : undefined;
  const more = [vendors, isRecord(errors) ? Object.values(errors) : errors, words].map(read);
  const parts = [inError, said, ...more].filter((part) => part !== undefined);
  const added = parts.filter((part, at) => !parts.slice(0, at).some((before) => before.includes(part)));
  return added.length > 0 ? added.join(': ').replace(/(?<=[.!?。]): /g, ' ') : undefined;
}

function unfold(text: string, level: number): string | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    const inner = messageOf(parseJson(trimmed), level + 1);
    if (inner !== undefined) {
      return inner;
    }
  }
  // A web page inside of an error says no more than its title.
  const [, before, title] = /^([^<]*)<(?:!doctype|html)\b[\s\S]*?<title>([^<]{1,300})/i.exec(trimmed) ?? [];
  return (title === undefined ? trimmed : `${before}${title.trim()}`) || undefined;
}

/** @returns the id that gateways append to their messages as `(request id: …)`. */
function requestIdIn(message: string | undefined): string | undefined {
  return /\(request id: ([\w-]{1,200})\)/i.exec(message ?? '')?.[1];
}
