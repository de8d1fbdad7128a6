import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../base/localization.ts';
import { exactMoneyText } from '../base/money.ts';
import {
  type AdviceAction,
  type ConsolePage,
  type GatewayProblem,
  kindFacts,
  type ProblemKind,
  type ProblemOf,
} from './gatewayProblem.ts';

/** What happened, without a full stop, and what to do about it, in whole sentences. */
type AdviceWords = { readonly title: string; readonly remedy: string };

/** A problem as it is explained to the person: what happened, what to do, and the one action that does it. */
export type Advice = AdviceWords & { readonly action: AdviceAction };

/** What the words mention besides the problem itself. */
export type AdviceContext = {
  /** Left out when the model list was read and no question was sent. */
  readonly model?: string;
  readonly host: string;
  /** Text or reasoning arrived before the failure. */
  readonly hasArrived?: boolean;
};

/** The words of a case of a problem, with an action if that differs from the one of its kind. */
type CaseWords = AdviceWords & { readonly action?: AdviceAction };
type Advices = { readonly [Kind in ProblemKind]: (problem: ProblemOf<Kind>, context: AdviceContext) => CaseWords };

/**
 * The title and remedy for every kind. A new kind doesn't compile without them. Whether the call may have been
 * charged is added by those who show the advice, from `mayBeCharged`.
 */
