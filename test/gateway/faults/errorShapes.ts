import type { Fault } from '../fault.ts';
import { answer, error, html, page } from './cannedAnswer.ts';
import { eachText } from './streamTransforms.ts';

/** A complete reply whose field `error` has a value that doesn't mean an error. */
function emptyError(name: string, about: string, value: unknown): Fault {
  return {
    name,
    quirk: '1.6',
    about: `${about} beside good choices, which is no error`,
    on: 'chat',
    items: eachText((_, chunk) => [{ json: { ...chunk, error: value } }]),
    completion: (completion) => ({ ...completion, error: value }),
  };
}

function under500(name: string, about: string, body: unknown): Fault {
  return answer(name, '1.6', about, { status: 500, body });
}

/** More formats of an error body, with the message elsewhere than in `error.message`. */
export const errorShapeFaults: readonly Fault[] = [
  emptyError('error-false', 'error: false', false),
  emptyError('error-blank', 'error: ""', ''),
  emptyError('error-empty-beside', 'error: {}', {}),
  answer('error-metadata', '1.6', 'a code that is a number, and metadata, as OpenRouter has it', {
    status: 402,
    body: {
      error: {
        code: 402,
        message: 'This request requires more credits.',
        metadata: { error_type: 'insufficient_credits', provider_name: 'Somewhere', raw: '{"detail":"no credits"}' },
      },
      user_id: 'user_x',
    },
  }),
  answer('error-litellm', '1.6', 'param "None" and a code that is the status as text', {
    status: 429,
    body: { error: { message: 'RateLimitError: too many requests.', type: 'throttling', param: 'None', code: '429' } },
  }),
  answer('error-untyped-200', '1.6', 'an error of a message alone, under 200', {
    status: 200,
    body: { error: { message: 'upstream error: do request failed' } },
  }),
  answer('error-provider', '1.6', 'the provider named in the message and beside the error', {
    status: 400,
    body: {
      error: { message: 'somewhere error: The prompt was refused.', type: null, param: null, code: null },
      provider: 'somewhere',
    },
  }),
  answer('error-status-failure', '1.6', 'status: failure and a message', {
    status: 400,
    body: { status: 'failure', message: 'The provider header is missing.' },
  }),
  under500('error-html-message', 'the message is in html-message', { 'html-message': 'The worker is restarting.' }),
  answer('error-message-object', '1.6', 'a message that is an object with a list of problems', {
    status: 422,
    body: {
      object: 'error',
      message: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
      type: 'invalid_request_error',
      code: null,
    },
  }),
  answer('error-detail-text', '1.6', 'detail is a string', { status: 404, body: { detail: 'The engine is gone.' } }),
  answer('error-detail-object', '1.6', 'detail is an object with an error', {
    status: 400,
    body: { detail: { error: 'The deployment is paused.' } },
  }),
  under500('error-msg', 'the message is in msg', { code: 1102, msg: 'The channel is resting.' }),
  under500('error-err', 'the message is in err', { err: 'The relay lost its upstream.' }),
  under500('error-error-msg', 'the message is in error_msg', { error_code: 17, error_msg: 'Open api daily limit.' }),
  under500('error-description', 'the message is in error_description', {
    error: 'invalid_grant',
    error_description: 'The access was withdrawn.',
  }),
  under500('error-header', 'the message is in header', { header: { code: 10013, message: 'The input was reviewed.' } }),
  under500('error-response', 'the error is inside response', {
    response: { error: { message: 'The response object failed.' } },
  }),
  under500('error-title', 'the message is in title, as problem+json has it', {
    type: 'about:blank',
    title: 'The service is not available.',
    status: 500,
  }),
  answer('error-code-wrapper', '1.6', 'a wrapper with a code that is not 0, under 200', {
    status: 200,
    body: { code: 5001, scode: '0x1389', status: false, message: 'The balance could not be read.', data: null },
  }),
  answer('error-octet-stream', '1.6', '400 whose JSON is labelled application/octet-stream', {
    status: 400,
    type: 'application/octet-stream',
    body: error('The request body could not be read.', 'invalid_request_error', 'invalid_request_error'),
  }),
  answer('error-bom', '1.6', 'error JSON after a byte order mark and blank lines', {
    status: 500,
    body: `\uFEFF\n\n${JSON.stringify(error('The worker failed.'))}`,
  }),
  under500('error-panic', 'new_api_panic', error('Panic detected, error: nil pointer', undefined, 'new_api_panic')),
  answer('error-501', '1.6', '501 api_not_implemented', {
    status: 501,
    body: error('API not implemented', 'api_not_implemented'),
  }),
  under500('error-bad-input', 'a bad request comes back as 500', {
    error: { code: 500, message: 'Failed to parse tools: missing function', type: 'server_error' },
  }),
  answer('empty-401', '1.6', '401 with an empty body', { status: 401 }),
  answer('empty-404', '1.6', '404 with an empty body', { status: 404 }),
  answer('empty-500', '1.6', '500 with an empty body', { status: 500 }),
  answer('html-520', '1.6', '520 with a Cloudflare page', {
    status: 520,
    type: html,
    headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' },
    body: page('520: Web server is returning an unknown error', 'Cloudflare'),
  }),
  {
    name: 'id-other-header',
    quirk: '1.5',
    about: 'the request id is in x-oneapi-request-id',
    on: 'both',
    before: ({ exchange: { response, requestId } }) => {
      response.removeHeader('x-request-id');
      response.setHeader('x-oneapi-request-id', requestId);
    },
  },
  {
    ...answer('id-in-text', '1.5', 'the request id is in the message alone', ({ exchange }) => {
      exchange.response.removeHeader('x-request-id');
      return { status: 500, body: error(`The relay failed. (request id: ${exchange.requestId})`) };
    }),
  },
];
