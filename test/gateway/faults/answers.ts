import type { Fault, FaultContext, FaultTarget } from '../fault.ts';

/** What an answer fault sends. */
interface CannedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = 'application/json; charset=utf-8';

/** Sends a canned answer: a string as it is, anything else as JSON, `undefined` as an empty body. */
function send({ exchange }: FaultContext, { status, body, type, headers }: CannedAnswer): void {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  exchange.response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type ?? json }), ...headers });
  exchange.response.end(text);
}

function answer(
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

function error(message: string, code: unknown = null, type = 'new_api_error'): object {
  return { error: { message, type, param: '', code } };
}

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${body}</p></body></html>`;
}

const html = 'text/html; charset=utf-8';

function masked(key: string): string {
  return `${key.slice(0, 6)}***${key.slice(-3)}`;
}

/** The path of a request, marked as moved and with its fault prefix. */
function movedPath({ request }: FaultContext['exchange']): string {
  return `${request.url?.replace(/\?.*$/, '') ?? '/'}?moved`;
}

/** Whole answers in place of the model's: errors of every dialect, pages, redirects, nothing at all. */
export const answerFaults: readonly Fault[] = [
  answer('error-200', 'Q37', 'an error body under status 200', {
    status: 200,
    body: error('upstream error: do request failed', 'do_request_failed'),
  }),
  answer('error-labelled-stream', 'Q22', 'error JSON labelled text/event-stream', {
    status: 200,
    type: 'text/event-stream',
    body: error('bad response status code 502', 'bad_response_status_code'),
  }),
  answer('key-rejected', 'Q38', '401 that does not say why, in Chinese', {
    status: 401,
    body: error('无效的令牌', ''),
  }),
  answer('balance-empty', 'Q39', '402 Insufficient Balance', { status: 402, body: error('Insufficient Balance') }),
  answer('balance-empty-403', 'Q40', '403 insufficient_user_quota', {
    status: 403,
    body: error('用户额度不足, 剩余额度: 0', 'insufficient_user_quota'),
  }),
  answer('reservation-too-large', 'Q41', '403: the reply limit reserves more than the balance', {
    status: 403,
    body: error('chat pre-consumed quota failed, user quota: 12, need quota: 4096', 'insufficient_user_quota'),
  }),
  answer('balance-empty-429', 'Q42', '429 that means no money', {
    status: 429,
    body: error('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
  }),
  answer('saturated', 'Q42', '429: the group\u2019s upstream is saturated', {
    status: 429,
    body: error('当前分组上游负载已饱和，请稍后再试'),
  }),
  {
    ...answer('rate-limited', 'Q44', '429 with Retry-After in seconds', ({ amount }) => ({
      status: 429,
      headers: { 'retry-after': String(amount) },
      body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
    })),
    amount: { about: 'seconds', default: 7 },
  },
  {
    ...answer('rate-limited-date', 'Q44', '429 with Retry-After as a date', ({ amount }) => ({
      status: 429,
      headers: { 'retry-after': new Date(Date.now() + amount * 1000).toUTCString() },
      body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
    })),
    amount: { about: 'seconds', default: 7 },
  },
  answer('empty-429', 'Q43', '429 with an empty body and no Retry-After', { status: 429 }),
  answer('arrearage', 'Q45', '400 Arrearage, which means unpaid', {
    status: 400,
    body: { code: 'Arrearage', message: 'Access denied, account not in good standing.', request_id: 'x' },
  }),
  answer('no-channel', 'Q46', '503: no channel for the model in this group', ({ model }) => ({
    status: 503,
    body: error(`No available channel for model ${model} under group default (distributor)`, 'model_not_found'),
  })),
  answer('loading', 'Q47', '503 Loading model', {
    status: 503,
    body: { error: { code: 503, message: 'Loading model' } },
  }),
  answer('overloaded', 'Q47', '529 overloaded', {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_x' },
  }),
  answer('html-502', 'Q47', '502 with a web page', {
    status: 502,
    type: html,
    body: page('502 Bad Gateway', 'nginx'),
  }),
  answer('html-524', 'Q48', '524 with a Cloudflare page', {
    status: 524,
    type: html,
    headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' },
    body: page('524: A timeout occurred', 'The origin did not answer in time.'),
  }),
  answer('html-413', 'Q49', '413 with a web page', {
    status: 413,
    type: html,
    body: page('413 Request Entity Too Large', 'nginx'),
  }),
  answer('context-too-long', 'Q50', '400 context_length_exceeded', {
    status: 400,
    body: error(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'context_length_exceeded',
      'invalid_request_error',
    ),
  }),
  answer('invalid-url', 'Q51', '404 Invalid URL', ({ exchange }) => ({
    status: 404,
    body: error(`Invalid URL (${exchange.request.method} ${exchange.url.pathname})`, '', 'invalid_request_error'),
  })),
  answer(
    'models-404',
    'Q52',
    'no model list although chat works',
    { status: 404, body: { detail: 'Not Found' } },
    'models',
  ),
  answer('html-200', 'Q53', 'a web page under 200', {
    status: 200,
    type: html,
    body: page('Welcome', 'You need to enable JavaScript to run this app.'),
  }),
  answer('cause-hidden', 'Q55', 'a message that hides the cause, with a request id', {
    status: 500,
    body: error('openai_error (request id: 2026112019300012345678)', 'bad_response_status_code', 'openai_error'),
  }),
  answer('key-in-error', 'Q57', 'a message that holds the key, whole and part-masked', ({ keyValue }) => ({
    status: 401,
    body: error(`该令牌额度已用尽 TokenStatusExhausted[${masked(keyValue)}] for Bearer ${keyValue}`, ''),
  })),
  answer('unsupported-parameter', 'Q58', '400 unsupported parameter', {
    status: 400,
    body: {
      error: {
        message: "Unsupported parameter: 'temperature' is not supported with this model.",
        type: 'invalid_request_error',
        param: 'temperature',
        code: 'unsupported_parameter',
      },
    },
  }),
  answer('blocked', 'Q79', '403 with a Cloudflare page', {
    status: 403,
    type: html,
    headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' },
    body: page('Access denied | Cloudflare', 'Error 1010: the owner has banned your access.'),
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
  { ...answer('empty-200', 'Q25', '200 with no bytes; the call is charged', { status: 200 }), isCharged: true },
  {
    ...answer(
      'empty-stream-200',
      'Q25',
      'an event stream of no bytes under 200; the call is charged',
      { status: 200, body: '', type: 'text/event-stream' },
      'chat',
    ),
    isCharged: true,
  },
  {
    name: 'stream-options-rejected',
    quirk: 'Q30',
    about: '400 while the request holds stream_options, else an answer',
    on: 'chat',
    instead: (context) => {
      if (context.body.includes('"stream_options"')) {
        const body = {
          object: 'error',
          message: {
            detail: [
              { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
            ],
          },
          code: null,
        };
        send(context, { status: 422, body });
      }
    },
  },
  {
    name: 'json-for-stream',
    quirk: 'Q23',
    about: 'one JSON body although a stream was asked for',
    on: 'chat',
    isStream: false,
  },
  {
    name: 'stream-for-plain',
    quirk: 'Q24',
    about: 'a stream although one body was asked for',
    on: 'chat',
    isStream: true,
  },
  {
    name: 'stream-labelled-json',
    quirk: 'Q21',
    about: 'the stream is labelled application/json',
    on: 'chat',
    isStream: true,
    headers: { 'content-type': 'application/json' },
  },
  {
    name: 'json-labelled-stream',
    quirk: 'Q22',
    about: 'one JSON body labelled text/event-stream',
    on: 'chat',
    isStream: false,
    headers: { 'content-type': 'text/event-stream' },
  },
  {
    name: 'good-under-500',
    quirk: 'Q37',
    about: 'a whole, good answer under status 500, which is a success',
    on: 'both',
    status: 500,
  },
  answer(
    'redirect-foreign',
    'Q60',
    '307 to another origin, which records what it gets',
    ({ exchange, foreignOrigin }) => ({
      status: 307,
      headers: { location: `${foreignOrigin}${exchange.url.pathname}` },
    }),
  ),
  answer('redirect-post-301', 'Q61', '301 to the same origin, which turns a POST into a GET', ({ exchange }) => ({
    status: 301,
    headers: { location: movedPath(exchange) },
  })),
  {
    name: 'redirect-same-origin',
    quirk: 'Q60',
    about: '307 to the same origin once, then the answer',
    on: 'both',
    instead: (context) => {
      if (!context.exchange.url.searchParams.has('moved')) {
        send(context, { status: 307, headers: { location: movedPath(context.exchange) } });
      }
    },
  },
  answer('redirect-loop', 'Q60', '307 to itself, for ever', ({ exchange }) => ({
    status: 307,
    headers: { location: exchange.request.url ?? '/' },
  })),
];
