import * as l10n from '@vscode/l10n';
import { sentences } from '../base/localization.ts';
import type { AdviceWords } from './adviceText.ts';
import type { ProblemOf } from './gatewayProblem.ts';

type ProxyProblem = ProblemOf<'proxy'>;

/** The title and remedy for a proxy that lets nothing through, with the setting that names it. */
export function proxyAdvice(problem: ProxyProblem, host: string): AdviceWords {
  const { cause, proxy, setting } = problem;
  switch (cause) {
    case 'authentication':
      return { title: l10n.t('Proxy authentication required'), remedy: authenticationRemedy(problem) };
    case 'refused':
      return {
        title: l10n.t('The proxy refused the connection'),
        remedy: sentences(
          refusal(problem),
          l10n.t('Ask your network administrator to allow {0}, or add it to http.noProxy to bypass the proxy.', host),
        ),
      };
    case 'unreachable':
      return {
        title: l10n.t("Can't reach the proxy"),
        remedy: l10n.t(
          "The proxy {0} doesn't respond. Check its address in {1}, or add {2} to http.noProxy to bypass it.",
          proxy,
          setting,
          host,
        ),
      };
    case 'certificate':
      return {
        title: l10n.t("The proxy's certificate isn't trusted"),
        remedy: l10n.t(
          "The identity of the proxy {0} can't be verified. Add its authority to the system certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.",
          proxy,
        ),
      };
    case 'setting':
      return settingAdvice(problem);
    default:
      cause satisfies never;
      // A conversation that a later version has stored may have another cause.
      return settingAdvice(problem);
  }
}

function authenticationRemedy({ proxy, setting, detail }: ProxyProblem): string {
  return sentences(
    proxy === ''
      ? l10n.t('The proxy requires authentication.')
      : l10n.t('The proxy {0} requires authentication.', proxy),
    detail === undefined || /\bbasic\b/i.test(detail)
      ? l10n.t('Add the user name and password to the address in {0}, or set http.proxyAuthorization.', setting)
      : l10n.t(
          'It only accepts {0}, which VS Code itself may support. Set askModel.network.transport to host.',
          detail,
        ),
  );
}

function refusal({ proxy, status, detail }: ProxyProblem): string {
  if (status !== undefined) {
    return proxy === ''
      ? l10n.t('The proxy responded with status {0}.', status)
      : l10n.t('The proxy {0} responded with status {1}.', proxy, status);
  }
  switch (detail) {
    case 'notHttp':
      return l10n.t("The proxy {0} doesn't respond in HTTP.", proxy);
    case 'closed':
      return l10n.t('The proxy {0} closed the connection.', proxy);
    case undefined:
      return l10n.t("The proxy {0} didn't respond.", proxy);
    default:
      // Conversations stored by earlier versions have other details.
      return l10n.t("The proxy {0} couldn't be used.", proxy);
  }
}

function settingAdvice({ setting, detail }: ProxyProblem): AdviceWords {
  const title = l10n.t("The proxy setting can't be used");
  if (detail === 'notHeader') {
    return { title, remedy: l10n.t("{0} contains characters that aren't allowed in a header.", setting) };
  }
  const supported = l10n.t(
    'Ask Model supports HTTP and HTTPS proxies. For SOCKS or a PAC file, set askModel.network.transport to host.',
  );
  return { title, remedy: sentences(addressFault(setting, detail), supported) };
}

function addressFault(setting: string, detail: unknown): string {
  if (typeof detail === 'string' && detail.endsWith('://')) {
    return l10n.t("{0} has a {1} address, which isn't supported.", setting, detail);
  }
  return detail === 'notAddress'
    ? l10n.t("{0} isn't a valid address.", setting)
    : l10n.t("{0} can't be used.", setting);
}
