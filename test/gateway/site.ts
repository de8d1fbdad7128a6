import type { KeyRecord, UsageEntry } from './account.ts';
import { type CatalogueModel, catalogue, groups } from './catalogue.ts';
import { costMicroUsd } from './chat.ts';
import { chooseFault } from './faultTable.ts';
import type { Settings } from './gateway.ts';
import { type Exchange, keyValueOf } from './http.ts';

/** How the site says that it shows quota: fields of `GET /api/status`. Without any it says nothing. */
export interface SiteDisplay {
  readonly quota_display_type?: 'USD' | 'CNY' | 'CUSTOM' | 'TOKENS';
  readonly display_in_currency?: boolean;
  /** Yuan for a dollar of the site. */
  readonly usd_exchange_rate?: number;
  readonly custom_currency_symbol?: string;
  readonly custom_currency_exchange_rate?: number;
}

/** Quota in a dollar of the site. */
const quotaPerUnit = 500_000;
/** How many lines of its log a key can read. */
const logLimit = 1_000;

function quotaOf(microUsd: number): number {
  return Math.round((microUsd * quotaPerUnit) / 1_000_000);
}

/** The body of `GET /api/status`. */
function siteStatus({ siteDisplay }: Settings): object {
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
function sitePricing({ fault, groupRatios }: Settings): object {
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
function siteUsage(key?: KeyRecord): object {
  const used = quotaOf(key?.usedMicroUsd ?? 0);
  const granted = quotaOf(key?.quotaMicroUsd ?? 0);
  const isUnlimited = (key?.quotaMicroUsd ?? null) === null;
  const data = {
    object: 'token_usage',
    name: key?.name,
    total_granted: granted,
    total_used: used,
    total_available: granted - used,
    unlimited_quota: isUnlimited,
    model_limits: {},
    model_limits_enabled: false,
    expires_at: Math.floor((key?.expiresAt ?? 0) / 1_000),
  };
  return { code: true, message: 'ok', data };
}

/** The body of `GET /api/log/token`: the newest calls of the key that named a model, newest first. */
export function siteLog(usage: readonly UsageEntry[], keyId: string | undefined): object {
  const entries = usage.filter((entry) => entry.keyId === keyId && entry.model !== '');
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

type Endpoint = { readonly isOfKey: boolean; readonly body: (settings: Settings, key?: KeyRecord) => object };

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/api/status': { isOfKey: false, body: siteStatus },
  '/api/pricing': { isOfKey: false, body: sitePricing },
  '/api/log/token': { isOfKey: true, body: ({ account }, key) => siteLog(account.usage, key?.id) },
  '/api/usage/token/': { isOfKey: true, body: (_, key) => siteUsage(key) },
};

/** The endpoints for keys share a limit of so many requests in so many milliseconds. */
const readLimit = { count: 20, windowMs: 20 * 60_000 } as const;

/**
 * Creates the endpoints of a site of the new-api family: its prices, and what it knows of a key (wire section 5).
 *
 * @returns a function that answers a request; false when it isn't for one of the endpoints.
 */
export function openSite(settings: Settings): (exchange: Exchange) => boolean {
  let reads: number[] = [];

  function answerOf({ request }: Exchange, { isOfKey, body }: Endpoint) {
    if (!isOfKey) {
      return { status: 200, body: body(settings) };
    }
    const now = settings.now();
    reads = reads.filter((at) => now - at < readLimit.windowMs);
    if (reads.length >= readLimit.count) {
      return { status: 429, body: {} };
    }
    reads.push(now);
    // It also answers for keys that are expired, used up or disabled.
    const key = settings.account.keyByValue(keyValueOf(request));
    return key === undefined
      ? { status: 401, body: { success: false, message: 'Invalid token' } }
      : { status: 200, body: body(settings, key) };
  }

  return (exchange) => {
    const { request, response, url } = exchange;
    const endpoint = request.method === 'GET' ? endpoints[url.pathname] : undefined;
    if (endpoint === undefined) {
      return false;
    }
    settings.record(request, '');
    const { status, body } = answerOf(exchange, endpoint);
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
    return true;
  };
}
