import type { KeyRecord } from '../accountState.ts';
import { keyValueOf } from '../admission.ts';
import type { Exchange } from '../network/exchange.ts';
import type { Settings } from '../settings.ts';
import { siteLog, sitePricing, siteStatus, siteUsage } from './siteBodies.ts';
import type { SiteEndpointName } from './siteSettings.ts';

type Endpoint = { readonly name: SiteEndpointName } & (
  | { readonly body: (settings: Settings) => object }
  | { readonly ofKey: (settings: Settings, key: KeyRecord) => object }
);

const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ['/api/status', { name: 'status', body: siteStatus }],
  ['/api/pricing', { name: 'pricing', body: sitePricing }],
  ['/api/log/token', { name: 'log', ofKey: siteLog }],
  ['/api/usage/token/', { name: 'usage', ofKey: (_, key) => siteUsage(key) }],
]);

/** The endpoints for keys share a limit of so many requests in so many milliseconds. */
const readLimit = { count: 20, windowMs: 20 * 60_000 } as const;

/**
 * Creates the endpoints of a site of the new-api family: its prices, and what it knows of a key (wire section 5).
 *
 * @returns a function that answers a request; false when it isn't for one of the endpoints.
 */
export function openSite(settings: Settings): (exchange: Exchange) => boolean {
  let reads: number[] = [];

  function answerOf({ request }: Exchange, endpoint: Endpoint): { status: number; body: object } {
    if ('body' in endpoint) {
      return { status: 200, body: endpoint.body(settings) };
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
      : { status: 200, body: endpoint.ofKey(settings, key) };
  }

  return (exchange) => {
    const { request, response, url } = exchange;
    const endpoint = request.method === 'GET' ? endpoints.get(url.pathname) : undefined;
    const { siteFault, siteApi, recorder } = settings;
    const fault = siteFault?.on === undefined || siteFault.on === endpoint?.name ? siteFault : undefined;
    if (endpoint === undefined || siteApi === 'off' || fault?.name === 'off') {
      return false;
    }
    recorder.add(request, '');
    if (fault?.name === 'html') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><html><title>Console</title><body>Not found</body></html>');
      return true;
    }
    const isRefused = fault?.name === '401' || fault?.name === '429';
    const { status, body } = isRefused
      ? { status: Number(fault.name), body: { success: false, message: 'Refused' } }
      : answerOf(exchange, endpoint);
    const sent = fault?.name === 'damaged' ? damaged(body) : body;
    const padding = fault?.name === 'big' && { padding: 'x'.repeat(fault.amount * 1024 * 1024) };
    const text = JSON.stringify({ ...padding, ...sent });
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(fault?.name === 'cut' ? text.slice(0, text.length / 2) : text);
    return true;
  };
}

/** In a list, the second and third of each five items are no items, the fourth has wrong types, the fifth is cut. */
function damaged(body: object): object {
  const data: unknown = 'data' in body ? body.data : undefined;
  if (!Array.isArray(data)) {
    return { ...body, data: 'damaged' };
  }
  const wrong = { model_name: null, model_ratio: 'cheap', quota: 'much', created_at: -1 };
  const list = data.map((item: object, index) => {
    const damages = [item, null, JSON.stringify(item), { ...item, ...wrong }, cut(item)];
    return damages[index % damages.length];
  });
  return { ...body, data: list };
}

/** Without the second half of the fields; what is JSON in a field is cut too. */
function cut(item: object): object {
  const fields = Object.entries(item);
  const half = fields.slice(0, fields.length / 2);
  return Object.fromEntries([...half, ...('other' in item ? [['other', String(item.other).slice(0, 20)]] : [])]);
}
