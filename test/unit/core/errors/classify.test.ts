import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advice } from '../../../../src/core/errors/advice.ts';
import { type AnswerFacts, classify, readRetryAfter, requestIdOf } from '../../../../src/core/errors/classify.ts';
import { type ErrorFacts, readErrorBody } from '../../../../src/core/errors/errorBody.ts';
import { type GatewayProblem, mayBeCharged, type ProblemKind } from '../../../../src/core/errors/gatewayProblem.ts';
import { networkProblem } from '../../../../src/core/errors/networkProblem.ts';
import { ConnectError, ProxyError } from '../../../../src/core/network/networkErrors.ts';
import { everyKind } from './everyKind.ts';

const answer = (status: number, headers: Record<string, string> = {}): AnswerFacts => ({
  status,
  headers,
  secrets: [],
  now: Date.parse('2026-11-01T00:00:00Z'),
});
const kindOf = (status: number, message?: string, code?: string, type?: string): ProblemKind =>
  classify({ message, code, type }, answer(status)).kind;

/** Messages of the gateways that the service most likely resembles, in both languages (wire 3.3). */
const texts: readonly (readonly [status: number, code: string, message: string, kind: ProblemKind])[] = [
  [401, '', "You didn't provide an API key.", 'keyRejected'],
  [401, 'invalid_api_key', 'Incorrect API key provided: sk-abc***xyz', 'keyRejected'],
  [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'keyRejected'],
  [401, '', '令牌验证失败', 'gatewayDown'],
  [401, '', 'This token has expired', 'keyExpired'],
  [401, '', 'Your API key has expired', 'keyExpired'],
  [401, '', '该令牌状态不可用', 'keyDisabled'],
  [401, '', 'This API key was revoked', 'keyDisabled'],
  [401, '', '该令牌额度已用尽 TokenStatusExhausted[sk-abc***xyz]', 'keyExhausted'],
  [401, '', '[sk-abc***xyz] 该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = 0', 'keyExhausted'],
  [401, '', 'This token quota is exhausted TokenStatusExhausted[sk-abc***xyz]', 'keyExhausted'],
  [403, '', '令牌额度不足', 'keyExhausted'],
  [403, '', '预扣费额度失败, 用户剩余额度: 1, 需要预扣费额度: 2', 'balanceEmpty'],
  [400, 'Arrearage', 'Access denied, please make sure your account is in good standing.', 'balanceEmpty'],
  [402, 'in_flight_budget_exhausted', 'wait', 'rateLimited'],
  [403, '', '该令牌无权访问模型 m', 'modelDenied'],
  [403, 'access_denied', 'This token has no access to model m', 'modelDenied'],
  [403, '', '该令牌无权访问任何模型', 'modelDenied'],
  [403, '', '无权访问 vip 分组', 'modelDenied'],
  [403, '', '令牌分组 vip 已被禁用', 'modelDenied'],
  [503, 'model_not_found', '当前分组 default 下对于模型 m 无可用渠道', 'modelDenied'],
  [503, '', '当前分组 default 下对于模型 m 无可用渠道（数据库一致性已被破坏）', 'modelDenied'],
  [
    503,
    'get_channel_failed',
    'Failed to get available channel for model m under group default (distributor): x',
    'gatewayDown',
  ],
  [503, '', '数据库一致性已被破坏，请联系管理员', 'gatewayDown'],
  [200, 'model_not_found', "The model 'x' does not exist", 'modelUnknown'],
  [404, '', 'model "x" not found, try pulling it first', 'modelUnknown'],
  [403, '', '用户已被封禁', 'accessDenied'],
  [403, '', '该令牌只能在指定网段使用：10.0.0.0/8，当前 ip：1.2.3.4', 'accessDenied'],
  [429, '', 'Current group upstream load is saturated, please try again later', 'rateLimited'],
  [403, '', '您已达到请求数限制：1分钟内最多请求5次', 'rateLimited'],
  [200, '', '您已达到总请求数限制：1分钟内最多请求5次，包括失败次数', 'rateLimited'],
  [200, '', 'You have reached the request limit: maximum 5 requests in 1 minutes', 'rateLimited'],
  [429, '', '', 'rateLimited'],
  [400, 'prompt_blocked', 'x', 'contentFiltered'],
  [400, 'content_filter', 'x', 'contentFiltered'],
  [400, 'context_length_exceeded', 'x', 'contextTooLong'],
  [400, '', 'prompt is too long: 210000 tokens > 200000 maximum', 'contextTooLong'],
  [404, '', '', 'wrongAddress'],
  [405, '', '', 'wrongAddress'],
  [408, '', '', 'gatewayTimedOut'],
  [408, '', 'Request Timeout', 'gatewayTimedOut'],
  [500, '', 'upstream request: DeadlineExceeded, context deadline exceeded', 'gatewayTimedOut'],
  [200, '', '请求超时', 'gatewayTimedOut'],
  [200, '504', 'upstream timed out', 'gatewayTimedOut'],
  [502, '', 'upstream request timeout', 'gatewayTimedOut'],
  [400, 'upstream_timeout', 'The upstream timed out', 'gatewayTimedOut'],
  [401, '', 'Your session timed out. Please log in again.', 'keyRejected'],
  [401, '', 'Authentication timeout', 'keyRejected'],
  [200, '401', '登录超时', 'keyRejected'],
  [402, '', 'Payment timed out', 'balanceEmpty'],
  [403, '', 'token time-out', 'accessDenied'],
  [400, '', "Invalid value for 'timeout': must be a number", 'requestRejected'],
  [413, '', 'body read timeout', 'requestTooLarge'],
  [429, '', 'Upstream request timeout, please slow down', 'rateLimited'],
  [407, '', '', 'proxy'],
  [407, '', '无效的令牌', 'keyRejected'],
  [400, '', "Unsupported parameter: 'stream_options' is not supported with this model.", 'usageOptionRejected'],
  [200, '402', 'pay', 'balanceEmpty'],
  [200, '429', 'slow down', 'rateLimited'],
  [200, '', 'something else', 'gatewayDown'],
];

