import { redactedStart } from '../secrets/redact.ts';
import type { ErrorFacts } from './errorBody.ts';
import type { Evidence, GatewayProblem, ProblemKind, ProblemOf } from './gatewayProblem.ts';

/** Kinds that a failing response can be classified as: those whose other fields are all optional. */
type AnsweredKind = { [Kind in ProblemKind]: { kind: Kind } extends ProblemOf<Kind> ? Kind : never }[ProblemKind];

type Rules = readonly (readonly [AnsweredKind, RegExp])[];

/** Exact codes come first (wire 3.3): they are the least ambiguous part of a response. */
const byCode: Rules = [
  ['keyRejected', /^(?:invalid_api_key|authentication_error)$/i],
  ['keyExpired', /^(?:expired_api_key|key_expired|token_expired)$/i],
  ['keyDisabled', /^key_disabled$/i],
  ['keyExhausted', /^(?:pre_consume_token_quota_failed|key_quota_exhausted)$/i],
  ['balanceEmpty', /^(?:insufficient_(?:user_quota|quota|balance)|exceeded_current_quota_error)$/i],
  ['balanceEmpty', /^(?:budget_exceeded|setlimitexceeded|arrearage)$/i],
  ['modelDenied', /^model_not_allowed$/i],
  ['modelUnknown', /^(?:model_not_found|deploymentnotfound)$/i],
  ['rateLimited', /^(?:rate_limit_exceeded|rate_limit_error|in_flight_budget_exhausted|resource_exhausted)$/i],
  ['contextTooLong', /^(?:context_length_exceeded|exceed_context_size_error|tokens_limit_reached)$/i],
  ['contentFiltered', /^(?:content_filter|content_policy_violation|sensitive_words_detected|prompt_blocked)$/i],
  ['requestTooLarge', /^request_too_large$/i],
  ['gatewayTimedOut', /^(?:(?:request|gateway|upstream)_timeout|deadline_exceeded|channel:response_time_exceeded)$/i],
  ['gatewayDown', /^channel:invalid_key$/i],
];

