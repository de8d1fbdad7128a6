import { originOf } from '../http.ts';
import type { Call, How, Rows } from './fault.ts';
import { error, says, webPage } from './refusals.ts';

function shows(...page: Parameters<typeof webPage>): How {
  return { answer: webPage(...page) };
}

function masked(key: string): string {
  return `${key.slice(0, 6)}***${key.slice(-3)}`;
}

function redirects(status: number, to: (call: Call) => string): How {
  return { answer: (call) => ({ status, headers: { location: to(call) } }) };
}

/** The path of a request, with its fault prefix and the query `moved`. */
function moved({ exchange }: Call): string {
  return `${exchange.request.url?.replace(/\?.*$/, '') ?? '/'}?moved`;
}

const foreign = ({ foreignOrigin, exchange }: Call) => `${foreignOrigin}${exchange.url.pathname}`;
const ray = { 'cf-ray': '8a1b2c3d4e5f-FRA' };

/** Errors in other formats than OpenAI's, and answers of another kind than requested: pages, redirects, wrong types. */
export const answerFaults: Rows = {
  'error-200 Q37 an error body under status 200': says(
    200,
    error('upstream error: do request failed', 'do_request_failed'),
  ),
  'error-labelled-stream Q22 error JSON labelled text/event-stream': says(
    200,
    error('bad response status code 502', 'bad_response_status_code'),
    undefined,
    'text/event-stream',
  ),
  'arrearage Q45 400 Arrearage, which means unpaid': says(400, {
    code: 'Arrearage',
    message: 'Access denied, account not in good standing.',
    request_id: 'x',
  }),
  'loading Q47 503 Loading model': says(503, { error: { code: 503, message: 'Loading model' } }),
  'overloaded Q47 529 overloaded': says(529, {
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
    request_id: 'req_x',
  }),
  'cause-hidden Q55 a message that hides the cause, with a request id': says(
    500,
    error('openai_error (request id: 2026112019300012345678)', 'bad_response_status_code', 'openai_error'),
  ),
  'key-in-error Q57 a message that holds the key, whole and part-masked': {
    answer: ({ keyValue }) => ({
      status: 401,
      body: error(`该令牌额度已用尽 TokenStatusExhausted[${masked(keyValue)}] for Bearer ${keyValue}`, ''),
    }),
  },
  'error-empty 1.6 error is an empty object': says(200, { error: {} }),
  'error-anthropic 1.6 type: error around the error': says(400, {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'max_tokens: required' },
  }),
  'string-error 1.6 error is a string': says(401, { error: 'Unauthorized' }),
  'error-true 1.6 error is true, the message beside it': says(500, {
    error: true,
    status: 500,
    message: 'The worker is gone.',
  }),
  'error-array 1.6 an array around the error': says(429, [
    { error: { code: 429, message: 'Resource has been exhausted.', status: 'RESOURCE_EXHAUSTED' } },
  ]),
  'error-detail 1.6 detail with a list of problems': says(422, {
    detail: [{ loc: ['body', 'messages'], msg: 'field required', type: 'value_error.missing' }],
  }),
  'error-nested-json 1.6 a message that is JSON in JSON': says(
    500,
    error(JSON.stringify(error(JSON.stringify(error('The region is not supported.', 'region'))))),
  ),
  'error-success-false 1.6 success: false and a message under 200': says(200, {
    success: false,
    message: 'The channel is closed.',
  }),
  'error-object 1.6 object: error without a field error': says(400, {
    object: 'error',
    message: 'The model is not served.',
    type: 'BadRequestError',
    param: null,
    code: 400,
  }),
  'error-two-documents 1.6 two JSON documents one after the other': says(
    429,
    JSON.stringify(error('The request limit is reached.')) + JSON.stringify(error('second')),
  ),
  'error-text 1.6 plain text under 500': says(500, 'Internal Server Error', undefined, 'text/plain'),
  'error-metadata 1.6 a code that is a number, and metadata, as OpenRouter has it': says(402, {
    error: {
      code: 402,
      message: 'This request requires more credits.',
      metadata: { error_type: 'insufficient_credits', provider_name: 'Somewhere', raw: '{"detail":"no credits"}' },
    },
    user_id: 'user_x',
  }),
  'error-litellm 1.6 param "None" and a code that is the status as text': says(429, {
    error: { message: 'RateLimitError: too many requests.', type: 'throttling', param: 'None', code: '429' },
  }),
  'error-untyped-200 1.6 an error of a message alone, under 200': says(200, {
    error: { message: 'upstream error: do request failed' },
  }),
  'error-provider 1.6 the provider named in the message and beside the error': says(400, {
    error: { message: 'somewhere error: The prompt was refused.', type: null, param: null, code: null },
    provider: 'somewhere',
  }),
  'error-status-failure 1.6 status: failure and a message': says(400, {
    status: 'failure',
    message: 'The provider header is missing.',
  }),
  'error-html-message 1.6 the message is in html-message': says(500, { 'html-message': 'The worker is restarting.' }),
  'error-message-object 1.6 a message that is an object with a list of problems': says(422, {
    object: 'error',
    message: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] },
    type: 'invalid_request_error',
    code: null,
  }),
  'error-detail-text 1.6 detail is a string': says(404, { detail: 'The engine is gone.' }),
  'error-detail-object 1.6 detail is an object with an error': says(400, {
    detail: { error: 'The deployment is paused.' },
  }),
  'error-msg 1.6 the message is in msg': says(500, { code: 1102, msg: 'The channel is resting.' }),
  'error-err 1.6 the message is in err': says(500, { err: 'The relay lost its upstream.' }),
  'error-error-msg 1.6 the message is in error_msg': says(500, { error_code: 17, error_msg: 'Open api daily limit.' }),
  'error-description 1.6 the message is in error_description': says(500, {
    error: 'invalid_grant',
    error_description: 'The access was withdrawn.',
  }),
  'error-header 1.6 the message is in header': says(500, {
    header: { code: 10013, message: 'The input was reviewed.' },
  }),
  'error-response 1.6 the error is inside response': says(500, {
    response: { error: { message: 'The response object failed.' } },
  }),
  'error-title 1.6 the message is in title, as problem+json has it': says(500, {
    type: 'about:blank',
    title: 'The service is not available.',
    status: 500,
  }),
  'error-code-wrapper 1.6 a wrapper with a code that is not 0, under 200': says(200, {
    code: 5001,
    scode: '0x1389',
    status: false,
    message: 'The balance could not be read.',
    data: null,
  }),
  'error-octet-stream 1.6 400 whose JSON is labelled application/octet-stream': says(
    400,
    error('The request body could not be read.', 'invalid_request_error', 'invalid_request_error'),
    undefined,
    'application/octet-stream',
  ),
  'error-bom 1.6 error JSON after a byte order mark and blank lines': says(
    500,
    `\uFEFF\n\n${JSON.stringify(error('The worker failed.'))}`,
  ),
  'error-panic 1.6 new_api_panic': says(500, error('Panic detected, error: nil pointer', undefined, 'new_api_panic')),
  'error-501 1.6 501 api_not_implemented': says(501, error('API not implemented', 'api_not_implemented')),
  'error-bad-input 1.6 a bad request comes back as 500': says(500, {
    error: { code: 500, message: 'Failed to parse tools: missing function', type: 'server_error' },
  }),
  'empty-401 1.6 401 with an empty body': says(401),
  'empty-404 1.6 404 with an empty body': says(404),
  'empty-500 1.6 500 with an empty body': says(500),
  'html-520 1.6 520 with a Cloudflare page': shows(
    520,
    '520: Web server is returning an unknown error',
    'Cloudflare',
    ray,
  ),
  'id-other-header 1.5 the request id is in x-oneapi-request-id': {
    on: 'both',
    before: ({ exchange: { response, requestId } }) => {
      response.removeHeader('x-request-id');
      response.setHeader('x-oneapi-request-id', requestId);
    },
  },
  'id-in-text 1.5 the request id is in the message alone': {
    answer: ({ exchange: { response, requestId } }) => {
      response.removeHeader('x-request-id');
      return { status: 500, body: error(`The relay failed. (request id: ${requestId})`) };
    },
  },
  'html-502 Q47 502 with a web page': shows(502, '502 Bad Gateway', 'nginx'),
  'html-504 Q48 504 with a web page; the model ran all the same and the call is charged': {
    ...shows(504, '504 Gateway Time-out', 'nginx'),
    isCharged: true,
  },
  'headers-too-large Q49 431 with a web page': shows(431, '400 Request Header Or Cookie Too Large', 'nginx'),
  'proxy-407 Q67 407 with the page of a proxy that wants a name and a password': shows(
    407,
    '407 Proxy Authentication Required',
    'The proxy wants to know who you are.',
    { 'proxy-authenticate': 'Basic realm="proxy", Negotiate' },
  ),
  'html-524 Q48 524 with a Cloudflare page; the model ran all the same and the call is charged': {
    ...shows(524, '524: A timeout occurred', 'The origin did not answer in time.', ray),
    isCharged: true,
  },
  'html-413 Q49 413 with a web page': shows(413, '413 Request Entity Too Large', 'nginx'),
  'html-200 Q53 a web page under 200': shows(200, 'Welcome', 'You need to enable JavaScript to run this app.'),
  'blocked Q79 403 with a Cloudflare page': shows(
    403,
    'Access denied | Cloudflare',
    'Error 1010: the owner has banned your access.',
    ray,
  ),
  'captive-portal Q80 302 to the sign-in page of a network': shows(302, 'Sign in', 'Sign in to this network.', {
    location: 'http://sign-in.invalid/portal',
  }),
  'empty-200 Q25 200 with no bytes; the call is charged': { ...says(200), isCharged: true },
  'empty-stream-200 Q25 an event stream of no bytes under 200; the call is charged': {
    ...says(200, '', undefined, 'text/event-stream'),
    on: 'chat',
    isCharged: true,
  },
  'json-for-stream Q23 one JSON body although a stream was asked for': { isStream: false },
  'stream-for-plain Q24 a stream although one body was asked for': { isStream: true },
  'stream-labelled-json Q21 the stream is labelled application/json': {
    isStream: true,
    headers: { 'content-type': 'application/json' },
  },
  'stream-labelled-text Q21 the stream is labelled text/plain': {
    isStream: true,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  },
  'stream-unlabelled Q21 the stream has no content type': { isStream: true, headers: { 'content-type': null } },
  'json-unlabelled Q21 one JSON body without a content type': {
    on: 'both',
    isStream: false,
    headers: { 'content-type': null },
  },
  'json-octet-stream Q21 one JSON body labelled application/octet-stream': {
    on: 'both',
    isStream: false,
    headers: { 'content-type': 'application/octet-stream' },
  },
  'json-labelled-stream Q22 one JSON body labelled text/event-stream': {
    isStream: false,
    headers: { 'content-type': 'text/event-stream' },
  },
  'good-under-500 Q37 a whole, good answer under status 500, which is a success': { on: 'both', status: 500 },
  'redirect-foreign Q60 307 to another origin, which records what it gets': redirects(307, foreign),
  'redirect-foreign-301 Q60 301 to another origin, which records what it gets': redirects(301, foreign),
  'redirect-other-scheme Q60 308 to the same host by https, or by http from https': redirects(308, ({ exchange }) => {
    const { scheme, host } = originOf(exchange.request);
    return `${scheme === 'http' ? 'https' : 'http'}://${host}${exchange.url.pathname}`;
  }),
  'redirect-nowhere Q60 307 without a location': says(307),
  'redirect-post-303 Q61 303 to the same origin, which turns a POST into a GET': redirects(303, moved),
  'redirect-post-301 Q61 301 to the same origin, which turns a POST into a GET': redirects(301, moved),
  'redirect-same-origin Q60 307 to the same origin once, then the answer': {
    answer: (call) =>
      call.exchange.url.searchParams.has('moved') ? undefined : { status: 307, headers: { location: moved(call) } },
  },
  'redirect-loop Q60 307 to itself, for ever': redirects(307, ({ exchange }) => exchange.request.url ?? '/'),
};
