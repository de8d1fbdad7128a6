import { amountOf, isRecord, type LooseRecord, recordOf, textOf, unixTimeOf } from '../base/loose.ts';
import { siteUnit } from '../base/money.ts';
import type { ConsoleKind, Credit } from '../connections/consoleSettings.ts';
import { keyMark } from '../secrets/keyRemover.ts';
import { redact } from '../secrets/redact.ts';
import type { AccountAmount, AccountFacts } from './accountFacts.ts';

/**
 * Readers for the answers in wire section 5. They accept any JSON and return undefined unless it has the expected shape
 * and useful values.
 */

/** Larger amounts are neither money nor quota. */
const maxAmount = 1e15;
/** Larger numbers are no rates of a currency. */
const maxRate = 1e9;
/** The limit that one-api and new-api send for a key without one. */
const unlimitedUsd = 100_000_000;

/** Queries one endpoint; undefined when the gateway doesn't offer it. */
export type Ask = <T>(url: string, read: (body: unknown) => T | undefined) => Promise<T | undefined>;

/** How a new-api or one-api site counts: quota times `factor` is an amount in `unit`, as its console shows balances. */
export type SiteUnit = {
  readonly factor: number;
  readonly unit?: string;
  /** The quota that is a dollar of the site, if the site states it. */
  readonly quotaPerDollar?: number;
  /** In money only if the site says so; otherwise `siteUnit`. */
  readonly credit: Credit;
  readonly consoleKind: ConsoleKind;
};

/** What an endpoint says of a key, in the unit in which it counts. */
type Reported = Pick<AccountFacts, 'unlimited' | 'expiresAt' | 'isDisabled' | 'name'> & {
  readonly left?: number | undefined;
  readonly used?: number | undefined;
};

/** What the numbers of an endpoint mean. `dollar`: how much of them is a dollar of the site. */
type Counting = Partial<SiteUnit> & { readonly dollar?: number | undefined };

/** The endpoints of a key that answer in one request: under `base` or the address without a version, and what they say. */
const dialects = {
  newApi: {
    path: '/api/usage/token/',
    read(body: unknown): Reported | undefined {
      const data = dataOf(body);
      const left = signedOf(data.total_available);
      // The quota of a key without a limit is a meaningless negative number.
      const unlimited = data.unlimited_quota === true || undefined;
      const facts = { left, used: amountOf(data.total_used), unlimited, name: label(data.name) };
      return left === undefined && !unlimited ? undefined : { ...facts, expiresAt: unixTimeOf(data.expires_at) };
    },
  },
  openRouter: {
    path: '/key',
    read(body: unknown): Reported | undefined {
      const data = dataOf(body);
      const used = amountOf(data.usage);
      const facts = { left: signedOf(data.limit_remaining), used, unlimited: data.limit === null || undefined };
      // The label is a part of the key itself unless the person gave one.
      return used === undefined || !('limit' in data)
        ? undefined
        : { ...facts, expiresAt: unixTimeOf(data.expires_at), name: label(data.label) };
    },
  },
  liteLlm: {
    path: '/key/info',
    read(body: unknown): Reported | undefined {
      const info = recordOf(recordOf(body).info);
      const used = amountOf(info.spend);
      const budget = signedOf(info.max_budget);
      const left = budget === undefined || used === undefined ? undefined : budget - used;
      const [unlimited, isDisabled] = [info.max_budget === null || undefined, info.blocked === true || undefined];
      return isFailure(body) || used === undefined
        ? undefined
        : { left, used, unlimited, isDisabled, expiresAt: unixTimeOf(info.expires), name: label(info.key_alias) };
    },
  },
} as const;

export function isOpenRouter(base: string): boolean {
  return /(?:^|\.)openrouter\.ai$/.test(new URL(base).hostname);
}

/** The address that paths outside the API are under. */
export function rootOf(base: string): string {
  return base.replace(/\/(?:v\d\w*(?:\/openai)?|chat\/completions|invocations)$/i, '');
}

/**
 * Queries the endpoints that can report on a key, in an order that needs few requests: OpenRouter is known by its name,
 * and a site of the new-api family identifies itself without a key.
 *
 * @param askSite queries its public status.
 */
export async function askAccount(
  ask: Ask,
  askSite: () => Promise<SiteUnit | undefined>,
  base: string,
): Promise<AccountFacts | undefined> {
  const root = rootOf(base);
  const query = async (under: string, { path, read }: (typeof dialects)[keyof typeof dialects], counting: Counting) => {
    const reported = await ask(`${under}${path}`, read);
    return reported && factsOf(reported, counting);
  };
  if (isOpenRouter(base)) {
    return query(base, dialects.openRouter, { unit: 'USD' });
  }
  const site = await askSite();
  return (
    (site
      ? await query(root, dialects.newApi, { ...site, dollar: site.quotaPerDollar })
      : // Its documentation says that budgets are in US dollars.
        await query(root, dialects.liteLlm, { unit: 'USD' })) ?? askBilling(ask, base, site)
  );
}

/**
 * Queries the billing of one-api and new-api: the limit, and then what was used, in hundredths. Both say USD, but mean the
 * unit that the site shows (wire section 5), and errors come with status 200.
 */
