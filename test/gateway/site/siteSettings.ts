/** How the site says that it shows quota: fields of `GET /api/status`. Without any it says nothing. */
export interface SiteDisplay {
  readonly quota_display_type?: 'USD' | 'CNY' | 'CUSTOM' | 'TOKENS';
  readonly display_in_currency?: boolean;
  /** Yuan for a dollar of the site. */
  readonly usd_exchange_rate?: number;
  readonly custom_currency_symbol?: string;
  readonly custom_currency_exchange_rate?: number;
}

/** Factors of the prices, by group. */
export type GroupRatios = Readonly<Record<string, number>>;

const siteFault = /^(off|401|429|html|big|damaged|cut)(?::(\d+))?(?:@(status|pricing|log|usage))?$/;

/** The endpoints of the site. */
export type SiteEndpointName = 'status' | 'pricing' | 'log' | 'usage';

/** A defect of the site's endpoints. */
export interface SiteFault {
  readonly name: 'off' | '401' | '429' | 'html' | 'big' | 'damaged' | 'cut';
  /** The megabytes of `big`. */
  readonly amount: number;
  /** The only endpoint with the defect; all of them when undefined. */
  readonly on: SiteEndpointName | undefined;
}

/**
 * Reads `name`, `big:megabytes` or `name@endpoint`. `off`: the endpoints don't exist. `html`: a page in place of JSON.
 * `big`: padding in a valid answer, 5 MB by default. `damaged`: items of wrong types. `cut`: half of the JSON.
 */
export function chooseSiteFault(text: string): SiteFault {
  const match = siteFault.exec(text);
  if (match === null) {
    throw new Error(`There is no fault '${text}' of the site's endpoints.`);
  }
  return {
    name: match[1] as SiteFault['name'],
    amount: Number(match[2] ?? 5),
    on: match[3] as SiteEndpointName | undefined,
  };
}