const advices: Advices = {
  keyRejected: () => ({
    title: l10n.t('The gateway rejected this key'),
    remedy: l10n.t(
      'It may be invalid, expired, disabled or out of quota. Check it in the console or enter another key.',
    ),
  }),
  keyExpired: () => ({
    title: l10n.t('This key has expired'),
    remedy: l10n.t('Create a new key in the console and enter it here.'),
  }),
  keyExhausted: ({ isReserved }) => ({
    title: isReserved ? l10n.t('Insufficient key quota') : l10n.t("This key's quota is used up"),
    remedy: isReserved ? reservedRemedy() : l10n.t("Raise the key's quota in the console or enter another key."),
  }),
  keyDisabled: () => ({
    title: l10n.t('This key is disabled'),
    remedy: l10n.t('Enable it in the console or enter another key.'),
  }),
  balanceEmpty: ({ isReserved }) => ({
    title: l10n.t('Insufficient balance'),
    remedy: isReserved ? reservedRemedy() : l10n.t('Top up the balance in the console, then send again.'),
  }),
  accessDenied: () => ({
    title: l10n.t('The gateway denied access'),
    remedy: l10n.t('The key, the account, or your IP address may be restricted. Check it in the console.'),
  }),
  modelDenied: (_, { model = '' }) => ({
    title: l10n.t("This key can't use this model"),
    remedy: l10n.t("{0} isn't available to this key's group. Choose another model, or change the group.", model),
  }),
  modelUnknown: (_, { model = '' }) => ({
    title: l10n.t('Model not found'),
    remedy: l10n.t("{0} isn't available to this key or no longer exists. Choose another model.", model),
  }),
  rateLimited: ({ retryAfterMs }) => ({
    title: l10n.t('Rate limit reached'),
    remedy:
      retryAfterMs === undefined
        ? l10n.t("The gateway or the model's vendor is limiting requests. Wait a moment, then try again.")
        : l10n.t('The gateway asks you to wait {0} before trying again.', durationText(retryAfterMs)),
  }),
  contextTooLong: () => ({
    title: l10n.t('The conversation is too long for this model'),
    remedy: l10n.t('Leave out some of the conversation or code, or choose a model with a larger context window.'),
  }),
  contentFiltered: ({ isRefusal }) => ({
    title: isRefusal ? l10n.t('The model declined to answer') : l10n.t('A content filter stopped the answer'),
    remedy: isRefusal
      ? l10n.t('Ask in another way, or choose another model.')
      : l10n.t("The vendor's filter blocked the question or the answer. Try another model."),
  }),
  requestTooLarge: () => ({
    title: l10n.t('The request is too large for the gateway'),
    remedy: l10n.t('Select less code or start a new conversation.'),
  }),
  requestRejected: ({ words = '' }, { model }) => {
    const title = l10n.t('The gateway rejected the request');
    if (/\bheaders?\b/i.test(words)) {
      const remedy = l10n.t("The gateway's message mentions a header. Check the connection's extra headers.");
      return { title, remedy, action: 'editConnection' };
    }
    return model === undefined
      ? {
          title,
          remedy: l10n.t("The gateway's message gives the reason. Check the connection's address."),
          action: 'editAddress',
        }
      : {
          title,
          remedy: l10n.t("The gateway's message gives the reason. If it's about {0}, choose another model.", model),
        };
  },
  usageOptionRejected: () => ({
    title: l10n.t("The gateway doesn't support stream_options"),
    remedy: l10n.t('It requests token counts. Send again without it. Ask Model remembers this.'),
  }),
  parameterRejected: ({ parameter, instead }, { model = '' }) => ({
    title: l10n.t("{0} doesn't accept {1}", model, parameter),
    remedy:
      instead === undefined
        ? l10n.t('Send again without it. Ask Model remembers this for the model.')
        : l10n.t('Send again with {0} in its place. Ask Model remembers this for the model.', instead),
  }),
  wrongAddress: (_, { host }) => ({
    title: l10n.t('Endpoint not found'),
    remedy: l10n.t('{0} responded, but has no such path. Check the address, which usually ends with /v1.', host),
  }),
  webPage: ({ page, status = 0 }, { host }) => {
    if (page === 'login') {
      return {
        title: l10n.t('Network sign-in required'),
        remedy: l10n.t(
          "A sign-in page was returned instead of a response from {0}. Sign in to the network or VPN in a browser, or check the connection's address.",
          host,
        ),
      };
    }
    if (page === 'proxy') {
      return {
        title: l10n.t('A proxy responded instead of the gateway'),
        remedy: l10n.t(
          "Its page was returned instead of a response from {0}. It may block this address or require sign-in. Ask your network administrator, or check http.proxy in VS Code's settings.",
          host,
        ),
        action: 'proxySettings',
      };
    }
    return {
      title: status >= 400 ? l10n.t('This address returns an error page') : l10n.t('This address returns a web page'),
      remedy: l10n.t('{0} returned a web page. The address of an API usually ends with /v1.', host),
    };
  },
  blocked: ({ service }) => ({
    title: l10n.t('Request blocked'),
    remedy: sentences(
      service === undefined
        ? l10n.t('A protection service blocked this request before it reached the gateway.')
        : l10n.t('{0} blocked this request before it reached the gateway.', service),
      l10n.t("Try another network, or contact the gateway's support."),
    ),
  }),
  redirected: ({ target }, { host }) => ({
    title: l10n.t('The gateway redirects to another address'),
    remedy:
      target === ''
        ? l10n.t("{0} doesn't say where to go. Check the connection's address.", host)
        : l10n.t(
            "It redirects to {0}. Nothing was sent there. If that's a sign-in page, sign in to the network or VPN in a browser. If it's the gateway, use that address for the connection.",
            target,
          ),
  }),
  gatewayDown: (_, { model, hasArrived }) => ({
    title: l10n.t("The gateway or the model's vendor has a problem"),
    // A model that has begun to answer is not to blame.
    remedy:
      hasArrived || model === undefined
        ? sentences(l10n.t('Try again later.'), savedPart(hasArrived))
        : l10n.t('Try again later or choose another model.'),
  }),
  gatewayTimedOut: (_, { model, hasArrived }) => ({
    title: l10n.t('The gateway timed out'),
    remedy:
      model === undefined
        ? l10n.t('Try again later.')
        : sentences(
            l10n.t('The gateway, or a proxy in front of it, stopped waiting for the model.'),
            mayHaveRun(),
            savedPart(hasArrived),
          ),
  }),
  emptyReply: ({ isAllReasoning }, { host, model }) => {
    if (model === undefined) {
      return {
        title: l10n.t('The response is empty'),
        remedy: l10n.t("{0} sent no model list. Check the connection's address, which usually ends with /v1.", host),
        action: 'editAddress',
      };
    }
    return isAllReasoning
      ? {
          title: l10n.t('The model used its entire token limit for reasoning'),
          remedy: l10n.t('It never began to answer. Ask for less at once, or choose a model that reasons less.'),
          action: 'chooseModel',
        }
      : {
          title: l10n.t('The answer is empty'),
          remedy: l10n.t('The gateway ended the answer without any text. Sending again is another paid call.'),
        };
  },
  unreadable: ({ isDamaged }) =>
    isDamaged
      ? {
          title: l10n.t("The response can't be read"),
          remedy: l10n.t('It contains invalid JSON. Its beginning is shown here.'),
          action: 'showLog',
        }
      : {
          title: l10n.t("The response isn't from a chat gateway"),
          remedy: sentences(
            l10n.t("The response isn't in the expected format."),
            l10n.t("Check the connection's address."),
          ),
        },
  tooLarge: ({ limitBytes }, { hasArrived }) => ({
    title: l10n.t('The response is too large'),
    remedy: sentences(
      l10n.t('Ask Model stopped reading it at {0} MB.', numberText(Math.round(limitBytes / 1_048_576))),
      savedPart(hasArrived),
    ),
  }),
  timedOut: ({ timer, limitMs }, { host, model, hasArrived }) => {
    if (model === undefined) {
      return brokenList(host);
    }
    const limit = durationText(limitMs);
    const said =
      timer === 'total'
        ? [l10n.t('The answer took too long'), l10n.t('Ask Model stopped it after {0}.', limit)]
        : hasArrived
          ? [l10n.t('The answer stopped arriving'), l10n.t('Nothing arrived for {0}.', limit)]
          : [l10n.t('No answer arrived'), l10n.t('The gateway sent no part of an answer for {0}.', limit)];
    const [title = '', what = ''] = said;
    return { title, remedy: sentences(what, savedPart(hasArrived), mayHaveRun()) };
  },
  cut: (_, { host, model, hasArrived }) => {
    if (model === undefined) {
      return brokenList(host);
    }
    return hasArrived
      ? {
          title: l10n.t('The answer was cut off'),
          remedy: sentences(
            l10n.t('The connection closed before the model finished the answer.'),
            savedPart(hasArrived),
          ),
        }
      : {
          title: l10n.t('The connection closed before an answer arrived'),
          remedy: l10n.t('No part of the answer arrived, but the model may have run.'),
        };
  },
  interrupted: interruptedAdvice,
  unsaved: interruptedAdvice,
  elsewhere: () => ({
    title: l10n.t('This answer is arriving in another window'),
    remedy: l10n.t("It's shown and saved there. Open the conversation here again when the answer is complete."),
  }),
  secretStore: () => ({
    title: l10n.t("VS Code's secret storage can't be read"),
    remedy: l10n.t("The key is stored there, so nothing was sent. Unlock the system's keyring, then try again."),
  }),
  limitReached: (problem) => ({
    title: problem.isShare ? l10n.t('Daily limit for other extensions reached') : l10n.t('Daily limit reached'),
    remedy: sentences(
      usedText(problem),
      problem.isShare
        ? l10n.t('Nothing was sent. Raise the limit or the share of other extensions, or try again tomorrow.')
        : l10n.t('Nothing was sent. Raise the limit in the settings, or try again tomorrow.'),
    ),
  }),
  limitUnchecked: ({ cause, setting = '' }, { model = '' }) =>
    ({
      setting: {
        title: l10n.t('A daily limit is invalid'),
        remedy: l10n.t('Nothing was sent. Each limit in the setting {0} must be a number of at least 0.', setting),
        action: 'limitSettings' as const,
      },
      price: {
        title: l10n.t('The price of this model is unknown'),
        remedy: l10n.t(
          'You set a daily limit for costs, and no price is known for {0}. Nothing was sent. State a price, or ask the model in a panel to allow it for today.',
          model,
        ),
      },
      record: {
        title: l10n.t("The call couldn't be recorded"),
        remedy: l10n.t('Nothing was sent. A daily limit needs the record. Check the disk and its permissions.'),
      },
    })[cause],
  defect: (_, { hasArrived }) => ({
    title: l10n.t('Internal error in Ask Model'),
    remedy: sentences(
      l10n.t("The gateway didn't cause this."),
      savedPart(hasArrived),
      l10n.t('The log contains the details for a bug report.'),
    ),
  }),
  unreachable: ({ cause }, { host }) =>
    ({
      dns: {
        title: l10n.t("The gateway's host name wasn't found"),
        remedy: l10n.t("{0} couldn't be resolved. Check its spelling and your network.", host),
      },
      refused: {
        title: l10n.t('The gateway refused the connection'),
        remedy: sentences(
          l10n.t('Nothing accepts connections at {0}. Check the port and that the gateway is running.', host),
          /^localhost/i.test(host) && l10n.t('Instead of localhost, try 127.0.0.1.'),
        ),
      },
      network: {
        title: l10n.t("Can't reach the gateway"),
        remedy: l10n.t("The connection to {0} couldn't be made. Check your network, VPN, and proxy.", host),
      },
    })[cause],
  certificate: (problem, { host }) => certificateWords(problem, host),
  routeInClear: ({ proxy }, { host }) => ({
    title: l10n.t('The key would be sent unencrypted'),
    remedy: sentences(
      proxy === undefined
        ? l10n.t('Anyone on the network path to {0} could read it, because the address starts with http://.', host)
        : l10n.t('The proxy {0} could read it, because the address of {1} starts with http://.', proxy, host),
      l10n.t('Nothing was sent. Try again to choose whether to allow it.'),
    ),
  }),
  proxy: proxyAdvice,
};