for (const [status, code, message, kind] of texts) {
  test(`Q38–Q58 classifies ${status} ${code} ${JSON.stringify(message)} as ${kind}`, () => {
    assert.equal(kindOf(status, message, code), kind);
    // The same for the whole body, as it arrives.
    const facts = readErrorBody({ error: { message, type: 'new_api_error', code } });
    assert.ok(facts);
    assert.equal(classify(facts, answer(status)).kind, kind);
  });
}

test('reads no list of the fields that a gateway knows as a rejection of one of them (BerriAI/litellm#14225)', () => {
  const known = 'expected one of `messages`, `model`, `stream`, `stream_options`';
  assert.equal(kindOf(400, `unknown field \`thinking\`, ${known}`), 'requestRejected');
  assert.equal(kindOf(422, `unknown field \`stream_options\`, ${known}`), 'usageOptionRejected');
});

test('advises about the address, the model or the key whose error has a status of something else (aws/chalice#12, open-webui/open-webui#15356, NousResearch/hermes-agent#45243)', () => {
  for (const [status, message, kind] of [
    [403, 'Missing Authentication Token', 'wrongAddress'],
    [401, 'Invalid or missing authentication token.', 'keyRejected'],
    [404, 'This model is only supported in v1/responses and not in v1/chat/completions.', 'modelUnknown'],
    [429, 'API key budget limit exceeded (daily limit)', 'keyExhausted'],
  ] as const) {
    assert.equal(kindOf(status, message), kind);
  }
});

test('keeps the delay of a rate limit when its message mentions a time-out', () => {
  const message = 'Upstream request timeout, please slow down';
  assert.deepEqual(classify({ message }, answer(429, { 'retry-after': '20' })), {
    kind: 'rateLimited',
    status: 429,
    words: message,
    retryAfterMs: 20_000,
  });
});

test('Q42 goes by the type when the code is only a number', () => {
  assert.equal(kindOf(400, 'Budget has been exceeded!', '400', 'budget_exceeded'), 'balanceEmpty');
  assert.equal(kindOf(400, 'x', '400', 'exceed_context_size_error'), 'contextTooLong');
});

