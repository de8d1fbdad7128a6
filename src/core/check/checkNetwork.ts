import { withinTime } from '../http/withinTime.ts';
import type { Route, TlsFacts } from '../network/networkProbe.ts';
import { carriesInClear, isThisMachine } from '../network/route.ts';
import { type CheckContext, type CheckFinding, findingOf, problemOf, skipped } from './checkFinding.ts';

/** What a step found, and what later steps build on when it went well. */
export type Look<T> = { readonly finding: CheckFinding; readonly value?: T };

const dayMs = 24 * 60 * 60 * 1_000;
/** Certificates of the common free authority are renewed 30 days before their end; with half of that gone, nobody did. */
const soonDays = 14;
const lookUpMs = 10_000;
/** For the proxy, the handshake and a slow machine on top of the connection itself. */
const handshakeExtraMs = 10_000;
const maxAddresses = 8;

export function lookAtAddress({ connection }: CheckContext): CheckFinding {
  const { base, modelsUrl, chatUrl, isExposed } = connection.url;
  const detail = `The base address is ${base}. Models come from ${modelsUrl}, questions go to ${chatUrl}.`;
  return isExposed
    ? {
        status: 'warning',
        detail: `${detail} Key and questions travel unencrypted: everyone on the way can read them.`,
        remedy: 'Use https:// if the gateway offers it.',
      }
    : { status: 'ok', detail };
}

export function lookAtRoute(context: CheckContext): Look<Route> {
  const { modelsUrl } = context.connection.url;
  if (context.carrier === 'host') {
    const { protocol, hostname } = new URL(modelsUrl);
    const more =
      protocol === 'http:' && !isThisMachine(hostname)
        ? ' If a proxy is on the way, it can read key and questions, because the address is http://.'
        : '';
    const detail = `The editor’s own network code carries the requests. Proxies, PAC files and certificates are its part.${more}`;
    return { finding: { status: 'ok', detail } };
  }
  try {
    const route = context.probe.routeTo(modelsUrl);
    const way = route.proxy === undefined ? 'Direct' : `Through the proxy ${route.proxy}`;
    const detail = `${way}: ${route.because}.`;
    const finding: CheckFinding = carriesInClear(route, modelsUrl)
      ? {
          status: 'warning',
          detail: `${detail} It can read key, questions and answers, because the address is http://.`,
          remedy: `Use https:// if the gateway offers it, or name ${new URL(modelsUrl).hostname} in http.noProxy to go past the proxy.`,
        }
      : { status: 'ok', detail };
    return { finding, value: route };
  } catch (error) {
    return { finding: findingOf(problemOf(error, context), context.host) };
  }
}

export async function lookUpName(context: CheckContext, route: Route | undefined): Promise<CheckFinding> {
  const { hostname } = new URL(context.connection.url.base);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (context.carrier === 'host') {
    return skipped('The editor’s own network code finds the address.');
  }
  if (route?.proxy !== undefined) {
    return skipped(`The proxy finds the address of ${host}.`);
  }
  if (host.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    return skipped(`${host} is an address already; there is no name to look up.`);
  }
  try {
    const addresses = await withinTime(context.clock, lookUpMs, context.signal, (signal) =>
      context.probe.lookUp(host, signal),
    );
    if (addresses.length === 0) {
      return findingOf({ kind: 'unreachable', host, cause: 'dns' }, context.host);
    }
    const more = addresses.length > maxAddresses ? ` and ${addresses.length - maxAddresses} more` : '';
    return { status: 'ok', detail: `${host} is ${addresses.slice(0, maxAddresses).join(', ')}${more}.` };
  } catch (error) {
    context.signal.throwIfAborted();
    return findingOf(problemOf(error, context), context.host);
  }
}

export async function shakeHands(context: CheckContext): Promise<Look<TlsFacts>> {
  const { clock, connection, connectTimeoutMs, probe, signal } = context;
  if (!connection.url.base.startsWith('https:')) {
    return { finding: skipped('An http:// address has no encryption and no certificate.') };
  }
  if (context.carrier === 'host') {
    return { finding: skipped('The editor’s own network code does this out of sight.') };
  }
  try {
    const facts = await withinTime(clock, connectTimeoutMs + handshakeExtraMs, signal, (inner) =>
      probe.handshake(connection.url.modelsUrl, connectTimeoutMs, inner),
    );
    return { finding: certificateFinding(facts, clock.now()), value: facts };
  } catch (error) {
    signal.throwIfAborted();
    const problem = problemOf(error, context);
    const finding = findingOf(problem, context.host);
    // Whether a date is over depends on what this machine takes for today.
    return problem.kind === 'certificate' && /EXPIRED|NOT_YET_VALID/.test(problem.detail)
      ? { finding: { ...finding, remedy: `${finding.remedy} This machine’s date is ${dateOf(clock.now())}.` } }
      : { finding };
  }
}

function certificateFinding({ protocol, alpn, subject, issuer, validUntil }: TlsFacts, now: number): CheckFinding {
  const days = Math.floor((validUntil - now) / dayMs);
  const spoken = alpn === undefined ? 'no protocol agreed on (ALPN)' : `agreed on ${alpn} (ALPN)`;
  const detail = `${protocol}, ${spoken}. Certificate of ${subject}, issued by ${issuer}, `;
  const until = dateOf(validUntil);
  if (!Number.isFinite(days)) {
    return { status: 'warning', detail: `${detail}without an end that can be read.` };
  }
  if (days < 0) {
    return {
      status: 'warning',
      detail: `${detail}out of date since ${until}, and taken all the same.`,
      remedy: `Whoever runs the gateway has to renew it. This machine’s date is ${dateOf(now)}.`,
    };
  }
  const left = `${detail}good until ${until}, ${days === 1 ? '1 more day' : `${days} more days`}.`;
  return days < soonDays
    ? { status: 'warning', detail: left, remedy: 'Whoever runs the gateway has to renew it soon.' }
    : { status: 'ok', detail: left };
}

function dateOf(at: number): string {
  return Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString().slice(0, 10) : 'unknown';
}
