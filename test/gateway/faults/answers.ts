import type { Call, How, Rows } from './fault.ts';
import { atFinish } from './items.ts';

const tick = '`';

/**
 * Answers that do not depend on the request: `name quirk about => status [charged] [+{headers}] [body]`. In the body,
 * `{model}`, `{method}`, `{path}`, `{key}` and `{masked}` stand for what the call has. The words are those of the
 * gateways that the service is most likely based on, and of others.
 */
const fixed = String.raw`
key-rejected Q38 401 that does not say why, in Chinese => 401 {"error":{"message":"无效的令牌","type":"new_api_error","param":"","code":""}}
balance-empty Q39 402 Insufficient Balance => 402 {"error":{"message":"Insufficient Balance","type":"new_api_error","param":"","code":null}}
balance-empty-403 Q40 403 insufficient_user_quota => 403 {"error":{"message":"用户额度不足, 剩余额度: 0","type":"new_api_error","param":"","code":"insufficient_user_quota"}}
reservation-too-large Q41 403: the reply limit reserves more than the balance => 403 {"error":{"message":"chat pre-consumed quota failed, user quota: 12, need quota: 4096","type":"new_api_error","param":"","code":"insufficient_user_quota"}}
balance-empty-429 Q42 429 that means no money => 429 {"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":"","code":"insufficient_quota"}}
saturated Q42 429: the group’s upstream is saturated => 429 {"error":{"message":"当前分组上游负载已饱和，请稍后再试","type":"new_api_error","param":"","code":null}}
rate-limited-ms Q44 429 with retry-after-ms and a Retry-After of hours => 429 +{"retry-after-ms":"1500","retry-after":"86400"} {"error":{"message":"Rate limit reached: too many requests.","type":"requests","param":"","code":"rate_limit_exceeded"}}
balance-held Q39 402 that passes: other calls hold the balance => 402 +{"retry-after":"3"} {"error":{"message":"In-flight requests hold the remaining balance.","type":"new_api_error","param":"","code":"in_flight_budget_exhausted"}}
empty-429 Q43 429 with an empty body and no Retry-After => 429
misdirected Q76 421, on which the Fetch standard sends a request a second time => 421 {"error":{"message":"Misdirected Request","type":"new_api_error","param":"","code":null}}
no-channel Q46 503: no channel for the model in this group => 503 {"error":{"message":"No available channel for model {model} under group default (distributor)","type":"new_api_error","param":"","code":"model_not_found"}}
context-too-long Q50 400 context_length_exceeded => 400 {"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"","code":"context_length_exceeded"}}
context-too-long-llama Q50 400 exceed_context_size_error, its code the status => 400 {"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}
context-too-long-text Q50 413 with words alone => 413 The prompt is too long: 9000 tokens > 8192 maximum
unsupported-parameter Q58 400 unsupported parameter => 400 {"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}
key-missing Q38 401 in the words for no key => 401 {"error":{"message":"未提供令牌 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-invalid Q38 401 Invalid token, whatever is wrong with the key => 401 {"error":{"message":"Invalid token (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-expired Q38 401: the key is past its date, in Chinese => 401 {"error":{"message":"该令牌已过期 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-disabled Q38 401: the key is disabled => 401 {"error":{"message":"This token status is unavailable (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-exhausted Q38 401: the key is used up, in Chinese => 401 {"error":{"message":"令牌 demo（#7）额度已用尽 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-check-failed Q38 401 although the fault is the server’s: its database failed => 401 {"error":{"message":"Invalid token, database query error, please contact administrator (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
key-quota-short Q40 403: the key’s own quota does not cover the reservation => 403 {"error":{"message":"token quota is not enough, token remain quota: ＄0.002, need quota: ＄0.010 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"pre_consume_token_quota_failed"}}
balance-empty-text Q40 403: no balance, known by its words alone => 403 {"error":{"message":"user quota is not enough (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
model-denied Q40 403: this key may not use the model => 403 {"error":{"message":"This token has no access to model {model} (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
model-denied-chinese Q40 403: the same in Chinese => 403 {"error":{"message":"该令牌无权使用模型：{model} (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
group-denied Q40 403: the group is not open => 403 {"error":{"message":"No permission to access this group (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
group-retired Q40 403: the group was given up, in Chinese => 403 {"error":{"message":"分组 vip 已被弃用 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
user-banned Q40 403: the account is banned => 403 {"error":{"message":"User has been banned (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
ip-denied Q40 403: the address is not on the list => 403 {"error":{"message":"您的 IP 不在令牌允许访问的列表中 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
channel-denied Q40 403: a key with a channel suffix => 403 {"error":{"message":"普通用户不支持指定渠道 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
moderated Q40 400: the prompt was refused => 400 {"error":{"message":"sensitive words detected (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"sensitive_words_detected"}}
balance-empty-moonshot Q42 429 exceeded_current_quota_error, which means no money => 429 {"error":{"message":"Your account is not active, exceeded current quota (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"exceeded_current_quota_error"}}
budget-exceeded Q42 400 budget_exceeded => 400 {"error":{"message":"Budget has been exceeded! Max budget: 1.0 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"budget_exceeded"}}
request-limit Q42 429: so many requests in so many minutes, in Chinese => 429 {"error":{"message":"您已达到请求数限制：1分钟内最多请求3次 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
model-unknown Q51 404 model_not_found => 404 {"error":{"message":"The model ${tick}{model}${tick} does not exist (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"model_not_found"}}
no-channel-chinese Q46 503: no channel, known by its words alone => 503 {"error":{"message":"当前分组 default 下对于模型 {model} 无可用渠道 (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
price-missing 3.3 500: no price for the model => 500 {"error":{"message":"模型 {model} 倍率或价格未配置；Model {model} ratio or price not set, please contact administrator to set (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"model_price_error"}}
channel-broken 3.3 500: the key of the channel behind it is not good => 500 {"error":{"message":"channel key is invalid (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":"channel:invalid_key"}}
no-model-named 3.3 400: no model in the request => 400 {"error":{"message":"Model name not specified, model name cannot be empty (request id: 2026112019300012345678)","type":"new_api_error","param":"","code":""}}
error-200 Q37 an error body under status 200 => 200 {"error":{"message":"upstream error: do request failed","type":"new_api_error","param":"","code":"do_request_failed"}}
error-labelled-stream Q22 error JSON labelled text/event-stream => 200 +{"content-type":"text/event-stream"} {"error":{"message":"bad response status code 502","type":"new_api_error","param":"","code":"bad_response_status_code"}}
arrearage Q45 400 Arrearage, which means unpaid => 400 {"code":"Arrearage","message":"Access denied, account not in good standing.","request_id":"x"}
loading Q47 503 Loading model => 503 {"error":{"code":503,"message":"Loading model"}}
overloaded Q47 529 overloaded => 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_x"}
cause-hidden Q55 a message that hides the cause, with a request id => 500 {"error":{"message":"openai_error (request id: 2026112019300012345678)","type":"openai_error","param":"","code":"bad_response_status_code"}}
string-error 1.6 error is a string => 401 {"error":"Unauthorized"}
error-detail 1.6 detail with a list of problems => 422 {"detail":[{"loc":["body","messages"],"msg":"field required","type":"value_error.missing"}]}
error-two-documents 1.6 two JSON documents one after the other => 429 {"error":{"message":"The request limit is reached.","type":"new_api_error","param":"","code":null}}{"error":{"message":"second","type":"new_api_error","param":"","code":null}}
error-text 1.6 plain text under 500 => 500 Internal Server Error
error-metadata 1.6 a code that is a number, and metadata, as OpenRouter has it => 402 {"error":{"code":402,"message":"This request requires more credits.","metadata":{"error_type":"insufficient_credits","provider_name":"Somewhere","raw":"{\"detail\":\"no credits\"}"}},"user_id":"user_x"}
error-err 1.6 the message is in err => 500 {"err":"The relay lost its upstream."}
error-501 1.6 501 for a route that the gateway lacks, as one-api and new-api word it (controller/relay.go) => 501 {"error":{"message":"API not implemented","type":"new_api_error","param":"","code":"api_not_implemented"}}
empty-401 1.6 401 with an empty body => 401
empty-404 1.6 404 with an empty body => 404
empty-500 1.6 500 with an empty body => 500
html-520 1.6 520 with a Cloudflare page => 520 +{"cf-ray":"8a1b2c3d4e5f-FRA"} <title>520: Web server is returning an unknown error</title><h1>520: Web server is returning an unknown error</h1><p>Cloudflare</p>
html-502 Q47 502 with a web page => 502 <title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><p>nginx</p>
html-504 Q48 504 with a web page; the model ran all the same and the call is charged => 504 charged <title>504 Gateway Time-out</title><h1>504 Gateway Time-out</h1><p>nginx</p>
headers-too-large Q49 431 with a web page => 431 <title>400 Request Header Or Cookie Too Large</title><h1>400 Request Header Or Cookie Too Large</h1><p>nginx</p>
proxy-407 Q67 407 with the page of a proxy that wants a name and a password => 407 +{"proxy-authenticate":"Basic realm=\"proxy\", Negotiate"} <title>407 Proxy Authentication Required</title><h1>407 Proxy Authentication Required</h1><p>The proxy wants to know who you are.</p>
html-524 Q48 524 with a Cloudflare page; the model ran all the same and the call is charged => 524 charged +{"cf-ray":"8a1b2c3d4e5f-FRA"} <title>524: A timeout occurred</title><h1>524: A timeout occurred</h1><p>The origin did not answer in time.</p>
html-413 Q49 413 with a web page => 413 <title>413 Request Entity Too Large</title><h1>413 Request Entity Too Large</h1><p>nginx</p>
html-200 Q53 a web page under 200 => 200 <title>Welcome</title><h1>Welcome</h1><p>You need to enable JavaScript to run this app.</p>
blocked Q79 403 with a Cloudflare page => 403 +{"cf-ray":"8a1b2c3d4e5f-FRA"} <title>Access denied | Cloudflare</title><h1>Access denied | Cloudflare</h1><p>Error 1010: the owner has banned your access.</p>
captive-portal Q80 302 to the sign-in page of a network => 302 +{"location":"http://sign-in.invalid/portal"} <title>Sign in</title><h1>Sign in</h1><p>Sign in to this network.</p>
empty-200 Q25 200 with no bytes; the call is charged => 200 charged
redirect-nowhere Q60 307 without a location => 307
invalid-url Q51 404 Invalid URL => 404 {"error":{"message":"Invalid URL ({method} {path})","type":"invalid_request_error","param":"","code":""}}
key-in-error Q57 a message that holds the key, whole and part-masked => 401 {"error":{"message":"该令牌额度已用尽 TokenStatusExhausted[{masked}] for Bearer {key}","type":"new_api_error","param":"","code":""}}
`;

