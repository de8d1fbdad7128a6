import type { Fault } from '../fault.ts';
import { answer, error } from './cannedAnswer.ts';

/** Refused calls: because of the key, the balance, the rate, the model or the request. */
export const rejectionFaults: readonly Fault[] = [
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
  answer('rate-limited-ms', 'Q44', '429 with retry-after-ms and a Retry-After of hours', {
    status: 429,
    headers: { 'retry-after-ms': '1500', 'retry-after': '86400' },
    body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
  }),
  answer('balance-held', 'Q39', '402 that passes: other calls hold the balance', {
    status: 402,
    headers: { 'retry-after': '3' },
    body: error('In-flight requests hold the remaining balance.', 'in_flight_budget_exhausted'),
  }),
  answer('empty-429', 'Q43', '429 with an empty body and no Retry-After', { status: 429 }),
  answer('misdirected', 'Q76', '421, on which the Fetch standard sends a request a second time', {
    status: 421,
    body: error('Misdirected Request'),
  }),
  answer('no-channel', 'Q46', '503: no channel for the model in this group', ({ model }) => ({
    status: 503,
    body: error(`No available channel for model ${model} under group default (distributor)`, 'model_not_found'),
  })),
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
  answer('rate-limited-negative', 'Q44', '429 with a Retry-After below zero', {
    status: 429,
    headers: { 'retry-after': '-5' },
    body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
  }),
  answer('rate-limited-unreadable', 'Q44', '429 with a Retry-After that says nothing, and limits in other headers', {
    status: 429,
    headers: {
      'retry-after': 'soon',
      'x-should-retry': 'false',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m30s',
    },
    body: error('Rate limit reached: too many requests.', 'rate_limit_exceeded', 'requests'),
  }),
  answer('context-too-long-llama', 'Q50', '400 exceed_context_size_error, its code the status', {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      },
    },
  }),
  answer('context-too-long-text', 'Q50', '413 with words alone', {
    status: 413,
    type: 'text/plain',
    body: 'The prompt is too long: 9000 tokens > 8192 maximum',
  }),
];
