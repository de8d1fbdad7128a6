import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { advice } from '../../../../src/core/errors/advice.ts';
import type { ProblemKind } from '../../../../src/core/errors/gatewayProblem.ts';
import { done, readText, text } from '../reply/replyFixture.ts';

type Fixture = { n: string; status: number; body: unknown; kind: ProblemKind; words?: string };
const fixture = new URL('../../../fixtures/reports/20-error-bodies.json', import.meta.url);
const fixtures: readonly Fixture[] = JSON.parse(readFileSync(fixture, 'utf8'));

for (const { n, status, body, kind, words = '' } of fixtures) {
  test(`reads the error body ${n} with its words (QwenLM/qwen-code#98, anthropics/claude-code#476, microsoft/vscode#307618, adrianlyjak/obsidian-aloud-tts#114)`, () => {
    const { problem } = readText(JSON.stringify(body), { status }).verdict;
    assert.equal(problem?.kind, kind);
    assert.ok(problem.words?.includes(words), problem.words);
  });
}

/** Bodies of refusals: the words must be shown, wherever they are. */
const bodies: readonly (readonly [source: string, status: number, body: unknown, kind: ProblemKind, words: string])[] =
  [
    [
      'open-webui/computer#293',
      429,
      { error: { message: 'Provider returned error', code: 429, metadata: { raw: 'x is rate-limited upstream.' } } },
      'rateLimited',
      'Provider returned error: x is rate-limited upstream.',
    ],
    [
      'OpenRouterTeam/openrouter-examples#18',
      403,
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: { data: '{"error":{"message":"No such region"}}' } },
        },
      },
      'accessDenied',
      'No such region',
    ],
    [
      'diegosouzapw/OmniRoute#3044',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"Model \'k\' supports at most 1 image per prompt."}}' },
        },
      },
      'requestRejected',
      "Provider returned error: Model 'k' supports at most 1 image per prompt.",
    ],
    [
      'vercel/ai#18303',
      200,
      {
        error: {
          code: 'error',
          message: 'Stream error occurred',
          value: { error_message: '{"error":{"message":"This model\'s maximum context length is 40960 tokens."}}' },
        },
      },
      'contextTooLong',
      "Stream error occurred: This model's maximum context length is 40960 tokens.",
    ],
    [
      'atuttle/Taffy#75',
      400,
      { errorMessage: 'Serial was not provided', errorType: 'x' },
      'requestRejected',
      'Serial was',
    ],
    [
      'NousResearch/hermes-agent#65631',
      200,
      { choices: null, error_type: 'BadRequestError', error_message: 'The input is longer than the context length.' },
      'contextTooLong',
      'The input is longer',
    ],
    [
      'leookun/cursor-byok#129',
      400,
      {
        code: 20015,
        message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.',
        data: null,
      },
      'contextTooLong',
      'number of input tokens',
    ],
    [
      'zh667/TokenLedger#9',
      200,
      { code: 401, msg: '令牌已过期或验证不正确', success: false },
      'keyExpired',
      '令牌已过期或验证不正确',
    ],
    [
      'zh667/TokenLedger#9',
      200,
      { base_resp: { status_code: 1004, status_msg: 'login fail: please carry the API secret key' } },
      'keyRejected',
      'login fail',
    ],
    ['a gateway in Chinese', 200, { code: '401', msg: '令牌无效', data: null }, 'keyRejected', '令牌无效'],
    ['a gateway in Chinese', 200, { status: 'fail', msg: '余额不足' }, 'balanceEmpty', '余额不足'],
    ['a gateway in Chinese', 200, { success: 'false', message: '余额不足' }, 'balanceEmpty', '余额不足'],
    [
      'HKUDS/nanobot#536',
      502,
      { error: { message: 'OpenAIException - <!DOCTYPE html>\n<html><head><title>h | 502: Bad gateway</title>\n<p>' } },
      'gatewayDown',
      'OpenAIException - h | 502: Bad gateway',
    ],
    [
      'Wei-Shaw/sub2api#890',
      403,
      { code: 'INSUFFICIENT_BALANCE', message: 'Insufficient account balance' },
      'balanceEmpty',
      'Insufficient account balance',
    ],
    [
      'modelscope/modelscope#1691',
      429,
      { error: { http_code: '429', message: 'insufficient balance (1008)', type: 'insufficient_balance_error' } },
      'balanceEmpty',
      'insufficient balance (1008)',
    ],
    [
      'lingyuins/octopus#8',
      404,
      { timestamp: '2026-05-24', status: 404, error: 'Not Found', path: '/v4/v1/chat/completions' },
      'wrongAddress',
      'Not Found',
    ],
    [
      'a problem document',
      400,
      { title: 'Bad Request', status: 400, detail: 'Name a model.' },
      'requestRejected',
      'Name',
    ],
    [
      'a problem document with errors by field',
      400,
      { title: 'One or more errors.', status: 400, errors: { messages: ['The field is required.'] } },
      'requestRejected',
      'One or more errors. The field is required.',
    ],
    [
      'BenedictKing/ccx#64, chatboxai/chatbox#3716, JohnnyZ93/oai-compatible-copilot#233',
      400,
      {
        error: {
          code: '400',
          message: 'Param Incorrect',
          param: 'The reasoning_content in the thinking mode must be passed back to the API.',
          type: '',
        },
      },
      'requestRejected',
      'Param Incorrect: The reasoning_content in the thinking mode must be passed back to the API.',
    ],
    [
      'AQBot-Desktop/AQBot#93',
      400,
      { error: { code: '400', message: 'Param Incorrect', param: 'max_tokens is too large: 1048576.' } },
      'requestRejected',
      'Param Incorrect: max_tokens is too large: 1048576.',
    ],
    ['Alibaba Cloud', 400, { Code: 'Arrearage', Message: 'Pay first', RequestId: 'r' }, 'balanceEmpty', 'Pay first'],
    [
      'Apigee',
      401,
      { fault: { faultstring: 'Invalid ApiKey', detail: { errorcode: 'x' } } },
      'keyRejected',
      'Invalid ApiKey',
    ],
    [
      'a body of its own kind',
      400,
      { outcome: { why: 'The tenant is paused.' } },
      'requestRejected',
      'The tenant is paused.',
    ],
  ];

