import { amountOf, recordOf } from '../base/loose.ts';
import type { AccountFacts } from './accountFacts.ts';
import {
  dataOf,
  factsOf,
  isFailure,
  isoTime,
  isPast,
  isUsedUp,
  label,
  signedOf,
  sum,
  unixSeconds,
} from './accountValues.ts';
import type { SiteUnit } from './siteStatus.ts';

/**
 * Readers for the answers in wire section 5. They accept any JSON and return undefined unless it has the expected shape
 * and useful values.
 */

/** The limit that one-api and new-api send for a key without one. */
const unlimitedUsd = 100_000_000;

/**
 * Reads new-api's `/api/usage/token/`. It also answers for expired, used up and disabled keys (wire Q38), so it shows
 * the first two states, but never proves that a key is valid.
 */
export function readTokenUsage(body: unknown, site: SiteUnit, now: number): AccountFacts | undefined {
  const data = dataOf(body);
  const available = signedOf(data.total_available);
  const unlimited = data.unlimited_quota === true;
  if (available === undefined && !unlimited) {
    return undefined;
  }
  const expiresAt = unixSeconds(data.expires_at);
  return factsOf({
    source: 'new-api',
    // The quota of a key without a limit is a meaningless negative number.
    remaining: unlimited ? undefined : sum(available, site.unit, site.factor),
    used: sum(amountOf(data.total_used), site.unit, site.factor),
    unlimited,
    expiresAt,
    keyStatus: isPast(expiresAt, now) ? 'expired' : !unlimited && isUsedUp(available) ? 'exhausted' : undefined,
    name: label(data.name),
    credit: unlimited ? undefined : creditLeft(available, site, site.quotaPerDollar),
    consoleKind: site.consoleKind,
  });
}

/** The total limit of a key on one-api and new-api, in the unit of the site; `accessUntil` in Unix milliseconds. */
export type Subscription = { readonly limit: number; readonly accessUntil: number | undefined };

/** Reads `/v1/dashboard/billing/subscription` of one-api and new-api; errors come with status 200. */
export function readSubscription(body: unknown): Subscription | undefined {
  const { hard_limit_usd: hardLimit, access_until: until } = recordOf(body);
  const limit = isFailure(body) ? undefined : amountOf(hardLimit);
  return limit === undefined ? undefined : { limit, accessUntil: unixSeconds(until) };
}

/** Reads `/v1/dashboard/billing/usage` of one-api and new-api, which reports hundredths of the unit. */
export function readBillingUsage(body: unknown): number | undefined {
  const hundredths = isFailure(body) ? undefined : amountOf(recordOf(body).total_usage);
  return hundredths === undefined ? undefined : hundredths / 100;
}

/** @param site both endpoints say USD, but mean the unit that the site shows (wire section 5). */
export function billingFacts(
  { limit, accessUntil }: Subscription,
  used: number | undefined,
  site: SiteUnit | undefined,
  now: number,
): AccountFacts | undefined {
  const unit = site?.unit;
  const unlimited = limit >= unlimitedUsd;
  const remaining = used === undefined || unlimited ? undefined : limit - used;
  return factsOf({
    source: 'one-api',
    remaining: sum(remaining, unit),
    used: sum(used, unit),
    unlimited,
    expiresAt: accessUntil,
    keyStatus: isPast(accessUntil, now) ? 'expired' : isUsedUp(remaining) ? 'exhausted' : 'valid',
    credit:
      site?.unit === undefined ? undefined : creditLeft(remaining, site, site.factor * (site.quotaPerDollar ?? 0)),
  });
}

/** @param perDollar how much of the amount is a dollar of the site. */
function creditLeft(amount: number | undefined, { credit }: SiteUnit, perDollar = 0): AccountFacts['credit'] {
  const dollars = perDollar === 0 ? undefined : sum(amount, undefined, 1 / perDollar)?.amount;
  return dollars === undefined ? undefined : { dollars, ...credit };
}

/** Reads OpenRouter's `/api/v1/key`; `label` is a part of the key itself. */
export function readOpenRouterKey(body: unknown, unit: string | undefined, now: number): AccountFacts | undefined {
  const data = dataOf(body);
  const used = amountOf(data.usage);
  const remaining = signedOf(data.limit_remaining);
  if (used === undefined || !('limit' in data)) {
    return undefined;
  }
  const expiresAt = isoTime(data.expires_at);
  return factsOf({
    source: 'openrouter',
    remaining: sum(remaining, unit),
    used: sum(used, unit),
    unlimited: data.limit === null,
    expiresAt,
    keyStatus: isPast(expiresAt, now) ? 'expired' : isUsedUp(remaining) ? 'exhausted' : 'valid',
    name: label(data.label),
  });
}

/** Reads LiteLLM's `/key/info`; its documentation says that budgets are in US dollars. */
export function readLiteLlmKey(body: unknown, now: number): AccountFacts | undefined {
  const info = recordOf(recordOf(body).info);
  const spend = amountOf(info.spend);
  if (isFailure(body) || spend === undefined) {
    return undefined;
  }
  const budget = amountOf(info.max_budget);
  const remaining = budget === undefined ? undefined : budget - spend;
  const expiresAt = isoTime(info.expires);
  return factsOf({
    source: 'litellm',
    remaining: sum(remaining, 'USD'),
    used: sum(spend, 'USD'),
    unlimited: info.max_budget === null,
    expiresAt,
    keyStatus:
      info.blocked === true
        ? 'disabled'
        : isPast(expiresAt, now)
          ? 'expired'
          : isUsedUp(remaining)
            ? 'exhausted'
            : 'valid',
    name: label(info.key_alias),
  });
}
