import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRejectedParameter } from '../../../../src/core/errors/classify.ts';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';

const rejected = (words: string, kind: 'requestRejected' | 'contextTooLong' | 'gatewayDown' = 'requestRejected') =>
  ({ kind, words, status: 400, code: 'c', requestId: 'r' }) as const satisfies GatewayProblem;
const sent = { temperature: 0.2, max_tokens: 9, user: 'u', top_p: 1 };

test('finds the parameter that a message rejects, in the words of several gateways', () => {
  for (const [words, parameter] of [
    ["Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'],
    ["Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is.", 'temperature'],
    ['temperature: range: 0..1', 'temperature'],
    ['Invalid JSON payload received. Unknown name "top_p": Cannot find field.', 'top_p'],
    ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 'max_tokens'],
    ['`temperature` and `top_p` cannot both be specified for this model. Please use only one.', 'temperature'],
    ["Extra inputs are not permitted: body.'user'", 'user'],
    ['参数 top_p 无效', 'top_p'],
  ]) {
    const found = withRejectedParameter(rejected(words ?? ''), sent);
    assert.deepEqual(found, { kind: 'parameterRejected', parameter, words, status: 400, code: 'c', requestId: 'r' });
  }
  const long = 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens';
  assert.equal(withRejectedParameter(rejected(long, 'contextTooLong'), sent).kind, 'parameterRejected');
});

test('finds the parameter in a path and the token limit in words (partITech/php-mistral#76, editor-code-assistant/eca#231, RooCodeInc/Roo-Code#248, charmbracelet/crush#946, theopenco/llmgateway#2778)', () => {
  for (const [words, parameter] of [
    ['body.top_p: Extra inputs are not permitted', 'top_p'],
    ['body.user: Extra inputs are not permitted', 'user'],
    ['"user.type.enabled" is not supported for this model. Use "user.type.adaptive".', 'user'],
    ['The maximum tokens you requested exceeds the model limit of 4096.', 'max_tokens'],
  ] as const) {
    const found = withRejectedParameter(rejected(words, 'contextTooLong'), sent);
    assert.equal(found.kind === 'parameterRejected' && found.parameter, parameter);
  }
  assert.equal(withRejectedParameter(rejected('a.top_p is invalid'), sent).kind, 'requestRejected');
});

test('finds the parameter in other spellings, in plain words, and by its value (open-webui/open-webui#21266, lobehub/lobehub#7370, BerriAI/litellm#16265, ls1intum/edutelligence#749, nguyenphutrong/quotio#287, microsoft/vscode#328965, router-for-me/CLIProxyAPI#1307, router-for-me/CLIProxyAPI#1572, decolua/9router#2268)', () => {
  const options = { presence_penalty: 1, reasoning_effort: 'max', thinking: { type: 'enabled' } };
  for (const [words, parameter] of [
    ['Model grok-4-1-fast-reasoning does not support parameter presencePenalty.', 'presence_penalty'],
    ['Client specified an invalid argument: Argument not supported on this model: presencePenalty', 'presence_penalty'],
    ['Model grok-4-latest does not support parameter reasoningEffort.', 'reasoning_effort'],
    ['Unexpected reasoning effort max. Supported types are xhigh (default), medium, and low.', 'reasoning_effort'],
    ['level "max" not supported, valid levels: low, medium, high, xhigh', 'reasoning_effort'],
    [
      "Invalid value: 'max'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', and 'xhigh'.",
      'reasoning_effort',
    ],
    [
      "Validation error for `reasoning_effort`: expected one of 'low' | 'medium' | 'high', received 'max'",
      'reasoning_effort',
    ],
    [
      "1 validation error: {'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\"}",
      'reasoning_effort',
    ],
    ['Validation: Unsupported parameter(s): thinking', 'thinking'],
    ['Validation: `thinking.type` must be `adaptive`', 'thinking'],
  ] as const) {
    const found = withRejectedParameter(rejected(words), options);
    assert.equal(found.kind === 'parameterRejected' && found.parameter, parameter, words);
  }
  for (const words of [
    'Your prompt must be shorter.',
    'The effort is invalid.',
    "Role 'tool' is not supported here.",
  ]) {
    assert.equal(withRejectedParameter(rejected(words), options).kind, 'requestRejected', words);
  }
});

test('finds the field that a token limit can be sent in instead', () => {
  const words =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const found = withRejectedParameter(rejected(words), { max_tokens: 9 });
  assert.deepEqual(found.kind === 'parameterRejected' && [found.parameter, found.instead], [
    'max_tokens',
    'max_completion_tokens',
  ]);
  // The other field would be rejected with the same message, again and again.
  const tooLarge =
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens.";
  for (const field of ['max_tokens', 'max_completion_tokens']) {
    const withoutOther = withRejectedParameter(rejected(tooLarge, 'contextTooLong'), { [field]: 5_000 });
    assert.deepEqual(withoutOther.kind === 'parameterRejected' && [withoutOther.parameter, withoutOther.instead], [
      field,
      undefined,
    ]);
  }
});

test('leaves every other problem as it is', () => {
  for (const problem of [
    rejected("Unsupported parameter: 'seed' is not supported."),
    rejected('The user is not supported here.'),
    rejected('We got your temperature.'),
    rejected('max_tokens_total is unsupported'),
    rejected("This model's maximum context length is 8192 tokens.", 'contextTooLong'),
    { kind: 'balanceEmpty', words: 'You requested up to 9 max_tokens, but can only afford 3 (too high)' },
    { kind: 'rateLimited', words: 'temperature unsupported' },
    { kind: 'cut' },
  ] as const) {
    assert.equal(withRejectedParameter(problem, sent), problem);
  }
  const unsupported = rejected("'temperature' is not supported");
  assert.equal(withRejectedParameter(unsupported, undefined), unsupported);
  assert.equal(withRejectedParameter(unsupported, {}), unsupported);
  assert.equal(withRejectedParameter(rejected('a.b( is invalid'), { 'a.b(': 1 }).kind, 'requestRejected');
  assert.equal(withRejectedParameter(rejected("'a.b(' is invalid"), { 'a.b(': 1 }).kind, 'parameterRejected');
});
