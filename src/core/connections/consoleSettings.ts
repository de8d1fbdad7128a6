import * as l10n from '@vscode/l10n';
import { sentences } from '../base/localization.ts';
import { type Parsed, recordOf } from '../base/loose.ts';
import { type ConsolePage, consolePages } from '../errors/gatewayProblem.ts';
import type { BaseUrl } from './baseUrl.ts';
import { isExposedUrl, readWebAddress } from './webAddress.ts';

/** What the person set about the web console of a gateway, and about the credit it sells. */
export type ConsoleSettings = {
  /** Address of the gateway's web console, opened in a browser. */
  readonly consoleUrl?: string;
  /** Addresses of pages of the console; absent if the person set none. */
  readonly consolePages?: Readonly<Partial<Record<ConsolePage, string>>>;
  /** What one dollar of credit is worth; absent if the person did not set it. */
  readonly creditUnit?: Credit;
};

/** The front end of a site of the new-api family: the one until 2026, or its successor with other paths. */
export type ConsoleKind = 'classic' | 'default';

/** Paths of pages (wire section 5). The catalog has the same path in both. */
const knownPaths: Readonly<Record<ConsoleKind, Readonly<Record<ConsolePage, string>>>> = {
  classic: { keys: '/console/token', wallet: '/console/topup', models: '/pricing', usage: '/console/log' },
  default: { keys: '/keys', wallet: '/wallet', models: '/pricing', usage: '/usage-logs' },
};

/** Reads the settings of a connection's console. Reports and skips what is invalid. */
export function readConsoleSettings(
  entry: Readonly<Record<string, unknown>>,
  url: BaseUrl,
  report: (problem: string) => void,
): ConsoleSettings {
  const read = <T>(property: string, value: unknown, parse: (text: string) => Parsed<T>): T | undefined => {
    if (typeof value !== 'string' || value === '') {
      return undefined;
    }
    const result = parse(value);
    if (result.ok) {
      return result.value;
    }
    report(sentences(l10n.t('{0} is ignored.', property), result.reason));
    return undefined;
  };
  const consoleUrl = read('consoleUrl', entry.consoleUrl, readConsoleUrl);
  const creditUnit = read('creditUnit', entry.creditUnit, readCreditUnit);
  const pages = consolePages.flatMap((page) => {
    // The address may be relative to that of the console, or else of the gateway.
    const address = read(`consolePages.${page}`, recordOf(entry.consolePages)[page], (text) =>
      readConsoleUrl(URL.parse(text, consoleUrl ?? `${url.origin}/`)?.href ?? text),
    );
    return address === undefined ? [] : [[page, address] as const];
  });
  return {
    ...(consoleUrl !== undefined && { consoleUrl }),
    ...(pages.length > 0 && { consolePages: Object.fromEntries(pages) }),
    ...(creditUnit && { creditUnit }),
  };
}

/**
 * The address of a page of a connection's console, or of the console itself: as the person set it, otherwise where the
 * front end of the site has it.
 *
 * @param kind the front end that the site was found to have; undefined if that is unknown.
 * @returns undefined if no address is known.
 */
export function consoleAddress(
  { url, consoleUrl, consolePages: pages }: ConsoleSettings & { readonly url: BaseUrl },
  page: ConsolePage | undefined,
  kind: ConsoleKind | undefined,
): string | undefined {
  if (page === undefined || pages !== undefined || kind === undefined || consoleUrl?.includes('#')) {
    return (page && pages?.[page]) ?? consoleUrl;
  }
  const known = readConsoleUrl(new URL(knownPaths[kind][page], consoleUrl ?? url.origin).href);
  return known.ok ? known.value : consoleUrl;
}

/**
 * Reads the address of a gateway's web console, which is opened in a browser. Keeps path, query and fragment, because
 * single-page consoles name their pages after the `#`. Allows plain http only on this machine and in private networks,
 * because people sign in there.
 *
 * @returns the normalized address, or the reason for the refusal.
 */
export function readConsoleUrl(input: string): Parsed<string> {
  const address = readWebAddress(input, 'https://gateway.example/console');
  if (!address.ok) {
    return address;
  }
  return isExposedUrl(address.value)
    ? {
        ok: false,
        reason: l10n.t('This address starts with http://, so your password would be sent unencrypted. Use https://.'),
      }
    : { ok: true, value: address.value.href };
}

/**
 * What a dollar of a site's credit is worth: `factor` times `unit`, see `Money`. Sites of the new-api family count in
 * dollars of their own, and sell them at rates of their own.
 */
export type Credit = { readonly factor: number; readonly unit: string };

/** Reads a text such as `USD` or `0.5 CNY`. @returns the reason for a refusal otherwise, which repeats no input. */
export function readCreditUnit(text: string): Parsed<Credit> {
  const [, amount = '1', unit = ''] = /^\s*(?:(\d{1,9}(?:\.\d{1,9})?)\s*)?([a-z]{3})\s*$/i.exec(text) ?? [];
  const factor = Number(amount);
  return unit === '' || factor === 0
    ? { ok: false, reason: l10n.t('Enter a currency code such as USD, or an amount such as 0.5 CNY.') }
    : { ok: true, value: { unit: unit.toUpperCase(), factor } };
}

/** The text that `readCreditUnit` reads. */
export function creditUnitText({ unit, factor }: Credit): string {
  return factor === 1 ? unit : `${factor} ${unit}`;
}