/** One row for each shape of body (wire 1.6), with the message and the code to be found. */
const bodies: readonly (readonly [body: unknown, expected: ErrorFacts | undefined])[] = [
  [
    { error: { message: 'no (request id: r-1)', type: 'new_api_error', code: '' } },
    { message: 'no (request id: r-1)', requestId: 'r-1' },
  ],
  [
    { error: { message: 'no', type: 'upstream_error', param: '', code: null } },
    { message: 'no', code: 'upstream_error' },
  ],
  [{ error: { message: 'no', type: 'one_api_error' } }, { message: 'no' }],
  [{ error: { message: 'no', type: 'new_api_panic' } }, { message: 'no', code: 'new_api_panic' }],
  [{ success: false, message: 'no' }, { message: 'no' }],
  [
    { error: { code: 402, message: 'no', metadata: { raw: 'x' } }, user_id: 'u' },
    { message: 'no: x', code: '402' },
  ],
  [
    { error: { code: 400, message: 'no', type: 'exceed_context_size_error' } },
    { message: 'no', code: '400', type: 'exceed_context_size_error' },
  ],
  [
    { error: { message: 'no', type: 'None', param: 'None', code: '429' } },
    { message: 'no', code: '429', type: 'None' },
  ],
  [{ status: 'failure', message: 'no' }, { message: 'no' }],
  [
    { object: 'error', message: 'no', type: 'BadRequest', code: 40001 },
    { message: 'no', code: '40001', type: 'BadRequest' },
  ],
  [
    { object: 'error', message: { detail: [{ type: 'extra', loc: ['body', 'x'], msg: 'not permitted' }] }, code: null },
    { message: 'body.x: not permitted' },
  ],
  [{ detail: 'Not Found' }, { message: 'Not Found' }],
  [{ detail: [{ loc: ['body', 0, 'x'], msg: 'one' }, { msg: 'two' }] }, { message: 'body.0.x: one; two' }],
  [{ detail: { error: 'no' } }, { message: 'no' }],
  [
    { type: 'error', error: { type: 'overloaded_error', message: 'no' }, request_id: 'q' },
    { message: 'no', code: 'overloaded_error', requestId: 'q' },
  ],
  [[{ error: { code: 429, message: 'no', status: 'RESOURCE_EXHAUSTED' } }], { message: 'no', code: '429' }],
  [{ error: { message: '{"error":{"message":"{\\"message\\":\\"deep\\"}"}}' } }, { message: 'deep' }],
  [{ error: { message: '{ not json' } }, { message: '{ not json' }],
  [{ success: false, msg: 'no' }, { message: 'no' }],
  [{ success: false, error_msg: 'no' }, { message: 'no' }],
  [{ error: 'invalid', error_description: 'why' }, { message: 'invalid: why' }],
  [{ success: false, header: { message: 'no' } }, { message: 'no' }],
  [{ success: false, response: { error: { message: 'no' } } }, { message: 'no' }],
  [{ 'html-message': 'no' }, { message: 'no' }],
  [
    { code: 'Arrearage', message: 'no', request_id: 'q' },
    { message: 'no', code: 'Arrearage', requestId: 'q' },
  ],
  [
    { error: true, status: 401, message: 'no' },
    { message: 'no', code: '401' },
  ],
  [
    { error: 404, message: 'no' },
    { message: 'no', code: '404' },
  ],
  [{ error: [{ message: 'one' }, { message: 'two' }] }, { message: 'one; two' }],
  [{ error: {} }, {}],
  [{ code: 500 }, { code: '500' }],
  [{ success: false, error: null, message: 'no' }, { message: 'no' }],
  // No failures
  [{ error: null }, undefined],
  [{ error: '' }, undefined],
  [{ error: {}, choices: [{ message: {} }] }, undefined],
  [{ error: {}, choices: [] }, undefined],
  [{ code: 0, scode: '0x0', status: true, data: {} }, undefined],
  [{ code: '200', message: 'success' }, undefined],
  [{ code: true, message: 'ok' }, undefined],
  [{ id: 'c', choices: [{}], code: 7, message: 'x' }, undefined],
  [{ object: 'list', data: [] }, undefined],
  [[], undefined],
  [[{ id: 'a', error: null }], undefined],
  [null, undefined],
  [undefined, undefined],
];