const row = /^(\S+ \S+ .+?) => (\d+)( charged)?(?: \+(\{.*?\}))?(?: (.*))?$/gm;

const fixedFaults: Rows = Object.fromEntries(
  [...fixed.matchAll(row)].map(([, key = '', status, charged, headers, text]): [string, How] => [
    key,
    {
      isCharged: charged !== undefined,
      answer: (call) => ({
        status: Number(status),
        body: text?.replace(/\{(\w+)\}/g, (whole, name) => wordOf(call, name) ?? whole),
        type:
          text?.startsWith('{') || text?.startsWith('[')
            ? undefined
            : text?.startsWith('<')
              ? 'text/html'
              : 'text/plain',
        headers: headers === undefined ? undefined : JSON.parse(headers),
      }),
    },
  ]),
);

function wordOf({ model, keyValue, exchange: { request, url } }: Call, name: string): string | undefined {
  const masked = `${keyValue.slice(0, 6)}***${keyValue.slice(-3)}`;
  return { model: model || 'M', method: request.method, path: url.pathname, key: keyValue, masked }[name];
}

/** Makes an error body as New API gateways send it. */
export function error(message: string, code: unknown = null, type = 'new_api_error'): object {
  return { error: { message, type, param: '', code } };
}

interface LooseBody {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: unknown;
  readonly messages?: readonly {
    readonly role?: unknown;
    readonly tool_calls?: unknown;
    readonly reasoning_content?: unknown;
  }[];
}