async function askBilling(ask: Ask, base: string, site: SiteUnit | undefined): Promise<AccountFacts | undefined> {
  const subscription = await ask(`${base}/dashboard/billing/subscription`, (body) => {
    const limit = isFailure(body) ? undefined : amountOf(recordOf(body).hard_limit_usd);
    return limit === undefined ? undefined : { limit, expiresAt: unixTimeOf(recordOf(body).access_until) };
  });
  // Usage means nothing without the limit that the subscription states.
  const used =
    subscription &&
    (await ask(`${base}/dashboard/billing/usage`, (body) => {
      const hundredths = isFailure(body) ? undefined : amountOf(recordOf(body).total_usage);
      return hundredths === undefined ? undefined : hundredths / 100;
    }));
  if (subscription === undefined) {
    return undefined;
  }
  const { limit, expiresAt } = subscription;
  const left = used === undefined ? undefined : limit - used;
  const dollar = site?.unit === undefined ? undefined : site.factor * (site.quotaPerDollar ?? 0);
  const counting = { unit: site?.unit, credit: site?.credit, dollar };
  return factsOf({ left, used, unlimited: limit >= unlimitedUsd || undefined, expiresAt }, counting);
}

/** Undefined when no balance, limit or expiry is known. */
function factsOf(
  { left, used: spent, ...known }: Reported,
  { unit, factor = 1, dollar, credit, consoleKind }: Counting,
): AccountFacts | undefined {
  const remaining = known.unlimited ? undefined : sum(left, unit, factor);
  const used = sum(spent, unit, factor);
  const dollars = remaining && dollar && credit ? sum(left, undefined, 1 / dollar)?.amount : undefined;
  const draft = {
    ...known,
    remaining,
    used,
    credit: dollars === undefined ? undefined : { dollars, ...credit },
    consoleKind,
  };
  return (remaining ?? used ?? known.unlimited ?? known.expiresAt) === undefined
    ? undefined
    : Object.fromEntries(Object.entries(draft).filter(([, fact]) => fact !== undefined));
}

/** Reads the public `/api/status` of new-api and one-api. Without a stated unit, amounts are plain quota. */
export function readSiteStatus(body: unknown): SiteUnit | undefined {
  const data = dataOf(body);
  if (!('quota_per_unit' in data || 'system_name' in data)) {
    return undefined;
  }
  const isMoney = data.display_in_currency;
  const stated = textOf(data.quota_display_type)?.toUpperCase();
  const credit = creditOf(stated ?? (isMoney === true ? 'USD' : undefined), data);
  const consoleKind = data.theme === 'default' ? 'default' : 'classic';
  const quotaPerDollar = amountOf(data.quota_per_unit) || undefined;
  const shown = stated ?? (isMoney === false ? 'TOKENS' : 'USD');
  const { factor, unit } = creditOf(shown, data);
  const site = { factor: 1, quotaPerDollar, credit, consoleKind } as const;
  if (quotaPerDollar === undefined) {
    return site;
  }
  if (shown === 'TOKENS') {
    return { ...site, unit: 'tokens' };
  }
  return unit === siteUnit ? site : { ...site, factor: factor / quotaPerDollar, unit };
}

function creditOf(shown: string | undefined, data: LooseRecord): Credit {
  const unit =
    shown === 'USD' || shown === 'CNY' ? shown : shown === 'CUSTOM' ? label(data.custom_currency_symbol, 8) : undefined;
  // A symbol of the site's own must not be taken for the words of ours.
  const isOurs = unit === siteUnit || unit === 'tokens';
  const rate = shown === 'CNY' ? data.usd_exchange_rate : data.custom_currency_exchange_rate;
  const factor = shown === 'USD' ? 1 : amountUpTo(rate, maxRate);
  return unit === undefined || isOurs || !factor ? { factor: 1, unit: siteUnit } : { factor, unit };
}

/** The field `data`, in which these services wrap a successful answer; an empty record when there is none. */
function dataOf(body: unknown): LooseRecord {
  return recordOf(isFailure(body) ? undefined : recordOf(body).data);
}

/** Whether a body is an error; errors come with any HTTP status, including 200. */
export function isFailure(body: unknown): boolean {
  const { success, error, status } = recordOf(body);
  return !isRecord(body) || success === false || status === false || (error !== undefined && error !== null);
}

/** An amount of plausible size; `factor` converts it to the unit. */
function sum(amount: number | undefined, unit: string | undefined, factor = 1): AccountAmount | undefined {
  // Rounds off floating point errors such as that of 10 - 9.9.
  const rounded = amount === undefined ? Number.NaN : Number((amount * factor).toPrecision(12));
  return Math.abs(rounded) <= maxAmount ? { amount: rounded, ...(unit !== undefined && { unit }) } : undefined;
}

/** Like `amountOf`, but also accepts negative numbers: accounts can be overdrawn. */
function signedOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Like `amountOf`, but undefined above `max`, which no plausible value exceeds. */
export function amountUpTo(value: unknown, max: number): number | undefined {
  const amount = amountOf(value);
  return amount !== undefined && amount <= max ? amount : undefined;
}

/** A short name in one line; undefined if it contains a key or a part of one. */
export function label(value: unknown, maxChars = 60): string | undefined {
  const text = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() : '';
  const holdsKey = text.includes(keyMark) || redact(text) !== text;
  return text === '' || holdsKey ? undefined : Array.from(text).slice(0, maxChars).join('');
}
