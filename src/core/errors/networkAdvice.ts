import type { ProblemOf } from './gatewayProblem.ts';

type Words = { readonly title: string; readonly remedy: string };

/** Words for a gateway that no connection leads to. */
export function unreachableAdvice({ cause }: ProblemOf<'unreachable'>, host: string): Words {
  switch (cause) {
    case 'dns':
      return {
        title: 'The gateway’s name was not found',
        remedy: `${host} has no address here. Check its spelling and this machine’s network.`,
      };
    case 'refused':
      return {
        title: 'Nothing answers at this address',
        remedy: `${host} refused the connection. Check the port and that the gateway is running${/^localhost/i.test(host) ? '; with localhost, try 127.0.0.1' : ''}.`,
      };
    default:
      return {
        title: 'The gateway could not be reached',
        remedy: `No connection to ${host} could be made. Check the network, a VPN, or a proxy.`,
      };
  }
}

/** Words for a certificate by what is wrong with it. None of them offers to check less. */
export function certificateAdvice({ detail: code, names, words }: ProblemOf<'certificate'>, host: string): Words {
  const title = 'The gateway’s certificate is not trusted';
  const trusting = 'to the system’s certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS';
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        title: 'The gateway’s certificate has expired',
        remedy: `Whoever runs ${host} has to renew it. If other sites say the same, this machine’s clock is wrong.`,
      };
    case 'CERT_NOT_YET_VALID':
      return {
        title: 'The gateway’s certificate is not valid yet',
        remedy: `Check this machine’s date and time: by its clock, the certificate of ${host} begins in the future.`,
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return {
        title: 'The gateway’s certificate is for another name',
        remedy: `It is not for ${host}${names ? ` but for ${names.join(', ')}` : ''}. Check the address of the connection.`,
      };
    case 'CERT_NOT_CHECKED':
      return {
        title: 'Certificates are not checked here',
        remedy: `The environment variable NODE_TLS_REJECT_UNAUTHORIZED is 0, so anyone could pass for ${host}; nothing was sent. Remove it where VS Code is started and start VS Code again, or set askModel.network.transport to undici, which always checks.`,
      };
    case 'CERT_REVOKED':
      return {
        title: 'The gateway’s certificate was revoked',
        remedy: `Its authority took it back. Whoever runs ${host} has to get a new one.`,
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        title,
        remedy: `${host} signed its certificate itself. If it is your own gateway, add the certificate ${trusting}.`,
      };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        title,
        remedy: `The certificate of ${host} leads to an authority that is unknown here, often a company network’s own. If it is yours, add it ${trusting}.`,
      };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        title,
        remedy: `The certificate of ${host} came without its chain, or its authority is unknown here. The gateway has to send the whole chain; or, if the authority is your network’s own, add it ${trusting}.`,
      };
    default:
      return /^ERR_SSL|^EPROTO/.test(code)
        ? noTls(`${code} ${words ?? ''}`, host)
        : {
            title,
            remedy: `No known authority signed the certificate of ${host}. If it is your network’s own, add it ${trusting}.`,
          };
  }
}

function noTls(said: string, host: string): Words {
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(said)) {
    return {
      title: 'This address does not speak TLS',
      remedy: `${host} answers, but not by https. Check the port, and whether the address should begin with http.`,
    };
  }
  if (/certificate.required|bad.certificate|handshake.failure/i.test(said)) {
    return {
      title: 'The gateway did not accept the secured connection',
      remedy: `${host} may want a certificate of this machine, or other ciphers. Ask whoever runs it.`,
    };
  }
  return {
    title: 'No secured connection could be made',
    remedy: `${host} and this machine found no common way to encrypt. A proxy or a scanner in between can cause it.`,
  };
}

/** Words for a route on which others could read the key. */
export function routeInClearAdvice({ proxy }: ProblemOf<'routeInClear'>, host: string): Words {
  const reader = proxy === undefined ? `Anyone on the way to ${host}` : `The proxy ${proxy} on the way to ${host}`;
  return {
    title: 'The key would travel unencrypted',
    remedy: `${reader} could read it, because the address begins with http://. Nothing was sent. Try again to be asked whether it may.`,
  };
}

/** Words for a proxy that lets nothing through, with the setting that names it. */
export function proxyAdvice(
  { cause, proxy: address, setting, detail, status, mayHaveRun }: ProblemOf<'proxy'>,
  host: string,
): Words {
  const name = address === '' ? 'The proxy' : `The proxy ${address}`;
  const around = `name ${host} in http.noProxy to go past it`;
  switch (cause) {
    case 'authentication': {
      const answer = mayHaveRun ? 'answered 407' : 'let nothing through';
      return {
        title: 'The proxy wants to know who asks',
        remedy:
          detail === undefined || /\bbasic\b/i.test(detail)
            ? `${name} ${answer}. Put name and password into the address in ${setting}, or the whole header into http.proxyAuthorization.`
            : `${name} ${answer} and takes ${detail} alone, which VS Code itself may know: set askModel.network.transport to host.`,
      };
    }
    case 'refused':
      return {
        title: 'The proxy let nothing through',
        remedy: `${name} ${status === undefined ? `could not be used: ${detail ?? 'it gave no answer'}` : `answered ${status}`}. Whoever runs it has to allow ${host}; or ${around}.`,
      };
    case 'unreachable':
      return {
        title: 'The proxy could not be reached',
        remedy: `${name} does not answer. Check its address in ${setting}, or ${around}.`,
      };
    case 'certificate':
      return {
        title: 'The proxy’s certificate is not trusted',
        remedy: `${name} did not prove who it is. Add its authority to the system’s certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.`,
      };
    default:
      return {
        title: 'The proxy setting can not be used',
        remedy: `${setting}: ${detail ?? 'it can not be read'}. Ask Model goes through http and https proxies; for SOCKS or a PAC file set askModel.network.transport to host.`,
      };
  }
}
