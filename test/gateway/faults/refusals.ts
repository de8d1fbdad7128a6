import type { Answer, How, Rows } from './fault.ts';
import { atFinish } from './items.ts';

/** Makes an error body as New API gateways send it. */
export function error(message: string, code: unknown = null, type = 'new_api_error'): object {
  return { error: { message, type, param: '', code } };
}

/** Answers with JSON, plain text or nothing. */
export function says(status: number, body?: unknown, headers?: Answer['headers'], type?: string): How {
  return { answer: { status, body, headers, type } };
}

/** A small web page as an answer. */
export function webPage(status: number, title: string, text: string, headers?: Answer['headers']): Answer {
  const body = `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
  return { status, type: 'text/html; charset=utf-8', headers, body };
}

/** Refuses with the wording of gateways that the service is most likely based on; `M` stands for the model. */
function refuses(status: number, words: string, code: unknown = ''): How {
  return {
    answer: ({ model }) => {
      const text = words.replace(/\bM\b/g, model || 'M');
      return { status, body: error(`${text} (request id: 2026112019300012345678)`, code) };
    },
  };
}

function limitsRate(headers: Answer['headers']): How {
  return { answer: rateLimit(headers) };
}

function rateLimit(headers: Answer['headers']): Answer {
  const body = error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests');
  return { status: 429, headers, body };
}

interface LooseBody {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages?: readonly { readonly tool_calls?: unknown; readonly reasoning_content?: unknown }[];
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
const isHonestAgent = (agent: string) =>
  /^[\w.-]+\/\d/.test(agent) && !/^(node|undici|python|curl|mozilla)/i.test(agent);

/** Refused calls: because of the key, the balance, the rate, the model or the request. */
export const refusalFaults: Rows = {
  'key-rejected Q38 401 that does not say why, in Chinese': says(401, error('无效的令牌', '')),
  'balance-empty Q39 402 Insufficient Balance': says(402, error('Insufficient Balance')),
  'balance-empty-403 Q40 403 insufficient_user_quota': says(
    403,
    error('用户额度不足, 剩余额度: 0', 'insufficient_user_quota'),
  ),
  'reservation-too-large Q41 403: the reply limit reserves more than the balance': says(
    403,
    error('chat pre-consumed quota failed, user quota: 12, need quota: 4096', 'insufficient_user_quota'),
  ),
  'balance-empty-429 Q42 429 that means no money': says(
    429,
    error('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
  ),
  'saturated Q42 429: the group\u2019s upstream is saturated': says(429, error('当前分组上游负载已饱和，请稍后再试')),
  'rate-limited Q44 429 with Retry-After in seconds': {
    amount: ['seconds', 7],
    answer: ({ amount }) => rateLimit({ 'retry-after': String(amount) }),
  },
  'rate-limited-date Q44 429 with Retry-After as a date': {
    amount: ['seconds', 7],
    answer: ({ amount }) => rateLimit({ 'retry-after': new Date(Date.now() + amount * 1000).toUTCString() }),
  },
  'rate-limited-ms Q44 429 with retry-after-ms and a Retry-After of hours': limitsRate({
    'retry-after-ms': '1500',
    'retry-after': '86400',
  }),
  'rate-limited-negative Q44 429 with a Retry-After below zero': limitsRate({ 'retry-after': '-5' }),
  'rate-limited-unreadable Q44 429 with a Retry-After that says nothing, and limits in other headers': limitsRate({
    'retry-after': 'soon',
    'x-should-retry': 'false',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '1m30s',
  }),
  'balance-held Q39 402 that passes: other calls hold the balance': says(
    402,
    error('In-flight requests hold the remaining balance.', 'in_flight_budget_exhausted'),
    { 'retry-after': '3' },
  ),
  'empty-429 Q43 429 with an empty body and no Retry-After': says(429),
  'misdirected Q76 421, on which the Fetch standard sends a request a second time': says(
    421,
    error('Misdirected Request'),
  ),
  'no-channel Q46 503: no channel for the model in this group': {
    answer: ({ model }) => ({
      status: 503,
      body: error(`No available channel for model ${model} under group default (distributor)`, 'model_not_found'),
    }),
  },
  'context-too-long Q50 400 context_length_exceeded': says(
    400,
    error(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      'context_length_exceeded',
      'invalid_request_error',
    ),
  ),
  'context-too-long-llama Q50 400 exceed_context_size_error, its code the status': says(400, {
    error: {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9000,
      n_ctx: 8192,
    },
  }),
  'context-too-long-text Q50 413 with words alone': says(
    413,
    'The prompt is too long: 9000 tokens > 8192 maximum',
    undefined,
    'text/plain',
  ),
  'invalid-url Q51 404 Invalid URL': {
    answer: ({ exchange: { request, url } }) => ({
      status: 404,
      body: error(`Invalid URL (${request.method} ${url.pathname})`, '', 'invalid_request_error'),
    }),
  },
  'unsupported-parameter Q58 400 unsupported parameter': says(400, {
    error: {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_parameter',
    },
  }),
  'key-missing Q38 401 in the words for no key': refuses(401, '未提供令牌'),
  'key-invalid Q38 401 Invalid token, whatever is wrong with the key': refuses(401, 'Invalid token'),
  'key-expired Q38 401: the key is past its date, in Chinese': refuses(401, '该令牌已过期'),
  'key-disabled Q38 401: the key is disabled': refuses(401, 'This token status is unavailable'),
  'key-exhausted Q38 401: the key is used up, in Chinese': refuses(401, '令牌 demo（#7）额度已用尽'),
  'key-check-failed Q38 401 although the fault is the server’s: its database failed': refuses(
    401,
    'Invalid token, database query error, please contact administrator',
  ),
  'key-quota-short Q40 403: the key’s own quota does not cover the reservation': refuses(
    403,
    'token quota is not enough, token remain quota: ＄0.002, need quota: ＄0.010',
    'pre_consume_token_quota_failed',
  ),
  'balance-empty-text Q40 403: no balance, known by its words alone': refuses(403, 'user quota is not enough'),
  'model-denied Q40 403: this key may not use the model': refuses(403, 'This token has no access to model M'),
  'model-denied-chinese Q40 403: the same in Chinese': refuses(403, '该令牌无权使用模型：M'),
  'group-denied Q40 403: the group is not open': refuses(403, 'No permission to access this group'),
  'group-retired Q40 403: the group was given up, in Chinese': refuses(403, '分组 vip 已被弃用'),
  'user-banned Q40 403: the account is banned': refuses(403, 'User has been banned'),
  'ip-denied Q40 403: the address is not on the list': refuses(403, '您的 IP 不在令牌允许访问的列表中'),
  'channel-denied Q40 403: a key with a channel suffix': refuses(403, '普通用户不支持指定渠道'),
  'moderated Q40 400: the prompt was refused': refuses(400, 'sensitive words detected', 'sensitive_words_detected'),
  'balance-empty-moonshot Q42 429 exceeded_current_quota_error, which means no money': refuses(
    429,
    'Your account is not active, exceeded current quota',
    'exceeded_current_quota_error',
  ),
  'budget-exceeded Q42 400 budget_exceeded': refuses(
    400,
    'Budget has been exceeded! Max budget: 1.0',
    'budget_exceeded',
  ),
  'request-limit Q42 429: so many requests in so many minutes, in Chinese': refuses(
    429,
    '您已达到请求数限制：1分钟内最多请求3次',
  ),
  'model-unknown Q51 404 model_not_found': refuses(404, 'The model `M` does not exist', 'model_not_found'),
  'no-channel-chinese Q46 503: no channel, known by its words alone': refuses(
    503,
    '当前分组 default 下对于模型 M 无可用渠道',
  ),
  'price-missing 3.3 500: no price for the model': refuses(
    500,
    '模型 M 倍率或价格未配置；Model M ratio or price not set, please contact administrator to set',
    'model_price_error',
  ),
  'channel-broken 3.3 500: the key of the channel behind it is not good': refuses(
    500,
    'channel key is invalid',
    'channel:invalid_key',
  ),
  'no-model-named 3.3 400: no model in the request': refuses(
    400,
    'Model name not specified, model name cannot be empty',
  ),
  'remapped-status Q54 no balance, under a status an administrator chose': {
    amount: ['status', 418],
    answer: ({ amount }) => ({
      status: amount,
      body: error('用户额度不足, 剩余额度: 0', 'insufficient_user_quota'),
    }),
  },
  'localized-error Q56 the message follows Accept-Language': {
    answer: ({ exchange }) => {
      const isEnglish = /^en\b/i.test(String(exchange.request.headers['accept-language'] ?? ''));
      return { status: 401, body: error(isEnglish ? 'Invalid token' : '无效的令牌', '') };
    },
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
  'reasoning-required Q59 400 when the reasoning before a tool call is not sent back': refusesIf(({ messages }) =>
    messages?.some((message) => message.tool_calls !== undefined && message.reasoning_content === undefined)
      ? 'The reasoning_content in the thinking mode must be passed back to the API.'
      : undefined,
  ),
  'agent-blocked Q79 403 with a Cloudflare page for a User-Agent that is no honest name/version': {
    answer: ({ exchange }) =>
      isHonestAgent(exchange.request.headers['user-agent'] ?? '')
        ? undefined
        : webPage(403, 'Attention Required! | Cloudflare', 'Error 1010: browser_signature_banned', {
            'cf-ray': '8a1b2c3d4e5f-FRA',
          }),
  },
};
