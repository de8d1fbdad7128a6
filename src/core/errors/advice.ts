import * as l10n from '@vscode/l10n';
import { sentences } from '../base/localization.ts';
import { accessAdvice } from './accessAdvice.ts';
import type { AdviceWords } from './adviceText.ts';
import type { GatewayProblem, ProblemKind, ProblemOf } from './gatewayProblem.ts';
import { limitAdvice, uncheckedLimitAdvice } from './limitAdvice.ts';
import { listAdvice } from './listAdvice.ts';
import { certificateAdvice, routeInClearAdvice, unreachableAdvice } from './networkAdvice.ts';
import { proxyAdvice } from './proxyAdvice.ts';
import { redirectedAdvice } from './redirect.ts';
import { replyAdvice, savedPart, unreadableAdvice } from './replyAdvice.ts';
import { blockedAdvice, webPageAdvice } from './webPage.ts';

/** The action of the button of an error. */
export type AdviceAction =
  | 'sendAgain'
  | 'sendWithoutUsage'
  | 'sendWithoutParameter'
  | 'chooseParts'
  | 'chooseModel'
  | 'editAddress'
  | 'replaceKey'
  | 'showLog'
  | 'checkConnection'
  | 'editConnection'
  | 'openConsole'
  | 'proxySettings'
  | 'limitSettings'
  | 'newConversation';

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

type AdviceOf<Kind extends ProblemKind> = (problem: ProblemOf<Kind>, context: AdviceContext) => Advice;

/** The title, remedy and action for every kind. A new kind doesn't compile without them. */
const advices: { readonly [Kind in ProblemKind]: AdviceOf<Kind> } = {
  keyRejected: (problem) => ({ ...accessAdvice(problem), action: 'replaceKey' }),
  keyExpired: (problem) => ({ ...accessAdvice(problem), action: 'replaceKey' }),
  keyExhausted: (problem) => ({ ...accessAdvice(problem), action: 'replaceKey' }),
  keyDisabled: (problem) => ({ ...accessAdvice(problem), action: 'replaceKey' }),
  balanceEmpty: (problem) => ({ ...accessAdvice(problem), action: 'openConsole' }),
  accessDenied: (problem) => ({ ...accessAdvice(problem), action: 'replaceKey' }),
  modelDenied: (problem, { model }) => ({ ...accessAdvice(problem, model), action: 'chooseModel' }),
  modelUnknown: (problem, { model }) => ({ ...accessAdvice(problem, model), action: 'chooseModel' }),
  rateLimited: (problem) => ({ ...accessAdvice(problem), action: 'sendAgain' }),
  contextTooLong: () => ({
    title: l10n.t('The conversation is too long for this model'),
    remedy: l10n.t('Leave out some of the conversation or code, or choose a model with a larger context window.'),
    action: 'chooseParts',
  }),
  contentFiltered: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'chooseModel' }),
  requestTooLarge: () => ({
    title: l10n.t('The request is too large for the gateway'),
    remedy: l10n.t('Select less code or start a new conversation.'),
    action: 'newConversation',
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
          action: 'chooseModel',
        };
  },
  usageOptionRejected: () => ({
    title: l10n.t("The gateway doesn't support stream_options"),
    remedy: l10n.t(
      'This option requests token counts. Send again without it. Ask Model remembers this for the connection.',
    ),
    action: 'sendWithoutUsage',
  }),
  parameterRejected: ({ parameter, instead }, { model = '' }) => ({
    title: l10n.t("{0} doesn't accept {1}", model, parameter),
    remedy:
      instead === undefined
        ? l10n.t('Send again without it. Ask Model remembers this for the model.')
        : l10n.t('Send again with {0} in its place. Ask Model remembers this for the model.', instead),
    action: 'sendWithoutParameter',
  }),
  wrongAddress: (_, { host }) => ({
    title: l10n.t('Endpoint not found'),
    remedy: l10n.t(
      "{0} responded, but not at this path. Check the connection's address. It usually ends with /v1.",
      host,
    ),
    action: 'editAddress',
  }),
  webPage: (problem, { host }) => ({
    ...webPageAdvice(problem, host),
    action: problem.page === 'proxy' ? 'proxySettings' : 'editAddress',
  }),
  blocked: (problem) => ({ ...blockedAdvice(problem), action: 'showLog' }),
  redirected: (problem, { host }) => ({ ...redirectedAdvice(problem, host), action: 'editAddress' }),
  gatewayDown: (_, { hasArrived }) => ({
    title: l10n.t("The gateway or the model's vendor has a problem"),
    // A model that has begun to answer is not to blame.
    remedy: hasArrived
      ? sentences(l10n.t('Try again later.'), savedPart(true))
      : l10n.t('Try again later or choose another model.'),
    action: 'sendAgain',
  }),
  gatewayTimedOut: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'sendAgain' }),
  emptyReply: (problem, { hasArrived }) => ({
    ...replyAdvice(problem, hasArrived),
    action: problem.isAllReasoning ? 'chooseModel' : 'sendAgain',
  }),
  unreadable: (problem) => ({
    ...unreadableAdvice(problem),
    action: problem.isDamaged ? 'showLog' : 'editAddress',
  }),
  tooLarge: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'showLog' }),
  timedOut: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'sendAgain' }),
  cut: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'sendAgain' }),
  interrupted: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'sendAgain' }),
  unsaved: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'sendAgain' }),
  elsewhere: (problem, { hasArrived }) => ({ ...replyAdvice(problem, hasArrived), action: 'newConversation' }),
  secretStore: () => ({
    title: l10n.t("VS Code's secret storage can't be read"),
    remedy: l10n.t("The key is stored there, so nothing was sent. Unlock the system's keyring, then try again."),
    action: 'showLog',
  }),
  limitReached: (problem) => ({ ...limitAdvice(problem), action: 'limitSettings' }),
  limitUnchecked: (problem, { model }) => ({
    ...uncheckedLimitAdvice(problem, model),
    action: problem.cause === 'setting' ? 'limitSettings' : 'sendAgain',
  }),
  defect: (_, { hasArrived }) => ({
    title: l10n.t('Internal error in Ask Model'),
    remedy: sentences(
      l10n.t("The gateway didn't cause this."),
      savedPart(hasArrived),
      l10n.t('The log contains the details for a bug report.'),
    ),
    action: 'showLog',
  }),
  unreachable: (problem, { host }) => ({ ...unreachableAdvice(problem, host), action: 'checkConnection' }),
  certificate: (problem, { host }) => ({ ...certificateAdvice(problem, host), action: 'checkConnection' }),
  routeInClear: (problem, { host }) => ({ ...routeInClearAdvice(problem, host), action: 'sendAgain' }),
  proxy: (problem, { host }) => {
    const isInSettings = problem.cause === 'authentication' || problem.cause === 'setting';
    return { ...proxyAdvice(problem, host), action: isInSettings ? 'proxySettings' : 'checkConnection' };
  },
};

/** The title and remedy for a problem, and the action that carries out the remedy. */
export function advice(problem: GatewayProblem, context: AdviceContext): Advice {
  const { kind } = problem;
  if (!Object.hasOwn(advices, kind)) {
    // A stored conversation may hold a kind that only a later version knows.
    return {
      title: l10n.t('The answer failed'),
      remedy: sentences(l10n.t('A newer version of Ask Model recorded the reason.'), savedPart(context.hasArrived)),
      action: 'sendAgain',
    };
  }
  const ofList = context.model === undefined ? listAdvice(problem, context.host) : undefined;
  // The entry of a kind accepts the problem of this kind.
  return ofList ?? advices[kind](problem as never, context);
}
