import { pageTitle } from './pageText.ts';
import { isSignInHost, isSignInPlace } from './signInPlace.ts';

/**
 * What a web page in place of an answer is: one where somebody should sign in, one of the network that wants something
 * first, one of a proxy or filter on the way, or any other.
 */
export type PageKind = 'page' | 'login' | 'portal' | 'proxy';

const portalMarks =
  /WISPAccessGatewayParam|captive[ -_]?portal|captive\.apple\.com|connectivitycheck|generate_204|detectportal|msftconnecttest|networkcheck\.|nmcheck\.|network authentication required/i;
const portalTitle =
  /captive|hot-?spot|guest (?:network|access|internet)|(?:wi-?fi|wlan|wireless|internet|network)[^<]{0,40}(?:log-?in|sign|access|connect|welcome|authenticat|portal)|(?:log-?in|sign|connect|welcome|authenticat|access)[^<]{0,40}(?:wi-?fi|wlan|wireless|internet|network)|无线[^<]{0,12}(?:认证|登录|上网)|(?:上网|网络|校园网|portal)\s?(?:认证|登录)/i;
const loginTitle =
  /\b(?:log[ -]?in|sign[ -]?in|log ?on|single sign-on|sso|authentication required|authorization required)\b|登录|登入|登陆|统一认证|单点登录/i;
const proxyMarks =
  /squid\/\d|<!--\s{0,20}squid|ERR_(?:ACCESS_DENIED|CACHE_ACCESS_DENIED|CONNECT_FAIL|DNS_FAIL|CANNOT_FORWARD)|zscaler|fortiguard|fortigate|blue ?coat|proxysg|netskope|forcepoint|websense|mcafee web gateway|skyhigh|palo alto networks|barracuda web|cisco umbrella|sophos web|web page blocked|privoxy|proxy authentication required/i;

/** @param page from `readablePage`. */
export function pageKind(page: string, status: number): PageKind {
  const title = pageTitle(page) ?? '';
  if (status === 511 || portalMarks.test(page) || portalTitle.test(title) || isApplesSuccess(page, title)) {
    return 'portal';
  }
  if (status === 407 || proxyMarks.test(page)) {
    return 'proxy';
  }
  const next = refreshTarget(page);
  if (isLogin(page, title, next)) {
    return 'login';
  }
  // A page that does nothing but lead away from the gateway is no page of the gateway.
  return next === undefined ? 'page' : 'portal';
}

/** The page Apple's devices ask for to find out whether they are online; who sees it here was led astray. */
function isApplesSuccess(page: string, title: string): boolean {
  return /^success$/i.test(title) && page.length < 500;
}

function isLogin(page: string, title: string, next: URL | undefined): boolean {
  return (
    loginTitle.test(title) ||
    /<input\b[^>]{0,400}\btype\s{0,20}=\s{0,20}["']?password/i.test(page) ||
    /<input\b[^>]{0,400}\bname\s{0,20}=\s{0,20}["']?SAML(?:Request|Response)/i.test(page) ||
    /<h[12]\b[^>]{0,200}>\s{0,200}(?:please\s{1,20})?(?:log ?in|sign ?in|登录|登入)/i.test(page) ||
    formHosts(page).some(isSignInHost) ||
    (next !== undefined && isSignInPlace(next))
  );
}

function formHosts(page: string): string[] {
  const targets = page.matchAll(/<form\b[^>]{0,400}\baction\s{0,20}=\s{0,20}["']?(https?:\/\/[^\s"'>]{1,300})/gi);
  return Array.from(targets, ([, target]) => target ?? '')
    .filter((target) => URL.canParse(target))
    .map((target) => new URL(target).hostname);
}

/** Where a page sends the browser at once, when that is another site. */
function refreshTarget(page: string): URL | undefined {
  const meta = /<meta\b[^>]{0,200}http-equiv\s{0,20}=\s{0,20}["']?refresh["']?[^>]{0,400}/i.exec(page)?.[0];
  const refreshed = /url\s{0,20}=\s{0,20}["']?(https?:\/\/[^\s"'>]{1,1000})/i.exec(meta ?? '')?.[1];
  // Only of a page that is nothing else: applications have such lines for reasons of their own.
  const scripted =
    page.length < 2_000
      ? /\blocation(?:\.href\s{0,20}=|\s{0,20}=|\.replace\(|\.assign\()\s{0,20}["'](https?:\/\/[^\s"']{1,1000})/i.exec(
          page,
        )?.[1]
      : undefined;
  const target = refreshed ?? scripted;
  return target !== undefined && URL.canParse(target) ? new URL(target) : undefined;
}