/** Words that say more than the code that comes with them (wire Q46, Q50). */
const beforeCode: Rules = [
  ['modelDenied', /无可用渠道|no available channel/i],
  // Of the gateway's own account or per minute: the codes with them say that a balance is empty.
  ['rateLimited', /load is saturated|负载已饱和|(?<!free )allocated quota exceeded|error-code#token-limit/i],
  // As `rate_limit_exceeded`, though no wait makes this request smaller.
  ['contextTooLong', /request too large for \S{0,20}.{0,200}tokens|tokens must be reduced/i],
];

/** Then messages, English and Chinese (wire 3.3). The order matters: a failed key lookup is not a bad key. */
const byWords: Rules = [
  // A list of the fields that are known names them too.
  ['usageOptionRejected', /^(?:(?!expected one of)[\s\S])*(?:stream_options|include_usage)/i],
  ['gatewayDown', /database query error|令牌验证失败|no (?:available accounts|auth available)|没有可用账/i],
  ['keyExpired', /(?:令牌|key|密钥) ?已过期|token (?:has )?expired|key[^.]{0,40}\bexpired|expired key/i],
  [
    'keyExhausted',
    /令牌.{0,100}额度已用尽|(?:key|密钥) ?额度已用[尽完]|TokenStatusExhausted|token quota is (?:exhausted|not enough)|令牌额度不足|token_quota_exhausted|key(?:'s)? quota|key (?:budget )?limit exceeded|quota of (?:this|the|your) (?:api )?key/i,
  ],
  [
    'keyDisabled',
    /令牌状态不可用|token status is unavailable|key[^.]{0,40}\b(?:disabled|revoked)|key is (?:blocked|not enabled)/i,
  ],
  [
    'accessDenied',
    /用户已被封禁|(?:user|organization) has been (?:banned|disabled|restricted)|matching your (?:guardrail restrictions and )?data policy|不在令牌允许访问的列表|只能在指定网段使用|no permission to access data|\bip\b[^.]{0,40} not allowed/i,
  ],
  [
    'rateLimited',
    /rate ?limit|(?:request|usage) limit|too many requests|ThrottlingException|overloaded|per[ _]?(?:second|min|hour|day)|\b[RT]P[MD]\b|(?:retry|try again) in \d|call volume quota|请求数限制|频率|限流|限速|并发|请求过[于多快]|访问量过大/i,
  ],
  [
    'balanceEmpty',
    /(?:[余餘额額][额額度]|积分)不足|[额額]度(?:已|超|用|耗)|(?:余额|套餐|订阅)已|欠费|(?:insufficient|enough)[ _].{0,20}(?:balance|quota|credits?|funds)|credits? .{0,20}depleted|credit limit|spending (?:limit|cap)|billing (?:hard|details)|in arrears|\bnon? active subscription|requires a subscription|subscription (?:has )?expired|balance is (?:insufficient|not enough|too low)|overdue (?:balance|account)|payment is past due|free allocation|credit balance|(?:more|any|out of) credits|free tier .{0,40}exhausted|budget has been exceeded|exceededbudget|quota[ _](?:has been |is )?(?:exceeded|exhausted)|exceeded (?:your|the) .{0,20}quota|good standing|user quota is not enough|pre-consumed quota failed|预扣费额度失败|wallet is empty|valid credit card/i,
  ],
  [
    'modelDenied',
    /无权(?:访问|使用).{0,100}模型|模型.{0,100}未开通|暂未开放.{0,40}权限|location is not supported|(?:have|no) access to (?:the |this |any )?model|access to model denied|model access (?:is )?denied|not allowed (?:to access model|for this provider)|not activated the model|organization must be verified|not available in your (?:region|country)|region,? or territory not supported|not allowed for this virtual key|无权访问.{0,100}分组|分组.{0,100}已被(?:弃用|禁用)|permission to access this group/i,
  ],
  [
    'modelUnknown',
    /model[ _]not[ _](?:found|exist)|targeted an endpoint that does not exist|on-demand throughput|(?:unknown|invalid|incorrect|unavailable|no such) model|^model: \S+ not_found_error|model .{0,200}(?:does not exist|not exist|not found|not supported|no longer available|is not a (?:chat )?model|decommissioned|been retired)|^model disabled|is not a valid model|model is only supported in v1\/|not found for account|no (?:allowed )?(?:endpoints|providers) (?:found|(?:are )?available)|模型.{0,100}(?:不存在|未找到|已下线)|(?:不存在|未找到|无效|不支持)的?模型/i,
  ],
  [
    'keyRejected',
    /无效的令牌|未提供令牌|token not provided|(?:missing|no) (?:an )?(?:api[ _-]?)?key|didn't provide an api key|login fail|authentication (?:error|fail)|invalid (?:token|api[ _-]?key)|(?:token|api[ _-]?key) (?:is )?invalid|(?:key|密钥) ?(?:无效|错误|不存在)|鉴权失败|token ?非法|incorrect api key|api key not valid|unauthori[sz]ed/i,
  ],
  ['requestTooLarge', /payload size|message size \d|(?:entity|payload|body) (?:is )?too large|请求体过大/i],
  [
    'contextTooLong',
    /context[ _]?(?:length|window|size|limit|shift)|\bn_ctx\b|max_tokens must be at least 1, got -|max(?:imum )?(?:_seq_len|context|prompt|input|model len)|`inputs` (?:tokens \+|must have less)|maximum.{0,40}tokens|range of input length|(?:model|max) token limit|token limit exceeded|^token limit|conversation length|reduce (?:the length|your (?:prompt|message|input))/i,
  ],
  ['contextTooLong', /(?:prompt|input|context|conversation|messages|tokens).{0,60}too[ _]long|too many input tokens/i],
  ['contextTooLong', /(?:prompt|input|request|tokens).{0,80}exceed.{0,60}(?:length|tokens|model context|limit of \d)/i],
  [
    'contextTooLong',
    /(?:上下文|输入|輸入|提示词|prompt|消息|内容|对话|文本|tokens?)[^，。]{0,20}(?:[超过過太]长|過長|超[过過出限])|超[过過出][^，。]{0,12}(?:上下文|[长長]度)/i,
  ],
  [
    'contentFiltered',
    /content[ _](?:filter|policy|management)|violates usage guidelines|guardrail (?:checks|policy)|sensitive (?:words|information)|new_sensitive|data_?inspection|inappropriate content|input was flagged|敏感|审核未通过/i,
  ],
  // What Cloudflare sends to API clients instead of a page.
  ['blocked', /^error code: (?:100[5-9]|101[0-3]|1020)\s{0,20}$/i],
  ['gatewayTimedOut', /\btimed[ -]?out\b|\btime-?out\b|deadline exceeded|超时/i],
  ['wrongAddress', /invalid url|no such (?:path|endpoint)|unknown (?:path|endpoint)|missing authentication token/i],
];

/** UTF-16 units of a message that are read to find its kind: its beginning says what it is about. */
const maxClassified = 4_096;

/** With a status below 400: words for a request that is wrong. All else is a failure of the gateway or the vendor. */
const requestFault = /invalid[_ ](?:request|argument|param)|bad[_ ]?request|unsupported|not[_ ]supported/i;

/** The kinds that can end an answer that has begun: key, model and address were accepted before. */
const whileAnswering: ReadonlySet<AnsweredKind> = new Set<AnsweredKind>([
  'balanceEmpty',
  'keyExhausted',
  'rateLimited',
  'contextTooLong',
  'contentFiltered',
  'gatewayTimedOut',
]);

/** Then the status. Others are a failure of the gateway from 500 on, and a wrong request below. */
const byStatus: ReadonlyMap<number, AnsweredKind> = new Map<number, AnsweredKind>([
  [401, 'keyRejected'],
  [402, 'balanceEmpty'],
  [403, 'accessDenied'],
  [404, 'wrongAddress'],
  [405, 'wrongAddress'],
  [408, 'gatewayTimedOut'],
  [413, 'requestTooLarge'],
  [429, 'rateLimited'],
  [431, 'requestTooLarge'],
  [504, 'gatewayTimedOut'],
  [524, 'gatewayTimedOut'],
]);

/** What is known about the response besides its error. */
export type AnswerFacts = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Literal texts that must not be shown. */
  readonly secrets: readonly string[];
  /** Unix milliseconds, for a `Retry-After` that is a date. */
  readonly now: number;
};

/**
 * Classifies a failing response by its code, then its message, then its status: the status alone proves nothing.
 *
 * @param hasBegun a part of the answer arrived before.
 */
export function classify(error: ErrorFacts, answer: AnswerFacts, hasBegun = false): GatewayProblem {
  const evidence = evidenceOf(error, answer);
  const found = kindOf(error, answer.status);
  const kind = hasBegun && !whileAnswering.has(found) ? 'gatewayDown' : found;
  if (kind === 'requestRejected' && answer.status === 407) {
    // Only proxies send this status.
    return { kind: 'proxy', proxy: '', setting: 'http.proxy', cause: 'authentication', ...evidence };
  }
  if (kind === 'rateLimited') {
    const retryAfterMs = readRetryAfter(answer.headers, answer.now);
    return { kind, ...evidence, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (kind === 'balanceEmpty' || kind === 'keyExhausted') {
    return {
      kind,
      ...evidence,
      ...(reserved.test(error.message?.slice(0, maxClassified) ?? '') && { isReserved: true }),
    };
  }
  return { kind, ...evidence };
}

function kindOf(error: ErrorFacts, status: number): AnsweredKind {
  const words = `${error.message?.slice(0, maxClassified) ?? ''} ${error.code?.slice(0, maxClassified) ?? ''}`;
  const named = (name = '') => byCode.find(([, code]) => code.test(name))?.[0];
  const isUpstream = status < 400 && words.trim() !== '' && !requestFault.test(`${words} ${error.type}`);
  const meant = codeAsStatus(error) ?? (isUpstream ? 502 : status);
  const worded = (rules: Rules) => rules.find(([kind, pattern]) => maySay(kind, meant) && pattern.test(words))?.[0];
  // A type is a family of errors: with `authentication_error`, the message may say that the key has expired.
  const found = worded(beforeCode) ?? named(error.code) ?? worded(byWords) ?? named(error.type) ?? byStatus.get(meant);
  return found ?? (meant >= 500 ? 'gatewayDown' : 'requestRejected');
}

/**
 * Whether words for a kind count with a status. In a refusal, a time-out is that of a session, a payment or an upload;
 * a missing token is that of the address only where AWS says so.
 */
function maySay(kind: AnsweredKind, status: number): boolean {
  return kind === 'gatewayTimedOut' ? status === 408 || status >= 500 : kind !== 'wrongAddress' || status !== 401;
}

/** In the message of a balance that isn't empty: the amounts left and needed, or the offer of a shorter reply (wire Q41). */
const reserved =
  /(?:user |remain(?:ing)? |剩余)(?:quota|额度)[:：]\s{0,3}[^\d,，;-]{0,4}[\d.,]{0,20}[1-9].{0,40}(?:need quota|需要预扣费额度)|can only afford [1-9]|prompt tokens limit exceeded: \d+ > [1-9]|token capacity required, [1-9]/i;

/** The status that a numeric code stands for. Some gateways send such a code with status 200. */
function codeAsStatus(error: ErrorFacts): number | undefined {
  const code = Number(error.code);
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : undefined;
}

/** What the person may be shown of a failing response: each text without secrets and cut to 2 KB. */
export function evidenceOf(error: ErrorFacts, answer: Omit<AnswerFacts, 'now'>): Evidence {
  const requestId = requestIdOf(answer.headers) ?? error.requestId;
  const show = (text: string, chars = 2_048) => redactedStart(text, answer.secrets, chars);
  return {
    status: answer.status,
    ...(error.message && { words: show(error.message) }),
    ...(error.code && { code: show(error.code) }),
    ...(requestId && { requestId: show(requestId, 200) }),
  };
}

/** The request id that a gateway's support asks for (wire 1.5). */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name of ['x-oneapi-request-id', 'x-request-id', 'x-generation-id', 'request-id', 'cf-ray']) {
    const value = headers[name]?.trim();
    if (value) {
      return value;
    }
  }
  return undefined;
}

const dayMs = 86_400_000;

/**
 * How long a gateway asks to wait: `Retry-After` in seconds, with or without a fraction, as a date, or a header with
 * `-ms` (wire Q44).
 *
 * @param now Unix milliseconds.
 * @returns milliseconds, at most a day; undefined when there is no plausible value.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const [ms, otherMs, seconds] = ['retry-after-ms', 'x-ms-retry-after-ms', 'retry-after'].map(
    (name) => headers[name]?.trim() || Number.NaN,
  );
  const delays = [Number(ms), Number(otherMs), Number(seconds) * 1_000, Date.parse(String(seconds)) - now];
  const delay = delays.find(Number.isFinite);
  return delay !== undefined && delay >= 0 ? Math.min(delay, dayMs) : undefined;
}

/** The status of a redirect, even when it names no target. */
export const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Reads where a response to a requested URL redirects to.
 *
 * @returns the target as an absolute URL, or as it was sent when it can't be parsed; undefined when there is none.
 */
export function redirectTarget(
  { status, headers }: Pick<AnswerFacts, 'status' | 'headers'>,
  url: string,
): string | undefined {
  const { location } = headers;
  if (location === undefined || !redirects.has(status)) {
    return undefined;
  }
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}

/** The problem of a redirect that isn't followed. @param to as `redirectTarget` gives it; it may hold the key. */
export function redirectProblem(to: string, answer: AnswerFacts): ProblemOf<'redirected'> {
  return { kind: 'redirected', target: redactedStart(to, answer.secrets, 2_048), ...evidenceOf({}, answer) };
}

/** What gateways say of a parameter that a model doesn't have, or of a value that it doesn't accept (wire Q58). */
const refusal =
  /support|valid|unknown|unmapped|unrecogni[sz]ed|unexpected|not (?:permitted|allowed)|range|(?:must|should) be|at most|too (?:large|high|big)|maximum|deprecated|extra inputs|cannot (?:both )?be|不支持|无效|参数|范围/i;

/** The kinds that a rejected parameter is classified as without it: its message has words of each of them. */
const mistakable: readonly ProblemKind[] = ['requestRejected', 'contextTooLong', 'modelUnknown', 'gatewayDown'];

/** What a message says that names the field to use in place of the rejected one. Others name both in any case. */
const replacement = /\b(?:use|instead)\b|改用|使用/i;

/** Fields that a token limit can be sent in. A message that rejects one of them may name the other one. */
const alternatives: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'max_completion_tokens'],
  ['max_completion_tokens', 'max_tokens'],
]);

