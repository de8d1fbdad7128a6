/** Services that companies let people sign in at; the hosts are their own documentation's. */
const signInHost =
  /(?:^|\.)(?:login\.microsoftonline\.(?:com|us|de)|login\.partner\.microsoftonline\.cn|login\.live\.com|accounts\.google\.com|okta(?:-emea|preview)?\.com|auth0\.com|onelogin\.com|cloudflareaccess\.com|pingone\.(?:com|eu|asia|ca)|duosecurity\.com|jumpcloud\.com|authing\.cn|amazoncognito\.com)$/i;
/** First labels of hosts made for it, and words of their paths. */
const signInLabel =
  /^(?:login|log-in|signin|sign-in|sso|auth|oauth|idp|adfs|saml|accounts?|passport|cas|portal|captive|wifi|hotspot)\d*\./i;
const signInPath =
  /(?:^|[/._-])(?:log[-_]?in|sign[-_]?in|sso|saml2?|oauth2?|oidc|adfs|authorize|authenticate|captive|hotspot|portal)(?:[/?._-]|$)|SAMLRequest=|RelayState=/i;

/** Whether an address is one where a person signs in: to a company, to a gateway's console, to a network. */
export function isSignInPlace(url: URL): boolean {
  return signInHost.test(url.hostname) || signInLabel.test(url.hostname) || signInPath.test(url.pathname + url.search);
}

/** Whether it is one of the services that companies let people sign in at. */
export function isSignInHost(hostname: string): boolean {
  return signInHost.test(hostname);
}