/** The title and remedy for a problem, and the action that carries out the remedy. */
export function advice(problem: GatewayProblem, context: AdviceContext): Advice {
  // Without a question, no model can be the reason.
  const isOfModel = problem.kind === 'modelDenied' || problem.kind === 'modelUnknown';
  const kind = isOfModel && context.model === undefined ? 'accessDenied' : problem.kind;
  const { action = 'sendAgain' } = kindFacts(kind);
  // The entry of a kind accepts the problem of this kind.
  const words: CaseWords | undefined = Object.hasOwn(advices, kind)
    ? advices[kind](problem as never, context)
    : undefined;
  // A stored conversation may hold a kind, or a case of one, that only a later version knows.
  const unknown = l10n.t('A newer version of Ask Model recorded the reason.');
  return words === undefined
    ? { title: l10n.t('The answer failed'), remedy: sentences(unknown, savedPart(context.hasArrived)), action }
    : { action, ...words };
}

/** The title and remedy of an advice as one text, for places without a separate title. */
export function adviceText({ title, remedy }: AdviceWords): string {
  return remedy === ''
    ? l10n.t({ message: '{0}.', args: [title], comment: ['A title as a sentence'] })
    : l10n.t({ message: '{0}. {1}', args: [title, remedy], comment: ['A title, then a sentence'] });
}

