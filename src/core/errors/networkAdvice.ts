import * as l10n from '@vscode/l10n';
import { listText, sentences } from '../base/localization.ts';
import type { AdviceWords } from './adviceText.ts';
import type { ProblemOf } from './gatewayProblem.ts';

/** The title and remedy for a gateway that can't be reached. */
export function unreachableAdvice({ cause }: ProblemOf<'unreachable'>, host: string): AdviceWords {
  switch (cause) {
    case 'dns':
      return {
        title: l10n.t("The gateway's host name wasn't found"),
        remedy: l10n.t("{0} couldn't be resolved. Check its spelling and your network.", host),
      };
    case 'refused':
      return {
        title: l10n.t('The gateway refused the connection'),
        remedy: sentences(
          l10n.t('Nothing accepts connections at {0}. Check the port and that the gateway is running.', host),
          /^localhost/i.test(host) && l10n.t('Instead of localhost, try 127.0.0.1.'),
        ),
      };
    default:
      return {
        title: l10n.t("Can't reach the gateway"),
        remedy: l10n.t("The connection to {0} couldn't be made. Check your network, VPN, and proxy.", host),
      };
  }
}

/** The title and remedy for a certificate that isn't accepted, by the reason. None suggests weaker checks. */
export function certificateAdvice({ detail: code, names, words }: ProblemOf<'certificate'>, host: string): AdviceWords {
  const title = l10n.t("The gateway's certificate isn't trusted");
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return {
        title: l10n.t("The gateway's certificate has expired"),
        remedy: l10n.t(
          "The operator of {0} must renew it. If other sites report the same, check this computer's clock.",
          host,
        ),
      };
    case 'CERT_NOT_YET_VALID':
      return {
        title: l10n.t("The gateway's certificate isn't valid yet"),
        remedy: l10n.t(
          "Check this computer's date and time. According to its clock, the certificate of {0} isn't valid yet.",
          host,
        ),
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        title: l10n.t("The gateway's certificate is for another host"),
        remedy:
          names === undefined
            ? l10n.t("It isn't valid for {0}. Check the connection's address.", host)
            : l10n.t("It's valid for {0}, not for {1}. Check the connection's address.", listText(names), host),
      };
    case 'CERT_NOT_CHECKED':
      return {
        title: l10n.t("Certificates aren't verified"),
        remedy: l10n.t(
          'The environment variable NODE_TLS_REJECT_UNAUTHORIZED is 0, so any server could impersonate {0}. Nothing was sent. Remove the variable and restart VS Code, or set askModel.network.transport to undici, which always verifies certificates.',
          host,
        ),
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return {
        title,
        remedy: l10n.t(
          '{0} uses a self-signed certificate. If this is your own gateway, add its certificate to the system certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.',
          host,
        ),
      };
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        title,
        remedy: sentences(
          l10n.t("The certificate of {0} is from an unknown authority, often a company network's own.", host),
          trustAuthority(),
        ),
      };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        title,
        remedy: sentences(
          l10n.t(
            'The certificate of {0} came without its chain, or its authority is unknown. The gateway must send the whole chain.',
            host,
          ),
          trustAuthority(),
        ),
      };
    default:
      return /^ERR_SSL|^EPROTO/.test(code)
        ? noTls(`${code} ${words ?? ''}`, host)
        : {
            title,
            remedy: sentences(
              l10n.t("The certificate of {0} isn't signed by a known authority.", host),
              trustAuthority(),
            ),
          };
  }
}

function trustAuthority(): string {
  return l10n.t(
    "If it's your network's own authority, add its certificate to the system certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.",
  );
}

function noTls(said: string, host: string): AdviceWords {
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(said)) {
    return {
      title: l10n.t("This address doesn't use HTTPS"),
      remedy: l10n.t(
        '{0} responded, but not over HTTPS. Check the port, and whether the address should begin with http://.',
        host,
      ),
    };
  }
  if (/certificate.required|bad.certificate|handshake.failure/i.test(said)) {
    return {
      title: l10n.t('The gateway refused the secure connection'),
      remedy: l10n.t("{0} may require a client certificate or other ciphers. Contact the gateway's support.", host),
    };
  }
  return {
    title: l10n.t('No secure connection could be made'),
    remedy: l10n.t(
      '{0} and this computer have no encryption method in common. A proxy or security scanner can cause this.',
      host,
    ),
  };
}

/** The title and remedy for a route on which others could read the key. */
export function routeInClearAdvice({ proxy }: ProblemOf<'routeInClear'>, host: string): AdviceWords {
  return {
    title: l10n.t('The key would be sent unencrypted'),
    remedy: sentences(
      proxy === undefined
        ? l10n.t('Anyone on the network path to {0} could read it, because the address starts with http://.', host)
        : l10n.t('The proxy {0} could read it, because the address of {1} starts with http://.', proxy, host),
      l10n.t('Nothing was sent. Try again to choose whether to allow it.'),
    ),
  };
}