for (const [body, expected] of bodies) {
  test(`reads ${JSON.stringify(body)} as ${expected ? 'a failure' : 'no failure'}`, () => {
    assert.deepEqual(readErrorBody(body), expected);
  });
}

test('gives up on an error that is nested too deeply', () => {
  let body: unknown = 'deep';
  for (let level = 0; level < 5_000; level++) {
    body = { error: body };
  }
  assert.deepEqual(readErrorBody(body), {});
});

test('Q44 reads Retry-After in every form, and ignores implausible values', () => {
  const now = Date.parse('2026-11-01T00:00:00Z');
  for (const [headers, expected] of [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Sun, 01 Nov 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'x-ms-retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': '99999999' }, 86_400_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': ' ', 'retry-after': ' ' }, undefined],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': 'Sat, 31 Oct 2026 00:00:00 GMT' }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][]) {
    assert.equal(readRetryAfter(headers, now), expected, JSON.stringify(headers));
  }
});

test('takes the request id that the gateway’s own support asks for', () => {
  assert.equal(requestIdOf({ 'cf-ray': 'c', 'x-request-id': 'b', 'x-oneapi-request-id': 'a' }), 'a');
  assert.equal(requestIdOf({ 'cf-ray': 'c', 'x-request-id': ' ' }), 'c');
  assert.equal(requestIdOf({}), undefined);
});

test('cuts the gateway’s message to 2 KB', () => {
  assert.equal(classify({ message: 'x'.repeat(100_000) }, answer(500)).words?.length, 2_048);
});

test('Q64, Q68, Q70 and Q71 find the reason for a missing response in the error’s code, at any depth', () => {
  const thrown = (code: string, more: object = {}) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code, ...more }) });
  const noTls = 'Client network socket disconnected before secure TLS connection was established';
  const unsent = (code: string, more: object = {}) =>
    new ConnectError(Object.assign(new Error('x'), { code, ...more }));
  for (const [error, kind, cause] of [
    [thrown('ENOTFOUND'), 'unreachable', 'dns'],
    [thrown('ECONNREFUSED'), 'unreachable', 'refused'],
    [new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]), 'unreachable', 'refused'],
    [thrown('ETIMEDOUT', { syscall: 'connect' }), 'unreachable', 'network'],
    [thrown('ETIMEDOUT', { syscall: 'read' }), 'cut', undefined],
    [thrown('EHOSTUNREACH', { syscall: 'read' }), 'cut', undefined],
    [thrown('UND_ERR_CONNECT_TIMEOUT'), 'unreachable', 'network'],
    [thrown('UND_ERR_SOCKET'), 'cut', undefined],
    [thrown('ECONNRESET'), 'cut', undefined],
    // raycast/extensions#6834, waylaidwanderer/node-chatgpt-api#376
    [thrown('ECONNRESET', { message: noTls }), 'unreachable', 'network'],
    [thrown('HPE_INVALID_CONSTANT'), 'unreadable', undefined],
    [thrown('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate', undefined],
    [thrown('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate', undefined],
    [unsent('EPROTO', { syscall: 'write' }), 'certificate', undefined],
    [Object.assign(new Error('x'), { code: 'EPROTO', syscall: 'write' }), 'cut', undefined],
    [unsent('ECONNRESET', { syscall: 'read' }), 'unreachable', 'network'],
    [unsent('UND_ERR_SOCKET'), 'unreachable', 'network'],
    [unsent('ERR_SSL_WRONG_VERSION_NUMBER'), 'certificate', undefined],
    [thrown('ERR_SSL_WRONG_VERSION_NUMBER'), 'cut', undefined],
    [thrown('ERR_STREAM_PREMATURE_CLOSE'), 'cut', undefined],
    [new ProxyError({ proxy: 'p:1', setting: 'http.proxy', cause: 'refused' }), 'proxy', 'refused'],
    [
      new TypeError('x', { cause: new Error('Proxy response (407) !== 200 when HTTP Tunneling') }),
      'proxy',
      'authentication',
    ],
    [new TypeError('x', { cause: new Error('Proxy response (502) !== 200 when HTTP Tunneling') }), 'proxy', 'refused'],
    [new Error('who knows'), 'unreachable', 'network'],
    ['a string', 'unreachable', 'network'],
    [undefined, 'unreachable', 'network'],
  ] as [unknown, ProblemKind, string | undefined][]) {
    const problem = networkProblem(error, 'h', []);
    assert.deepEqual([problem.kind, 'cause' in problem ? problem.cause : undefined], [kind, cause], String(error));
    assert.ok(!(error instanceof ConnectError) || !mayBeCharged(problem, false), String(error));
  }
  const cyclic = new Error('a');
  cyclic.cause = cyclic;
  assert.equal(networkProblem(cyclic, 'h', []).kind, 'unreachable');
  assert.doesNotMatch(
    JSON.stringify(
      networkProblem(new TypeError('Invalid header value: Bearer hunter2hunter2'), 'h', ['hunter2hunter2']),
    ),
    /hunter/,
  );
});