/**
 * The message that came with a problem, to be shown after the advice. It is attributed to the gateway only if the
 * gateway responded.
 *
 * @returns empty when there is no message.
 */
export function quotedWords({ words, status }: GatewayProblem, host: string): string {
  if (!words) {
    return '';
  }
  return status === undefined
    ? l10n.t({ message: '({0})', args: [words], comment: ['The message of an error, after a sentence'] })
    : l10n.t('{0} says: "{1}"', host, words);
}

function brokenList(host: string): Advice {
  return {
    title: l10n.t("The model list didn't arrive"),
    remedy: l10n.t('The connection to {0} ended before the whole list arrived. Try again or check it.', host),
    action: 'checkConnection',
  };
}

function interruptedAdvice(_: unknown, { hasArrived }: AdviceContext): AdviceWords {
  return {
    title: l10n.t('VS Code or its extensions stopped before the answer was complete'),
    remedy: hasArrived ? l10n.t('The part that was saved is shown.') : l10n.t('No part of the answer had been saved.'),
  };
}

/** Says that the part of the answer that arrived is saved; undefined when nothing arrived. */
function savedPart(hasArrived: boolean | undefined): string | undefined {
  return hasArrived ? l10n.t('The partial answer is saved.') : undefined;
}

/** Gateways reserve the price of the longest answer (wire Q41), so they may refuse a call that would cost less. */
function reservedRemedy(): string {
  return l10n.t(
    "The gateway reserves the maximum cost in advance, and what is left doesn't cover it. Lower the token limit if one is set, send less, choose a cheaper model, or raise the quota or the balance in the console.",
  );
}

function mayHaveRun(): string {
  return l10n.t('The model may have run.');
}

/** A duration in seconds below two minutes, otherwise in minutes; at least one second. */
function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 120
    ? plural(seconds, l10n.t('1 second'), l10n.t('{0} seconds'))
    : l10n.t('{0} minutes', numberText(Math.round(seconds / 60)));
}

function usedText({ limit, max, used, needed, unit = 'USD' }: ProblemOf<'limitReached'>): string {
  switch (limit) {
    case 'calls':
      return l10n.t('Calls allowed per day and connection: {0}. Made today: {1}.', numberText(max), numberText(used));
    case 'tokens':
      return l10n.t(
        'The limit is {0} tokens per day and connection. Used today: {1}. This call may need {2}.',
        numberText(max),
        numberText(used),
        numberText(needed),
      );
    default: {
      const text = (amount: number) => exactMoneyText({ amount, unit });
      return l10n.t(
        'The limit is a cost of {0} per day and connection. Spent today: {1}. This call may cost {2}.',
        text(max),
        text(used),
        text(needed),
      );
    }
  }
}