/**
 * The problem of a call as `parameterRejected` when the gateway's message is about a parameter that was sent; otherwise
 * the problem unchanged.
 *
 * @param options the fields that parameters added to the body.
 */
export function withRejectedParameter(
  problem: GatewayProblem,
  options: Readonly<Record<string, unknown>> | undefined,
): GatewayProblem {
  const { kind, words = '', ...evidence } = problem;
  if (options === undefined || !mistakable.includes(kind) || !refusal.test(words)) {
    return problem;
  }
  const [first] = Object.entries(options)
    .map(([parameter, value]) => ({ parameter, at: positionOf(parameter, words, value) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  if (first === undefined) {
    return problem;
  }
  const { parameter } = first;
  const other = alternatives.get(parameter);
  const isNamed = other !== undefined && !(other in options) && positionOf(other, words) >= 0;
  const instead = isNamed && replacement.test(words) ? other : undefined;
  return {
    kind: 'parameterRejected',
    parameter,
    ...(instead !== undefined && { instead }),
    words,
    ...evidence,
  };
}

/**
 * Where a text names a parameter, also as `body.seed` or `seed.type`, or one of two words as `topP` or `top p`, or has its value in
 * quotes; -1 if it doesn't. A name that is also a word, such as `user`, must be in quotes otherwise, or follow `parameter`.
 */
function positionOf(parameter: string, words: string, value?: unknown): number {
  const escaped = (text: string) => text.replace(/[^\w\s]/g, '\\$&');
  const name = escaped(parameter)
    .replaceAll('_', '[_ ]?')
    .replace(/^max(?=\[_ \]\?tokens$)/, 'max(?:imum)?');
  const isWord = !parameter.includes('_') && parameter !== 'temperature';
  const pattern = isWord
    ? `["'\`‘“]${name}(?:\\.[\\w.]+)?["'\`’”]|\\bbody\\.${name}\\b|\\bparameter\\S* ${name}\\b`
    : `(?<!\\w|(?<!\\bbody)\\.)${name}(?!\\w)`;
  const quoted = typeof value === 'string' && value !== '' ? `|["'\`‘“]${escaped(value)}["'\`’”]` : '';
  return words.search(new RegExp(pattern + quoted, 'i'));
}
