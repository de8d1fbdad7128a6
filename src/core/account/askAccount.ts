import {
  billingFacts,
  readBillingUsage,
  readLiteLlmKey,
  readOpenRouterKey,
  readSubscription,
  readTokenUsage,
} from './accountDialects.ts';
import type { AccountFacts } from './accountFacts.ts';
import type { SiteUnit } from './siteStatus.ts';

/** Queries one endpoint; undefined when the gateway doesn't offer it. */
export type Ask = <T>(url: string, read: (body: unknown) => T | undefined) => Promise<T | undefined>;

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
  now: number,
): Promise<AccountFacts | undefined> {
  const { hostname } = new URL(base);
  const root = rootOf(base);
  const openRouter = (unit?: string) => ask(`${base}/key`, (body) => readOpenRouterKey(body, unit, now));
  const billing = async (site?: SiteUnit) => {
    const subscription = await ask(`${base}/dashboard/billing/subscription`, readSubscription);
    // Usage means nothing without the limit that the subscription states.
    const used = subscription && (await ask(`${base}/dashboard/billing/usage`, readBillingUsage));
    return subscription && billingFacts(subscription, used, site, now);
  };
  if (hostname === 'openrouter.ai' || hostname.endsWith('.openrouter.ai')) {
    return openRouter('USD');
  }
  // Under `/api/v1` OpenRouter's dialect is likelier: the paths of the others would begin with `/api/api`.
  const facts = root.endsWith('/api') ? await openRouter() : undefined;
  if (facts) {
    return facts;
  }
  const site = await askSite();
  if (site) {
    const usage = await ask(`${root}/api/usage/token/`, (body) => readTokenUsage(body, site, now));
    return usage ?? billing(site);
  }
  const key = await ask(`${root}/key/info`, (body) => readLiteLlmKey(body, now));
  return key ?? billing();
}