test('reports the time limits of fetch as time-outs and not as cut connections', () => {
  for (const [code, timer] of [
    ['UND_ERR_HEADERS_TIMEOUT', 'firstByte'],
    ['UND_ERR_BODY_TIMEOUT', 'idle'],
  ] as const) {
    const cause = Object.assign(new Error('Timeout'), { code });
    for (const error of [new TypeError('fetch failed', { cause }), new TypeError('terminated', { cause }), cause]) {
      assert.deepEqual(networkProblem(error, 'h', []), { kind: 'timedOut', timer, limitMs: 300_000, code });
    }
  }
  const timedOut = { kind: 'timedOut', timer: 'firstByte', limitMs: 300_000 } as const;
  assert.match(advice(timedOut, { host: 'h', model: 'm' }).remedy, /5 minutes/);
});

test('keeps the proxy’s address, its setting and the code of the cause in a proxy’s problem', () => {
  const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  const facts = { proxy: 'p:3128', setting: 'HTTPS_PROXY', cause: 'unreachable' } as const;
  assert.deepEqual(networkProblem(new TypeError('x', { cause: new ProxyError(facts, cause) }), 'h', []), {
    kind: 'proxy',
    cause: 'unreachable',
    proxy: 'p:3128',
    setting: 'HTTPS_PROXY',
    code: 'ECONNREFUSED',
    mayHaveRun: true,
  });
  const unsent = networkProblem(new ConnectError(new ProxyError(facts, cause)), 'h', []);
  assert.ok(unsent.kind === 'proxy' && unsent.mayHaveRun === undefined);
});

test('explains each certificate and proxy problem differently, and suggests no weaker checks', () => {
  const certificates = [
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
  ].map((detail) => ({ kind: 'certificate' as const, detail }));
  const proxies = (['authentication', 'refused', 'unreachable', 'certificate', 'setting'] as const).map((cause) => ({
    ...everyKind.proxy,
    cause,
  }));
  const all = [...certificates, ...proxies].map((problem) => advice(problem, { host: 'gate.example' }));
  assert.equal(new Set(all.map(({ remedy }) => remedy)).size, all.length);
  for (const { title, remedy, action } of all) {
    assert.match(action, /^(?:checkConnection|proxySettings)$/);
    assert.doesNotMatch(title + remedy, /strict|disable|turn off|ignore|reject/i);
  }
  const { remedy } = advice(everyKind.proxy, { host: 'h' });
  assert.match(remedy, /http\.proxyAuthorization.*askModel\.network\.transport to host/);
});

