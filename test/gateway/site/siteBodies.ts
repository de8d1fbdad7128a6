import type { KeyRecord, UsageEntry } from '../accountState.ts';
import { costMicroUsd } from '../chat/metering.ts';
import { chooseFault } from '../faultTable.ts';
import { type CatalogueModel, catalogue, groups } from '../models/catalogue.ts';
import type { Settings } from '../settings.ts';

/** The answers of the site's endpoints, in the shapes of new-api (wire section 5). */

/** Quota in a dollar of the site. */
const quotaPerUnit = 500_000;
/** How many lines of its log a key can read. */
const logLimit = 1_000;

function quotaOf(microUsd: number): number {
  return Math.round((microUsd * quotaPerUnit) / 1_000_000);
}

/** The body of `GET /api/status`. */
export function siteStatus({ siteDisplay }: Settings): object {
  const about = { system_name: 'Local gateway', version: 'v0.0.0', theme: 'default' };
  const data = { ...about, quota_per_unit: quotaPerUnit, ...siteDisplay };
  return { success: true, message: '', data };
}

/** A ratio of 1 is 2 USD for 1M prompt tokens. The gateway charges cached tokens like others. */
function ratiosOf({ inputNanoUsd, outputNanoUsd }: Pick<CatalogueModel, 'inputNanoUsd' | 'outputNanoUsd'>) {
  return {
    model_ratio: inputNanoUsd / 2_000,
    completion_ratio: inputNanoUsd === 0 ? 0 : outputNanoUsd / inputNanoUsd,
    cache_ratio: 1,
  };
}

/** The body of `GET /api/pricing`: prices per token, or per call while the gateway charges each call the same. */
export function sitePricing({ fault, groupRatios }: Settings): object {
  const chosen = fault === undefined ? undefined : chooseFault(fault);
  const perCall = chosen?.fault.isPricedPerCall === true ? chosen.amount / 1_000_000 : undefined;
  return {
    success: true,
    data: catalogue.map((model) => ({
      model_name: model.id,
      quota_type: perCall === undefined ? 0 : 1,
      model_price: perCall ?? 0,
      owner_by: model.vendor,
      ...(perCall === undefined ? ratiosOf(model) : { model_ratio: 0, completion_ratio: 0 }),
      enable_groups: model.groups,
      supported_endpoint_types: [model.kind === 'chat' ? 'openai' : model.kind],
    })),
    group_ratio: groupRatios,
    usable_group: Object.fromEntries(groups.map((group) => [group, `The group ${group}`])),
    auto_groups: [],
  };
}

/** The body of `GET /api/usage/token/`. The quota of a key without a limit is a negative number. */
export function siteUsage(key: KeyRecord): object {
  const used = quotaOf(key.usedMicroUsd);
  const granted = key.quotaMicroUsd === null ? 0 : quotaOf(key.quotaMicroUsd);
  const data = {
    object: 'token_usage',
    name: key.name,
    total_granted: granted,
    total_used: used,
    total_available: granted - used,
    unlimited_quota: key.quotaMicroUsd === null,
    model_limits: {},
    model_limits_enabled: false,
    expires_at: key.expiresAt === null ? 0 : Math.floor(key.expiresAt / 1_000),
  };
  return { code: true, message: 'ok', data };
}

/** The body of `GET /api/log/token`: the newest calls of the key that named a model, newest first. */
export function siteLog(
  { account }: { readonly account: Pick<Settings['account'], 'usage'> },
  key: Pick<KeyRecord, 'id'>,
): object {
  const entries = account.usage.filter(({ keyId, model }) => keyId === key.id && model !== '');
  return { success: true, message: '', data: entries.toReversed().slice(0, logLimit).map(logLine) };
}

function logLine(entry: UsageEntry, index: number): object {
  const { costMicroUsd: cost, promptTokens, completionTokens, tookMs = 0, group = '', groupRatio = 1 } = entry;
  const model = catalogue.find(({ id }) => id === entry.model) ?? { inputNanoUsd: 0, outputNanoUsd: 0 };
  const isPerCall = cost !== costMicroUsd(model, promptTokens, completionTokens, groupRatio);
  return {
    id: index + 1,
    created_at: Math.floor((Date.parse(entry.time) + tookMs) / 1_000),
    // 2: a charge; 5: an error.
    type: entry.state === 'error' && cost === 0 ? 5 : 2,
    content: entry.code ?? '',
    token_name: entry.keyName,
    model_name: entry.model,
    quota: quotaOf(cost),
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    use_time: Math.floor(tookMs / 1_000),
    is_stream: entry.isStream,
    group,
    request_id: entry.requestId,
    other: JSON.stringify({
      ...ratiosOf(model),
      ...(isPerCall && { model_ratio: 0, completion_ratio: 0 }),
      model_price: isPerCall ? cost / 1_000_000 / groupRatio : -1,
      group_ratio: groupRatio,
      user_group_ratio: -1,
      cache_tokens: 0,
    }),
  };
}
