import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../base/localization.ts';
import { withinTime } from '../http/withinTime.ts';
import { isThisMachine } from '../network/hostName.ts';
import type { Route, TlsFacts } from '../network/networkProbe.ts';
import { isReadableByProxy } from '../network/route.ts';
import { type CheckContext, type CheckFinding, findingOf, problemOf, skipped } from './checkFinding.ts';

/** The finding of a step, and the value that later steps use if it succeeded. */
export type StepResult<T> = { readonly finding: CheckFinding; readonly value?: T };

const dayMs = 24 * 60 * 60 * 1_000;
/** Certificates by Let's Encrypt are usually renewed 30 days before they expire, so with 14 left renewal has failed. */
const soonDays = 14;
const resolveTimeoutMs = 10_000;
/** Time for the proxy, the handshake and a slow machine, added to the connection time-out. */
const handshakeExtraMs = 10_000;
const maxAddresses = 8;

export function checkAddress({ connection }: CheckContext): CheckFinding {
  const { base, modelsUrl, chatUrl, isExposed } = connection.url;
  const detail = l10n.t(
    'The address is {0}. Models are read from {1}, and questions are sent to {2}.',
    base,
    modelsUrl,
    chatUrl,
  );
  return isExposed
    ? {
        status: 'warning',
        detail: sentences(
          detail,
          l10n.t('The key and questions are sent unencrypted. Anyone on the network path can read them.'),
        ),
        remedy: l10n.t('Use https:// if the gateway supports it.'),
      }
    : { status: 'ok', detail };
}

export function checkRoute(context: CheckContext): StepResult<Route> {
  const { modelsUrl } = context.connection.url;
  if (context.network === 'host') {
    const { protocol, hostname } = new URL(modelsUrl);
    const detail = sentences(
      l10n.t("VS Code's own network stack sends the requests. It handles proxies, PAC files, and certificates."),
      protocol === 'http:' &&
        !isThisMachine(hostname) &&
        l10n.t(
          'If it uses a proxy, the proxy can read the key and questions, because the address starts with http://.',
        ),
    );
    return { finding: { status: 'ok', detail } };
  }
  try {
    const route = context.probe.routeTo(modelsUrl);
    const detail = routeText(route);
    const finding: CheckFinding = isReadableByProxy(route, modelsUrl)
      ? {
          status: 'warning',
          detail: sentences(
            detail,
            l10n.t('It can read the key, questions, and answers, because the address starts with http://.'),
          ),
          remedy: l10n.t(
            'Use https:// if the gateway supports it, or add {0} to http.noProxy to bypass the proxy.',
            new URL(modelsUrl).hostname,
          ),
        }
      : { status: 'ok', detail };
    return { finding, value: route };
  } catch (error) {
    return { finding: findingOf(problemOf(error, context), context.host) };
  }
}

function routeText({ proxy = '', because }: Route): string {
  switch (because.reason) {
    case 'setting':
      return l10n.t('Through the proxy {0}, which is set in {1}.', proxy, because.setting);
    case 'noProxySet':
      return l10n.t('Direct connection. No proxy is set.');
    case 'proxySupportOff':
      return l10n.t('Direct connection. http.proxySupport is off.');
    case 'thisMachine':
      return l10n.t('Direct connection. {0} is this computer.', because.host);
    case 'exempt':
      return l10n.t('Direct connection. {0} contains {1}.', because.setting, because.entry);
    case 'editor':
      return l10n.t('VS Code chooses the route, because askModel.network.transport is host.');
    default:
      return because satisfies never;
  }
}

export async function checkDns(context: CheckContext, route: Route | undefined): Promise<CheckFinding> {
  const { hostname } = new URL(context.connection.url.base);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (context.network === 'host') {
    return skipped(l10n.t("VS Code's own network stack looks up the address."));
  }
  if (route?.proxy !== undefined) {
    return skipped(l10n.t('The proxy looks up the address of {0}.', host));
  }
  if (host.includes(':') || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) {
    return skipped(l10n.t('{0} is an IP address, so no lookup is needed.', host));
  }
  try {
    const addresses = await withinTime(context.clock, resolveTimeoutMs, context.signal, (signal) =>
      context.probe.resolve(host, signal),
    );
    if (addresses.length === 0) {
      return findingOf({ kind: 'unreachable', host, cause: 'dns' }, context.host);
    }
    const first = addresses.slice(0, maxAddresses).join(', ');
    const detail =
      addresses.length > maxAddresses
        ? l10n.t('{0} resolves to {1} addresses, including {2}.', host, numberText(addresses.length), first)
        : l10n.t('{0} resolves to {1}.', host, first);
    return { status: 'ok', detail };
  } catch (error) {
    context.signal.throwIfAborted();
    return findingOf(problemOf(error, context), context.host);
  }
}

export async function checkTls(context: CheckContext): Promise<StepResult<TlsFacts>> {
  const { clock, connection, connectTimeoutMs, probe, signal } = context;
  if (!connection.url.base.startsWith('https:')) {
    return { finding: skipped(l10n.t('An http:// address uses no encryption and no certificate.')) };
  }
  if (context.network === 'host') {
    return { finding: skipped(l10n.t("VS Code's own network stack does this and reports no details.")) };
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
    // Shows this machine's date, because a wrong clock makes valid certificates look expired.
    const today = dateOf(clock.now());
    return today !== undefined && problem.kind === 'certificate' && /EXPIRED|NOT_YET_VALID/.test(problem.detail)
      ? { finding: { ...finding, remedy: sentences(finding.remedy, l10n.t("This computer's date is {0}.", today)) } }
      : { finding };
  }
}

function certificateFinding({ protocol, alpn, subject, issuer, validUntil }: TlsFacts, now: number): CheckFinding {
  const days = Math.floor((validUntil - now) / dayMs);
  const until = dateOf(validUntil);
  const detail = sentences(
    alpn === undefined
      ? l10n.t('{0}, no application protocol negotiated (ALPN).', protocol)
      : l10n.t('{0}, application protocol {1} (ALPN).', protocol, alpn),
    until === undefined
      ? l10n.t('Certificate of {0}, issued by {1}, with an unknown expiration date.', subject, issuer)
      : l10n.t('Certificate of {0}, issued by {1}, valid until {2}.', subject, issuer, until),
    days >= 0 && plural(days, l10n.t('It expires in 1 day.'), l10n.t('It expires in {0} days.', numberText(days))),
  );
  return days < soonDays
    ? { status: 'warning', detail, remedy: l10n.t("The gateway's operator must renew it soon.") }
    : { status: 'ok', detail };
}

/** A date as in the messages of servers and certificates, such as `2026-11-30`; undefined when there is none. */
function dateOf(at: number): string | undefined {
  return Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString().slice(0, 10) : undefined;
}