/** Refuses requests with a problem; others are answered as usual. */
function refusesIf(problem: (body: LooseBody) => string | undefined): How {
  return {
    on: 'chat',
    answer: ({ body }) => {
      const message = problem(JSON.parse(body) as LooseBody);
      return message === undefined
        ? undefined
        : { status: 400, body: error(message, 'invalid_request_error', 'invalid_request_error') };
    },
  };
}

const minimal = ['model', 'messages', 'stream', 'stream_options'];
function redirects(status: number, to: (call: Call) => string): How {
  return { answer: (call) => ({ status, headers: { location: to(call) } }) };
}

/** The path of a request, with its fault prefix and the query `moved`. */
function moved({ exchange }: Call): string {
  return `${exchange.request.url?.replace(/\?.*$/, '') ?? '/'}?moved`;
}

const foreign = ({ foreignOrigin, exchange }: Call) => `${foreignOrigin}${exchange.url.pathname}`;

/** Sends a reply as a stream or in one body, labelled with this type or with none. */
function labelled(isStream: boolean, type: string | null): How {
  return { isStream, headers: { 'content-type': type } };
}

/** Refusals, errors in other formats than OpenAI's, and answers of another kind than requested. */
export const answerFaults: Rows = {
  ...fixedFaults,
  'rate-limited Q44 429 with Retry-After in seconds': {
    amount: ['seconds', 7],
    answer: ({ amount }) => ({
      status: 429,
      headers: { 'retry-after': String(amount) },
      body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
    }),
  },
  'remapped-status Q54 no balance, under a status an administrator chose': {
    amount: ['status', 418],
    answer: ({ amount }) => ({ status: amount, body: error('用户额度不足, 剩余额度: 0', 'insufficient_user_quota') }),
  },
  'stream-options-rejected Q30 422 while the request holds stream_options, else an answer': {
    on: 'chat',
    answer: ({ body }) => {
      const loc = ['body', 'stream_options'];
      const problem = { type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' };
      return (JSON.parse(body) as LooseBody).stream_options === undefined
        ? undefined
        : { status: 422, body: { object: 'error', message: { detail: [problem] }, code: null } };
    },
  },
  'finish-needs-usage Q29 the finish chunk is dropped unless the request asked for usage': {
    items: (items, { body }) =>
      (JSON.parse(body) as LooseBody).stream_options?.include_usage === true ? items : atFinish(() => [])(items),
  },
  'extra-parameters-rejected Q58 400 for any parameter beyond model, messages and the stream': refusesIf((body) => {
    const extra = Object.keys(body).find((name) => !minimal.includes(name));
    return extra && `Unsupported parameter: '${extra}' is not supported with this model.`;
  }),
  'stream-required Q59 400 for a request without a stream, which thinking models need': refusesIf(({ stream }) =>
    stream === true ? undefined : 'parameter.enable_thinking must be set to false for non-streaming calls',
  ),
  'reasoning-required Q59 400 when the reasoning of an answer is not sent back with tools': refusesIf(
    ({ messages, tools }) =>
      tools !== undefined && messages?.some(({ role, reasoning_content }) => role === 'assistant' && !reasoning_content)
        ? 'The reasoning_content in the thinking mode must be passed back to the API.'
        : undefined,
  ),
  'id-other-header 1.5 the request id is in x-oneapi-request-id': {
    on: 'both',
    before: ({ exchange: { response, requestId } }) => {
      response.removeHeader('x-request-id');
      response.setHeader('x-oneapi-request-id', requestId);
    },
  },
  'empty-stream-200 Q25 an event stream of no bytes under 200; the call is charged': {
    on: 'chat',
    isCharged: true,
    answer: { status: 200, body: '', type: 'text/event-stream' },
  },
  'json-for-stream Q23 one JSON body although a stream was asked for': { isStream: false },
  'stream-for-plain Q24 a stream although one body was asked for': { isStream: true },
  'stream-labelled-json Q21 the stream is labelled application/json': labelled(true, 'application/json'),
  'stream-unlabelled Q21 the stream has no content type': labelled(true, null),
  'json-labelled-stream Q22 one JSON body labelled text/event-stream': labelled(false, 'text/event-stream'),
  'good-under-500 Q37 a whole, good answer under status 500, which is a success': { on: 'both', status: 500 },
  'redirect-foreign Q60 307 to another origin, which records what it gets': redirects(307, foreign),
  'redirect-other-scheme Q60 308 to the same host by https, or by http from https': redirects(308, ({ exchange }) => {
    const { socket, headers } = exchange.request;
    return `${'encrypted' in socket ? 'http' : 'https'}://${headers.host}${exchange.url.pathname}`;
  }),
  'redirect-post-303 Q61 303 to the same origin, which turns a POST into a GET': redirects(303, moved),
  'redirect-same-origin Q60 307 to the same origin once, then the answer': {
    answer: (call) =>
      call.exchange.url.searchParams.has('moved') ? undefined : { status: 307, headers: { location: moved(call) } },
  },
  'redirect-loop Q60 307 to itself, for ever': redirects(307, ({ exchange }) => exchange.request.url ?? '/'),
};
