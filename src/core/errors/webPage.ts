import { type AnswerFacts, classify, evidenceOf } from './classify.ts';
import type { GatewayProblem, PageKind, ProblemKind } from './gatewayProblem.ts';

/** What identifies a page. All properties that are set have to match. */
type Signature = {
  readonly kind: PageKind | 'blocked';
  readonly service?: string;
  readonly status?: number;
  /** The name of a header. */
  readonly header?: string;
  readonly page?: RegExp;
  /** Longer pages have such code for other reasons. */
  readonly isShort?: true;
};

/**
 * Pages that arrive in place of API responses (wire Q79, Q80). The first signature that matches decides; a page without
 * one is shown by its status and title. A service's name alone proves nothing: it is also on the error pages for a
 * failing gateway behind the service.
 */
const signatures: readonly Signature[] = [
  { kind: 'blocked', service: 'Cloudflare', header: 'cf-mitigated' },
  {
    kind: 'blocked',
    service: 'Cloudflare',
    // The codes of blocked visitors. Its other codes from 1000 on are about the gateway behind it.
    page: /\bcf_chl_|_cf_chl|<title>\s{0,200}(?:just a moment|attention required)|error(?:\s{1,20}code)?:?\s{0,20}(?:<[^>]{0,80}>\s{0,20})?(?:100[5-9]|101[0-3]|1020)\b[\s\S]{0,2000}cloudflare/i,
  },
  // Gateways don't refuse API calls with pages, so this one is Cloudflare's own.
  { kind: 'blocked', service: 'Cloudflare', status: 403, header: 'cf-ray' },
  {
    kind: 'proxy',
    page: /squid\/\d|ERR_(?:ACCESS_DENIED|CACHE_ACCESS_DENIED|CONNECT_FAIL|DNS_FAIL|CANNOT_FORWARD)|zscaler|fortiguard|fortigate|blue ?coat|netskope|forcepoint|palo alto networks|cisco umbrella|web page blocked|proxy authentication required/i,
  },
  {
    kind: 'blocked',
    page: /request (?:was |is )?blocked|request(?:ed url)? was rejected|incapsula|imperva|errors\.edgesuite\.net|reference\s{1,20}#\d|awswaf|human verification|(?:website|web application) firewall|security checkpoint|mod_?security|防火墙|访问被阻断|设置拦截/i,
  },
  { kind: 'login', status: 511 },
  {
    kind: 'login',
    page: /<title\b[^>]{0,200}>[^<]{0,200}(?:\b(?:log[ -]?in|sign[ -]?in|log ?on|sso|authentication required|hot-?spot|guest (?:network|access|internet))\b|登录|登入|认证)|<input\b[^>]{0,400}(?:\btype\s{0,20}=\s{0,20}["']?password|\bname\s{0,20}=\s{0,20}["']?SAML)|<h[12]\b[^>]{0,200}>\s{0,200}(?:please\s{1,20})?(?:log ?in|sign ?in|登录|登入)|WISPAccessGatewayParam|captive[ -_]?portal|generate_204|msftconnecttest|network authentication required|<body>success<\/body>/i,
  },
  // A short page that leads to another site by itself: of a network or a company that wants a sign-in first.
  {
    kind: 'login',
    isShort: true,
    page: /(?:\brefresh\b[^>]{0,400}\burl\s{0,20}=|\blocation(?:\.href)?\s{0,20}=|<form\b[^>]{0,200}\bmethod\s{0,20}=\s{0,20}["']?post\b[^>]{0,200}\baction\s{0,20}=)\s{0,20}["']?https?:\/\//i,
  },
];

/** Kinds for which the status says more than the page. */
const statusKinds: ReadonlySet<ProblemKind> = new Set([
  'keyRejected',
  'requestTooLarge',
  'rateLimited',
  'gatewayTimedOut',
  'gatewayDown',
  'proxy',
]);

/** UTF-16 units of a page that are read: its beginning shows what it is. */
const maxRead = 40_000;
/** UTF-16 units of a title that are shown. */
const maxTitle = 300;

/** The problem of a web page in place of an API response: a wrong address, a block page, a proxy's page or a login. */
export function webPageProblem(html: string, answer: AnswerFacts): GatewayProblem {
  const { status, headers } = answer;
  const page = readablePage(html);
  const { words, ...rest } = evidenceOf({ message: pageTitle(page) ?? '' }, answer);
  // Cut only after redaction: half a key isn't recognized as one.
  const evidence = { ...rest, ...(words && { words: words.slice(0, maxTitle) }), isPage: true } as const;
  const { kind = 'page', service } =
    signatures.find(
      (each) =>
        (each.status === undefined || each.status === status) &&
        (each.header === undefined || headers[each.header] !== undefined) &&
        (each.isShort === undefined || page.length < 2_000) &&
        (each.page === undefined || each.page.test(page)),
    ) ?? {};
  const byStatus = classify({}, answer);
  if (kind === 'blocked') {
    return status === 429 ? { ...byStatus, ...evidence } : { kind, service, ...evidence };
  }
  // A proxy's page means that the proxy reached no gateway, with any 5xx status; only networks send 511.
  const isFromNetwork =
    byStatus.kind === 'keyRejected'
      ? kind !== 'page'
      : byStatus.kind === 'gatewayDown' && (kind === 'proxy' || status === 511);
  return statusKinds.has(byStatus.kind) && !isFromNetwork
    ? { ...byStatus, ...evidence }
    : { kind: 'webPage', page: kind, ...evidence };
}

/** True when the first character that isn't a blank opens a tag. */
export function isHtmlLike(text: string): boolean {
  return /^\s*<(?:!|\?|[a-z])/i.test(text);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The start of a page, with its character references resolved: block pages encode their request ids with them. */
function readablePage(html: string): string {
  return html.slice(0, maxRead).replace(/&(?:#(\d{1,7}|x[\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, point, name) => {
    if (name !== undefined) {
      return named[name.toLowerCase()] ?? whole;
    }
    const at = Number(`0${point}`);
    return at > 0 && at <= 0x10ffff ? String.fromCodePoint(at) : '';
  });
}

/** @returns the title on one line; undefined when there is none. */
function pageTitle(page: string): string | undefined {
  const text = /<(?:title|message)\b[^>]{0,200}>([^<]{1,2000})/i.exec(page)?.[1];
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}