test('Q41 distinguishes a reservation that is too large from an empty balance', () => {
  for (const [message, code, kind, isReserved] of [
    [
      'chat pre-consumed quota failed, user quota: ＄0.50, need quota: ＄1.20',
      'insufficient_user_quota',
      'balanceEmpty',
      true,
    ],
    [
      'chat pre-consumed quota failed, user quota: 0, need quota: 12',
      'insufficient_user_quota',
      'balanceEmpty',
      undefined,
    ],
    ['预扣费额度失败, 用户剩余额度: ＄0.100000, 需要预扣费额度: ＄0.500000', '', 'balanceEmpty', true],
    ['预扣费额度失败，用户剩余额度：100，需要预扣费额度：500', '', 'balanceEmpty', true],
    ['预扣费额度失败, 用户剩余额度: 0, 需要预扣费额度: 5', '', 'balanceEmpty', undefined],
    [
      'token quota is not enough, token remain quota: 5, need quota: 10',
      'pre_consume_token_quota_failed',
      'keyExhausted',
      true,
    ],
    [
      'token quota is not enough, token remain quota: 0, need quota: 10',
      'pre_consume_token_quota_failed',
      'keyExhausted',
      undefined,
    ],
    [
      'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 120.',
      '402',
      'balanceEmpty',
      true,
    ],
    ['Prompt tokens limit exceeded: 64128 > 6964 (continuedev/continue#11227)', '402', 'balanceEmpty', true],
    [
      'More credits are required. 128000 token capacity required, 19484 available (tailcallhq/forgecode#571)',
      '402',
      'balanceEmpty',
      true,
    ],
    ['more credits, or fewer max_tokens, but can only afford 0 (opencode#12219)', '402', 'balanceEmpty', undefined],
    ['user quota is not enough', 'insufficient_user_quota', 'balanceEmpty', undefined],
    ['用户额度不足, 剩余额度: ＄0.1', 'insufficient_user_quota', 'balanceEmpty', undefined],
    ['user quota: many, need quota: more', 'insufficient_quota', 'balanceEmpty', undefined],
  ] as const) {
    const problem = classify({ message, code }, answer(code === '402' ? 402 : 403));
    assert.deepEqual(
      [problem.kind, 'isReserved' in problem ? problem.isReserved : undefined],
      [kind, isReserved],
      message,
    );
    const { remedy } = advice(problem, { host: 'h' });
    assert.equal(/token limit/.test(remedy), isReserved === true, message);
  }
});

test('has a title, a remedy and one action for every kind of problem', () => {
  const problems: GatewayProblem[] = [
    ...Object.values(everyKind),
    ...(['firstByte', 'idle', 'payload', 'total'] as const).map((timer) => ({
      kind: 'timedOut' as const,
      timer,
      limitMs: 5_000,
    })),
    ...(['dns', 'refused', 'network'] as const).map((cause) => ({ kind: 'unreachable' as const, host: 'h', cause })),
    ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'x'].map((detail) => ({
      kind: 'certificate' as const,
      detail,
    })),
    { kind: 'rateLimited' },
    { kind: 'balanceEmpty', isReserved: true },
    { kind: 'keyExhausted', isReserved: true },
  ];
  for (const problem of problems) {
    for (const context of [{}, { model: 'm' }, { model: 'm', hasArrived: true }]) {
      const { title, remedy, action } = advice(problem, { host: 'h', ...context });
      assert.ok(title.length > 5 && remedy.length > 5 && action.length > 3, problem.kind);
      assert.doesNotMatch(title + remedy, /undefined|NaN|\[object/, problem.kind);
      assert.doesNotMatch(title + remedy, /charge/i, 'those who show the advice add that');
    }
  }
});

test('mentions no reply, charge or other model when the model list could not be read', () => {
  const problems: GatewayProblem[] = [
    { kind: 'gatewayDown' },
    { kind: 'gatewayTimedOut' },
    { kind: 'rateLimited' },
    { kind: 'rateLimited', retryAfterMs: 90_000 },
    { kind: 'timedOut', timer: 'firstByte', limitMs: 60_000 },
    { kind: 'cut' },
    { kind: 'emptyReply' },
  ];
  for (const problem of problems) {
    const { title, remedy } = advice(problem, { host: 'gateway.example' });
    assert.doesNotMatch(`${title} ${remedy}`, /reply|charge|paid|model may have|another model|send/i, problem.kind);
  }
  assert.match(advice({ kind: 'rateLimited', retryAfterMs: 90_000 }, { host: 'h' }).remedy, /90 seconds/);
});