/** For a certificate that isn't accepted, by the reason. None suggests weaker checks. */
function certificateWords({ detail, words = '' }: ProblemOf<'certificate'>, host: string): AdviceWords {
  switch (detail) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        title: l10n.t("The gateway's certificate has expired or isn't valid yet"),
        remedy: l10n.t(
          "The operator of {0} must renew it. If other sites report the same, check this computer's clock.",
          host,
        ),
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        title: l10n.t("The gateway's certificate is for another host"),
        remedy: l10n.t("It isn't valid for {0}. Check the connection's address.", host),
      };
    case 'CERT_NOT_CHECKED':
      return {
        title: l10n.t("Certificates aren't verified"),
        remedy: l10n.t(
          'The environment variable NODE_TLS_REJECT_UNAUTHORIZED is 0, so any server could impersonate {0}. Nothing was sent. Remove the variable and restart VS Code, or set askModel.network.transport to undici, which always verifies certificates.',
          host,
        ),
      };
    default:
  }
  if (/^ERR_SSL|^EPROTO/.test(detail)) {
    return /wrong.version.number|packet.length.too.long|http.request/i.test(`${detail} ${words}`)
      ? {
          title: l10n.t("This address doesn't use HTTPS"),
          remedy: l10n.t('{0} responded without HTTPS. Check the port, or try an address with http://.', host),
        }
      : {
          title: l10n.t('No secure connection could be made'),
          remedy: l10n.t(
            '{0} may require a client certificate. A proxy or security scanner can cause this, too.',
            host,
          ),
        };
  }
  return {
    title: l10n.t("The gateway's certificate isn't trusted"),
    remedy: sentences(
      l10n.t("The certificate of {0} isn't signed by a known authority, or came without its chain.", host),
      l10n.t(
        "If it's your own gateway or your network's own authority, add its certificate to the system certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.",
      ),
    ),
  };
}

/** For a proxy that lets nothing through, with the setting that names it. */
function proxyAdvice({ cause, proxy, setting, status }: ProblemOf<'proxy'>, { host }: AdviceContext): CaseWords {
  const words: Readonly<Record<string, CaseWords>> & { readonly setting: CaseWords } = {
    authentication: {
      title: l10n.t('Proxy authentication required'),
      remedy: l10n.t(
        'Add the user name and password to the address in {0}, or set http.proxyAuthorization. For Kerberos or NTLM, set askModel.network.transport to host.',
        setting,
      ),
      action: 'proxySettings',
    },
    refused: {
      title: l10n.t('The proxy refused the connection'),
      remedy: sentences(
        status === undefined
          ? l10n.t('The proxy {0} closed the connection, or is no HTTP proxy.', proxy || setting)
          : l10n.t('The proxy {0} responded with status {1}.', proxy || setting, status),
        l10n.t('Ask your network administrator to allow {0}, or add it to http.noProxy to bypass the proxy.', host),
      ),
    },
    unreachable: {
      title: l10n.t("Can't reach the proxy"),
      remedy: l10n.t("The proxy {0} doesn't respond. Check {1}, or add {2} to http.noProxy.", proxy, setting, host),
    },
    certificate: {
      title: l10n.t("The proxy's certificate isn't trusted"),
      remedy: l10n.t(
        "The identity of the proxy {0} can't be verified. Add its authority to the system certificates (VS Code: http.systemCertificates) or to NODE_EXTRA_CA_CERTS.",
        proxy,
      ),
    },
    // Also for the causes of a later version, in a stored conversation.
    setting: {
      title: l10n.t("The proxy setting can't be used"),
      remedy: l10n.t(
        "{0} isn't the address of an HTTP or HTTPS proxy, or has characters that aren't allowed in a header. For SOCKS or a PAC file, set askModel.network.transport to host.",
        setting,
      ),
      action: 'proxySettings',
    },
  };
  return words[cause] ?? words.setting;
}

/** The label of a button that opens a page, or the console itself. */
export function openPageText(page: ConsolePage | undefined): string {
  return page === undefined
    ? l10n.t('Open Console in Browser')
    : {
        keys: l10n.t('Open Keys in Browser'),
        wallet: l10n.t('Open Wallet in Browser'),
        models: l10n.t('Open Model Catalog in Browser'),
        usage: l10n.t('Open Usage Log in Browser'),
      }[page];
}
