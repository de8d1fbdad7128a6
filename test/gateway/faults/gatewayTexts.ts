import type { Fault } from '../fault.ts';
import { answer, error } from './cannedAnswer.ts';

/** Makes a refusal with the wording of gateways that the service is most likely based on. */
function refusal(
  name: string,
  quirk: string,
  about: string,
  status: number,
  words: string | ((model: string) => string),
  code: unknown = '',
): Fault {
  return answer(name, quirk, about, ({ model }) => {
    const text = typeof words === 'string' ? words : words(model === '' ? 'M' : model);
    return { status, body: error(`${text} (request id: 2026112019300012345678)`, code) };
  });
}

/** Refusals with their exact texts, in Chinese and English. Many share a status and differ only in code and text. */
export const gatewayTextFaults: readonly Fault[] = [
  refusal('key-missing', 'Q38', '401 in the words for no key', 401, '未提供令牌'),
  refusal('key-invalid', 'Q38', '401 Invalid token, whatever is wrong with the key', 401, 'Invalid token'),
  refusal('key-expired', 'Q38', '401: the key is past its date, in Chinese', 401, '该令牌已过期'),
  refusal('key-disabled', 'Q38', '401: the key is disabled', 401, 'This token status is unavailable'),
  refusal('key-exhausted', 'Q38', '401: the key is used up, in Chinese', 401, '令牌 demo（#7）额度已用尽'),
  refusal(
    'key-check-failed',
    'Q38',
    '401 although the fault is the server’s: its database failed',
    401,
    'Invalid token, database query error, please contact administrator',
  ),
  refusal(
    'key-quota-short',
    'Q40',
    '403: the key’s own quota does not cover the reservation',
    403,
    'token quota is not enough, token remain quota: ＄0.002, need quota: ＄0.010',
    'pre_consume_token_quota_failed',
  ),
  refusal('balance-empty-text', 'Q40', '403: no balance, known by its words alone', 403, 'user quota is not enough'),
  refusal('model-denied', 'Q40', '403: this key may not use the model', 403, (model) => {
    return `This token has no access to model ${model}`;
  }),
  refusal('model-denied-chinese', 'Q40', '403: the same in Chinese', 403, (model) => `该令牌无权使用模型：${model}`),
  refusal('group-denied', 'Q40', '403: the group is not open', 403, 'No permission to access this group'),
  refusal('group-retired', 'Q40', '403: the group was given up, in Chinese', 403, '分组 vip 已被弃用'),
  refusal('user-banned', 'Q40', '403: the account is banned', 403, 'User has been banned'),
  refusal('ip-denied', 'Q40', '403: the address is not on the list', 403, '您的 IP 不在令牌允许访问的列表中'),
  refusal('channel-denied', 'Q40', '403: a key with a channel suffix', 403, '普通用户不支持指定渠道'),
  refusal(
    'moderated',
    'Q40',
    '400: the prompt was refused',
    400,
    'sensitive words detected',
    'sensitive_words_detected',
  ),
  refusal(
    'balance-empty-moonshot',
    'Q42',
    '429 exceeded_current_quota_error, which means no money',
    429,
    'Your account is not active, exceeded current quota',
    'exceeded_current_quota_error',
  ),
  refusal(
    'budget-exceeded',
    'Q42',
    '400 budget_exceeded',
    400,
    'Budget has been exceeded! Max budget: 1.0',
    'budget_exceeded',
  ),
  refusal(
    'request-limit',
    'Q42',
    '429: so many requests in so many minutes, in Chinese',
    429,
    '您已达到请求数限制：1分钟内最多请求3次',
  ),
  refusal(
    'model-unknown',
    'Q51',
    '404 model_not_found',
    404,
    (model) => `The model \`${model}\` does not exist`,
    'model_not_found',
  ),
  refusal('no-channel-chinese', 'Q46', '503: no channel, known by its words alone', 503, (model) => {
    return `当前分组 default 下对于模型 ${model} 无可用渠道`;
  }),
  refusal(
    'price-missing',
    '3.3',
    '500: no price for the model',
    500,
    (model) => {
      return `模型 ${model} 倍率或价格未配置；Model ${model} ratio or price not set, please contact administrator to set`;
    },
    'model_price_error',
  ),
  refusal(
    'channel-broken',
    '3.3',
    '500: the key of the channel behind it is not good',
    500,
    'channel key is invalid',
    'channel:invalid_key',
  ),
  refusal(
    'no-model-named',
    '3.3',
    '400: no model in the request',
    400,
    'Model name not specified, model name cannot be empty',
  ),
  {
    ...answer('remapped-status', 'Q54', 'no balance, under a status an administrator chose', ({ amount }) => ({
      status: amount,
      body: error('用户额度不足, 剩余额度: 0', 'insufficient_user_quota'),
    })),
    amount: { about: 'status', default: 418 },
  },
  answer('localized-error', 'Q56', 'the message follows Accept-Language', ({ exchange }) => {
    const isEnglish = /^en\b/i.test(String(exchange.request.headers['accept-language'] ?? ''));
    return { status: 401, body: error(isEnglish ? 'Invalid token' : '无效的令牌', '') };
  }),
];
