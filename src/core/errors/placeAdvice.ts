import type { ProblemOf } from './gatewayProblem.ts';

type Words = { readonly title: string; readonly remedy: string };

/** Words for a page that came where an answer was expected, by what it is. */
export function webPageAdvice({ page, status }: ProblemOf<'webPage'>, host: string): Words {
  switch (page) {
    case 'login':
      return {
        title: 'This address wants somebody to sign in',
        remedy: `A login page came instead of an answer of ${host}. Check the base address; if your company’s sign-in stands in front of the gateway, programs need another address or its VPN.`,
      };
    case 'portal':
      return {
        title: 'The network wants you to sign in first',
        remedy: `A page of this network came instead of an answer of ${host}. Open any web page in a browser, sign in or accept there, then try again.`,
      };
    case 'proxy':
      return {
        title: 'A proxy on the way answered instead',
        remedy: `Its page came instead of an answer of ${host}. It may block this address or want a sign-in: ask whoever runs it, or check http.proxy in VS Code’s settings.`,
      };
    default:
      return status !== undefined && status >= 400
        ? {
            title: 'This address answers with an error page',
            remedy: `A web server sent a page with status ${status} instead of an answer of a gateway. Check the base address of ${host}: it usually ends with /v1.`,
          }
        : {
            title: 'This address answers with a web page',
            remedy: `${host} sent a page for people instead of an answer for programs. Check the base address: it usually ends with /v1, and is often not the console’s address.`,
          };
  }
}

/** Words for a refusal by what stands in front of a gateway. */
export function blockedAdvice({ service, requestId }: ProblemOf<'blocked'>, host: string): Words {
  const whom =
    requestId === undefined
      ? 'the gateway’s support can open it'
      : `the gateway’s support can open it; name the id ${requestId}`;
  return {
    title: service === undefined ? 'A protection service blocked the request' : `${service} blocked the request`,
    remedy: `The protection in front of ${host} took this for an unwanted visitor, so the gateway never saw it. Another network may help, and ${whom}.`,
  };
}

/** Words for an answer that points elsewhere; it was not followed. */
export function redirectedAdvice({ target, reason }: ProblemOf<'redirected'>, host: string): Words {
  const unsent = 'Neither key nor question went there';
  switch (reason) {
    case 'login':
      return {
        title: 'This address wants somebody to sign in',
        remedy: `${host} points to a login page, ${target}. ${unsent}. Sign in to the network or VPN in a browser, or check the base address.`,
      };
    case 'scheme':
      return /^https:/i.test(target)
        ? {
            title: 'The gateway wants an encrypted connection',
            remedy: `Write https:// in the address of the connection. ${unsent}: ${target}.`,
          }
        : {
            title: 'The gateway points to an unencrypted address',
            remedy: `${unsent}: ${target}. The key would travel in clear text; ask whoever runs ${host}.`,
          };
    case 'www':
      return {
        title: 'The gateway goes by a slightly different name',
        remedy: `Write ${hostOf(target)} instead of ${host} in the address of the connection. ${unsent}: ${target}.`,
      };
    case 'nowhere':
      return {
        title: 'The gateway points elsewhere and does not say where',
        remedy: `${host} answered with a redirect that names no address. Check the base address of the connection.`,
      };
    default:
      return {
        title: 'The gateway points to another address',
        remedy: `${unsent}: ${target}. If that is the right address, connect to it.`,
      };
  }
}

function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : target;
}

/**
 * Words for money that does not reach. Gateways set aside the price of the longest reply before they begin (wire Q41),
 * so a call can be refused that would have cost less than is left.
 */
export function reservedAdvice(what: 'balance' | 'key'): Words {
  const where = what === 'balance' ? 'the balance' : 'this key’s quota';
  return {
    title: what === 'balance' ? 'The balance does not cover this call' : 'This key’s quota does not cover this call',
    remedy: `Before it begins, the gateway sets aside more than is left of ${where}. Lower the reply limit if one is set, send less, pick a cheaper model, or ${what === 'balance' ? 'top up the wallet' : 'raise the quota'} in the console.`,
  };
}
