import type { Fault } from '../fault.ts';
import { answer, error } from './cannedAnswer.ts';

function masked(key: string): string {
  return `${key.slice(0, 6)}***${key.slice(-3)}`;
}

/** Error bodies in different formats: where the message is, what is around it, and how it is labelled. */
export const errorDialectFaults: readonly Fault[] = [
  answer('error-200', 'Q37', 'an error body under status 200', {
    status: 200,
    body: error('upstream error: do request failed', 'do_request_failed'),
  }),
  answer('error-labelled-stream', 'Q22', 'error JSON labelled text/event-stream', {
    status: 200,
    type: 'text/event-stream',
    body: error('bad response status code 502', 'bad_response_status_code'),
  }),
  answer('arrearage', 'Q45', '400 Arrearage, which means unpaid', {
    status: 400,
    body: { code: 'Arrearage', message: 'Access denied, account not in good standing.', request_id: 'x' },
  }),
  answer('loading', 'Q47', '503 Loading model', {
    status: 503,
    body: { error: { code: 503, message: 'Loading model' } },
  }),
  answer('overloaded', 'Q47', '529 overloaded', {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_x' },
  }),
  answer('cause-hidden', 'Q55', 'a message that hides the cause, with a request id', {
    status: 500,
    body: error('openai_error (request id: 2026112019300012345678)', 'bad_response_status_code', 'openai_error'),
  }),
  answer('key-in-error', 'Q57', 'a message that holds the key, whole and part-masked', ({ keyValue }) => ({
    status: 401,
    body: error(`该令牌额度已用尽 TokenStatusExhausted[${masked(keyValue)}] for Bearer ${keyValue}`, ''),
  })),
  answer('error-empty', '1.6', 'error is an empty object', { status: 200, body: { error: {} } }),
  answer('error-anthropic', '1.6', 'type: error around the error', {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: required' } },
  }),
  answer('string-error', '1.6', 'error is a string', { status: 401, body: { error: 'Unauthorized' } }),
  answer('error-true', '1.6', 'error is true, the message beside it', {
    status: 500,
    body: { error: true, status: 500, message: 'The worker is gone.' },
  }),
  answer('error-array', '1.6', 'an array around the error', {
    status: 429,
    body: [{ error: { code: 429, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' } }],
  }),
  answer('error-detail', '1.6', 'detail with a list of problems', {
    status: 422,
    body: { detail: [{ loc: ['body', 'messages'], msg: 'field required', type: 'value_error.missing' }] },
  }),
  answer('error-nested-json', '1.6', 'a message that is JSON in JSON', {
    status: 500,
    body: error(JSON.stringify(error(JSON.stringify(error('The region is not supported.', 'region'))))),
  }),
  answer('error-success-false', '1.6', 'success: false and a message under 200', {
    status: 200,
    body: { success: false, message: 'The channel is closed.' },
  }),
  answer('error-object', '1.6', 'object: error without a field error', {
    status: 400,
    body: { object: 'error', message: 'The model is not served.', type: 'BadRequestError', param: null, code: 400 },
  }),
  answer('error-two-documents', '1.6', 'two JSON documents one after the other', {
    status: 429,
    body: JSON.stringify(error('The request limit is reached.')) + JSON.stringify(error('second')),
  }),
  answer('error-text', '1.6', 'plain text under 500', {
    status: 500,
    type: 'text/plain',
    body: 'Internal Server Error',
  }),
];