for (const [source, status, body, kind, words] of bodies) {
  test(`shows what ${JSON.stringify(body)} says (${source})`, () => {
    const { problem } = readText(JSON.stringify(body), { status }).verdict;
    assert.equal(problem?.kind, kind);
    assert.ok(problem.words?.includes(words) && !/<html/.test(problem.words), problem.words);
  });
}

/** What vendors say, by the kind it means. */
const said: Readonly<
  Partial<Record<ProblemKind, readonly (readonly [source: string, words: string, code?: string])[]>>
> = {
  contextTooLong: [
    ['ikawrakow/ik_llama.cpp#2051', 'context shift is disabled', '500'],
    ['vllm-project/vllm#4667', 'max_tokens must be at least 1, got -186.', '400'],
    ['anomalyco/opencode#11141', 'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)'],
    ['anomalyco/opencode#45834', 'Range of input length should be [1, 30000]', 'invalid_parameter_error'],
    ['earendil-works/pi#4943', 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', '400'],
    ['langchain-ai/langchain#25671', 'Requested input length 99009 exceeds maximum input length 8192'],
    [
      'openclaw/openclaw#129352',
      "The input (263000 tokens) is longer than the model's context length (262144 tokens).",
    ],
    ['continuedev/continue#6080', 'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000'],
    [
      'vanna-ai/vanna-flask#11',
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.',
      'rate_limit_exceeded',
    ],
    [
      'autohandai/code-cli#302',
      'Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 8000, Requested 34041, please reduce your message size',
    ],
    ['QwenLM/qwen-code#98', 'Input is too long for requested model.'],
    ['BerriAI/litellm#21647', 'Too many input tokens. Max input tokens: 8192, request input token count: 9000'],
    ['chatboxai/chatbox#2060', 'length of prompt_tokens (68957) must be less than max_seq_len (65536).', '20015'],
    [
      'huggingface/text-generation-inference#628',
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1244 `inputs` tokens',
    ],
    ['huggingface/text-generation-inference#937', '`inputs` must have less than 1024 tokens. Given: 1872'],
    ['xorbitsai/inference#3785', 'The decoder prompt (length 50000) is longer than the maximum model length of 32768.'],
    ['Aider-AI/aider#2296', 'Request body too large for o1-mini. Max size: 4000 tokens.', 'tokens_limit_reached'],
    ['a gateway of Grok', "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['a gateway of Groq', 'Please reduce the length of the messages or completion.'],
    [
      'a gateway of Copilot',
      'prompt token count of 51808 exceeds the limit of 12288',
      'model_max_prompt_tokens_exceeded',
    ],
    ['a gateway of Kimi', 'Your request exceeded model token limit: 8192 (requested: 9000)'],
    ['a gateway of Gemini', 'The input token count (35868) exceeds the maximum number of tokens allowed (32768).'],
    ['a gateway of Gemini', 'Your input context is too long.'],
    ['a gateway of Mistral', 'Prompt contains 65673 tokens, too large for model with 32768 maximum context length'],
    ['a gateway of GLM', 'Prompt too long', '1261'],
    ['a gateway of GLM', 'Prompt 超长', '1261'],
    ['a gateway of MiniMax', 'token limit', '1039'],
    ['a gateway in Chinese', '输入长度超过限制'],
    ['a gateway in Chinese', '上下文长度超出'],
    ['a gateway in Chinese', 'token数量超过限制'],
    ['a gateway in Chinese', '请求超出上下文限制'],
    ['a gateway in Chinese', '超过最大长度'],
    ['a gateway in Chinese', '输入内容过长，请缩短后重试'],
  ],
  balanceEmpty: [
    ['LobsterAI', '账户余额不足，请充值后重试'],
    ['LobsterAI', '免费额度已用完，请升级套餐'],
    ['AiHubMix', 'Your account balance is insufficient. Please recharge your account.'],
    ['AiHubMix', '使用者餘額不足,需要充值'],
    ['666ghj/BettaFish#585', 'You exceeded your current quota, please check your plan and billing details.'],
    ['a gateway of Claude', 'Your credit balance is too low to access the API.'],
    ['a gateway of GLM', '您的账户已欠费，请充值后重试', '1113'],
    ['a gateway in Chinese', '积分不足，请先充值'],
    ['a gateway in Chinese', '套餐已用尽'],
    ['huggingface/hub-docs#2392', 'not enough balance'],
    ['a gateway of Novita', 'you do not have enough balance', '403'],
    ['a gateway of Venice', 'Insufficient USD or Diem balance to complete request.'],
    ['a gateway of Together', 'Credit limit exceeded, please add credit'],
    ['a gateway of Fireworks', 'Account x is suspended, possibly due to reaching the monthly spending limit.'],
    ['a gateway of Gemini', 'Your prepayment credits are depleted.', '429'],
    ['a gateway of OpenAI', 'Billing hard limit has been reached', 'billing_hard_limit_reached'],
    ['diffbot/code-gpt-docs#251', 'Non active subscription'],
    ['ollama/ollama#15990', 'this model requires a subscription, upgrade for access'],
    ['a gateway in Chinese', '您的订阅已过期，请续费'],
    ['coze-dev/coze-studio#2195', 'The request failed because your account has an overdue balance.'],
    [
      'BerriAI/litellm#14144',
      'OpenAIException - Budget has been exceeded! Current cost: 14.1, Max budget: 100.',
      '400',
    ],
    ['BerriAI/litellm#9658', 'ExceededBudget: User=u over budget. Spend=0.051, Budget=0.05', '401'],
    ['anomalyco/opencode#44099', 'You have exceeded the monthly usage quota.', 'AccountQuotaExceeded'],
    ['666ghj/BettaFish#609', 'The free tier of the model has been exhausted.', 'AllocationQuota.FreeTierOnly'],
    ['volcengine/MineContext#328', 'Your account has reached the set inference limit.', 'SetLimitExceeded'],
    ['arlanrakh/talk-to-girlfriend-ai#6', 'AI Gateway requires a valid credit card on file to service requests.'],
    ['continuedev/continue#13195', 'your subscription payment is past due. update your payment method'],
    ['diegosouzapw/OmniRoute#6980', 'you have used up your daily free allocation of 10,000 neurons', '4006'],
    ['router-for-me/CLIProxyAPI#1500', 'Free allocated quota exceeded.', 'insufficient_quota'],
    ['continuedev/continue#12670', "Your newly created team doesn't have any credits or licenses yet."],
  ],
  keyRejected: [
    ['binary-husky/gpt_academic#2162', 'Access token invalid or no longer valid', '110'],
    ['a gateway of GLM', 'Authorization Token非法，请确认Authorization Token正确传递。', '1002'],
    ['a gateway in Chinese', 'API Key 无效'],
    ['a gateway in Chinese', '鉴权失败'],
    ['a gateway of Azure', 'Access denied due to invalid subscription key. Use one of an active subscription.', '401'],
  ],
  keyExpired: [
    ['BerriAI/litellm#18731', 'Authentication Error - Expired Key. Key Expiry time 2025-01-01', '401'],
    ['Wei-Shaw/sub2api#471', 'API key 已过期', 'API_KEY_EXPIRED'],
  ],
  keyDisabled: [
    [
      'a gateway of LiteLLM',
      "Authentication Error, Key is blocked. Update via `/key/unblock` if you're an admin.",
      '401',
    ],
    ['eigent-ai/eigent#1824', 'this key is not enabled (tid: 2026072412401930194825296633441)', '401'],
  ],
  accessDenied: [
    ['zhayujie/CowAgent#2357', 'No permission to access data', '6'],
    ['anthropics/claude-code#60648', 'This organization has been disabled.', 'invalid_request_error'],
    ['ShamanicArts/Flow.Launcher.Plugin.AI-Assistant#2', 'No endpoints found matching your data policy.', '404'],
    ['truefoundry/models#826', 'No endpoints available matching your guardrail restrictions and data policy.', '404'],
    ['crewAIInc/crewAI#783', 'Organization has been restricted. Please reach out.', 'organization_restricted'],
  ],
  keyExhausted: [
    ['MCPJam/inspector#1287', 'Key limit exceeded (total limit). Manage it in the settings', '403'],
    ['Wei-Shaw/sub2api#471', 'API key 额度已用完', 'API_KEY_QUOTA_EXHAUSTED'],
  ],
  gatewayDown: [['Wei-Shaw/sub2api#4636', 'No available accounts: no available accounts']],
  rateLimited: [
    ['AiHubMix', '请求频率超过限制'],
    ['AiHubMix', '该模型遇到官方限速,联系客服增加并发或请稍后重试'],
    [
      'a gateway of Gemini',
      'You exceeded your current quota. Quota exceeded for metric: requests_per_minute. Please retry in 12s.',
    ],
    ['a gateway of Bedrock', 'Too many requests: too many tokens, please wait before trying again.'],
    ['a gateway of Azure', 'Requests have exceeded token rate limit of your current tier.'],
    ['MicrosoftDocs/azure-docs#16282', 'Out of call volume quota. Quota will be replenished in 5.03:23:11', '403'],
    ['666ghj/BettaFish#579', '当前分组上游负载已饱和，请稍后再试', 'insufficient_quota'],
    ['QwenLM/Qwen#2254', 'Allocated quota exceeded, please increase your quota limit.', 'limit_requests'],
    [
      'anomalyco/opencode#23722',
      'You exceeded your current quota. See https://help.aliyun.com/zh/model-studio/error-code#token-limit',
      'insufficient_quota',
    ],
    [
      'hyunhwan-bcm/MARRVEL_MCP#225',
      'An error occurred (ThrottlingException) when calling the InvokeModel operation: Too many tokens, please wait.',
    ],
    ['HKUDS/nanobot#3864', '该模型当前访问量过大，请您稍后再试', '1305'],
    ['anthropics/claude-code#38035', 'You have reached your specified API usage limits.', 'invalid_request_error'],
  ],
  modelDenied: [
    ['BerriAI/litellm#39660', "key not allowed to access model. This key can only access models=['x']", '401'],
    ['strands-agents/harness-sdk#38', "You don't have access to the model with the specified model ID."],
    ['liuw1535/antigravity2api-nodejs#23', "You don't have access to this model or the model name is invalid"],
    ['xinnan-tech/xiaozhi-esp32-server#1234', 'Your account has not activated the model m.', 'ModelNotOpen'],
    ['ningzimu/codex-ppt-skill#57', "Model 'm' is not allowed for this provider. Allowed models: n"],
    ['a gateway in Chinese', '模型 abc 未开通，请前往控制台开通'],
    ['PublicAffairs/openai-gemini#4', 'User location is not supported for the API use.', '400'],
    ['farion1231/cc-switch#1386', '当前订阅套餐暂未开放GLM-5权限', '1311'],
    ['microsoft/vscode#260670', 'Your organization must be verified to stream this model.', 'unsupported_value'],
    ['anomalyco/opencode#19117', 'This model is not available in your region.', '403'],
    ['anomalyco/opencode#47949', 'This model is not available in your country.', 'RegionError'],
    [
      'songquanpeng/one-api#1692',
      'Country, region, or territory not supported',
      'unsupported_country_region_territory',
    ],
    ['maximhq/bifrost#3282', "Model 'google/gemma-4-31b-it:free' is not allowed for this virtual key", 'model_blocked'],
    ['danny-avila/LibreChat#7323', 'Your organization must be verified to use the model `o3`.', '404'],
  ],
  modelUnknown: [
    ['continuedev/continue#10758', 'deepseek/deepseek-coder is not a valid model ID', '400'],
    ['jekalmin/extended_openai_conversation#231', 'The API deployment does not exist.', 'DeploymentNotFound'],
    ['Alishahryar1/free-claude-code#956', "Function '1234': Not found for account 'Ab1E'", '404'],
    ['a gateway in Chinese', '不支持的模型: abc'],
    [
      'nicepkg/aide#80',
      'The request targeted an endpoint that does not exist or is invalid.',
      'InvalidEndpoint.NotFound',
    ],
    [
      'anthropics/claude-code#1466',
      'Invocation of model ID m with on-demand throughput isn’t supported. Retry with an inference profile.',
    ],
    ['autohandai/code-cli#544', "The model 'm' has reached its end of life and is no longer available.", '410'],
    ['github/gh-models#65', 'Unavailable model: o4-mini', 'unavailable_model'],
    ['a gateway of Claude', 'model: claude-9', 'not_found_error'],
    ['chatboxai/chatbox#2743', 'No endpoints found for deepseek/deepseek-chat-v3.1:free.', '404'],
    ['a gateway of Qwen', 'Model not exist.'],
    ['a gateway in Chinese', '模型 abc 不存在'],
    ['continuedev/continue#10839', 'Model disabled.', '403'],
    ['getkimchi/kimchi#1176', 'Model m has been retired.', '410'],
    ['diegosouzapw/OmniRoute#6525', "The requested model 'm' is not a chat model.", '400'],
    ['a gateway of Groq', 'The model `m` has been decommissioned and is no longer supported.'],
  ],
  contentFiltered: [
    ['a gateway of Qwen', 'Input data may contain inappropriate content.', 'data_inspection_failed'],
    ['a gateway in Chinese', '内容审核未通过'],
    ['Portkey-AI/gateway#1740', 'The guardrail checks defined in the config failed.', 'hooks_failed'],
    [
      'enricoros/big-AGI#352',
      'openai/gpt-4-32k requires moderation on OpenAI. Your input was flagged for "self-harm". No credits were charged.',
      '403',
    ],
    [
      'theopenco/llmgateway#1785',
      'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
      'The caller does not have permission to execute the specified operation',
    ],
    ['Oaklight/argo-proxy#91', "Error code: 400 - {'error': {'code': 'content_filter'}}"],
    ['a gateway of Doubao', 'The request failed because the input text may contain sensitive information.'],
  ],
  requestTooLarge: [
    ['a gateway of Gemini', 'Request payload size exceeds the limit: 20971520 bytes.'],
    ['MoonshotAI/kimi-code#476', 'total message size 10176584 exceeds limit 2097152'],
  ],
  // What resembles one of the kinds above.
  requestRejected: [
    ['vllm', 'Range of max_tokens should be [1, 8192]'],
    ['AutoGen', 'messages: text content blocks must be non-empty'],
    ['a gateway that asks for an email address', 'Your email address must be verified to use this API.'],
    ['a gateway of Qwen', 'Multiple system messages are not allowed.'],
    ['a gateway of OpenRouter', 'Response input messages must contain the word json in some form.'],
  ],
};

for (const [kind, rows] of Object.entries(said)) {
  for (const [source, message, code] of rows) {
    test(`takes ${JSON.stringify(message)} for ${kind} (${source})`, () => {
      const { problem } = readText(JSON.stringify({ error: { message, code } }), {
        status: 400,
      }).verdict;
      assert.equal(problem?.kind, kind);
      assert.equal(problem.words, message);
    });
  }
}

test('offers to choose what to send where a conversation is too long', () => {
  assert.equal(advice({ kind: 'contextTooLong' }, { host: 'h', model: 'm' }).action, 'chooseParts');
});

/** Errors that end an answer of which some text has arrived. */
const midStream: readonly (readonly [source: string, error: unknown, kind: ProblemKind])[] = [
  ['octos-org/octos#13', { message: 'read tcp 10.0.0.1:443: connection reset by peer' }, 'gatewayDown'],
  ['SamSaffron/term-llm#454', { message: 'Provider returned error', code: 400 }, 'gatewayDown'],
  ['apache/rocketmq-dashboard#2178', { message: 'quota exceeded' }, 'balanceEmpty'],
  ['xberg-io/liter-llm#189', { message: 'tool call validation failed', type: 'invalid_request_error' }, 'gatewayDown'],
  [
    'diegosouzapw/OmniRoute#8210',
    { message: 'Worker local total request limit reached (33/32)', code: 502 },
    'rateLimited',
  ],
  [
    'Augustas11/macprovider#186',
    { message: 'Provider disconnected during streaming', type: 'server_error' },
    'gatewayDown',
  ],
  ['preloop/preloop#117', 'upstream: peer closed connection without sending complete message body', 'gatewayDown'],
  ['a gateway whose own key expired', { message: 'Invalid API key', code: 401 }, 'gatewayDown'],
  ['a gateway whose channel is gone', { message: 'model not found', code: 404 }, 'gatewayDown'],
];

for (const [source, error, kind] of midStream) {
  test(`says after some text that ${JSON.stringify(error)} is no reason to choose another model (${source})`, () => {
    const { text: shown, verdict } = readText(`${text('Half an answer')}data: ${JSON.stringify({ error })}\n\n${done}`);
    assert.equal(shown, 'Half an answer');
    assert.equal(verdict.problem?.kind, kind);
    const { remedy = '', action } = advice(verdict.problem, { host: 'h', model: 'm', hasArrived: true });
    assert.notEqual(action, 'chooseModel');
    assert.doesNotMatch(kind === 'gatewayDown' ? remedy : '', /another model/);
  });
}

test('takes an error without a known cause in place of an answer for a failure of the gateway (apache/rocketmq-dashboard#2178)', () => {
  for (const [message, type, kind] of [
    ['The relay is resting', undefined, 'gatewayDown'],
    ['Name a model', 'invalid_request_error', 'requestRejected'],
  ] as const) {
    const { verdict } = readText(`data: ${JSON.stringify({ error: { message, type } })}\n\n${done}`);
    assert.equal(verdict.problem?.kind, kind);
    assert.equal(verdict.problem?.words, message);
  }
});

test('takes no remark beside an answer or a list for an error', () => {
  for (const more of [
    { base_resp: { status_code: 0, status_msg: '' } },
    { errors: [], error_msg: '' },
    { code: 0, message: 'Success' },
    { detail: null },
  ]) {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }], ...more };
    assert.equal(
      readText(`data: ${JSON.stringify(chunk)}\n\n${done}`).verdict.outcome,
      'complete',
      JSON.stringify(more),
    );
    const last = { choices: [], usage: { total_tokens: 3 }, ...more };
    assert.equal(
      readText(`${text('Hi')}data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(last)}\n\n${done}`).verdict
        .outcome,
      'complete',
    );
  }
});
