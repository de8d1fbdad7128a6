import * as l10n from '@vscode/l10n';
import { numberText, sentences } from '../../base/localization.ts';
import { advice, openPageText } from '../../errors/advice.ts';
import { type AdviceAction, type GatewayProblem, kindFacts, mayBeCharged } from '../../errors/gatewayProblem.ts';
import { type FinishKind, finishKind, unreadText } from '../../reply/finishReason.ts';
import { partsOf } from './continued.ts';
import { isRunning, type Reply } from './conversation.ts';
import { secondsText } from './replyFacts.ts';

/** The card under a reply that failed or needs attention: what happened, what to do, facts, and buttons. */
export type Trouble = {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly remedy: string;
  readonly words?: string;
  readonly facts: readonly string[];
  /** The first one is the primary button. */
  readonly actions: readonly {
    readonly action: AdviceAction | 'copyReport' | 'continue' | 'showUnread';
    readonly label: string;
  }[];
  /** Until when the gateway asks to wait, in Unix milliseconds; counted from the end of its response. */
  readonly waitUntil?: number;
};

/** Longer waits are shortened to this, because a value from a file may be anything. */
const maxWaitMs = 86_400_000;

/** @returns undefined for a running reply and for one that ended well. */
export function troubleOf(answer: Reply): Trouble | undefined {
  const reply = partsOf(answer).at(-1) ?? answer;
  const end = endOf(reply);
  const trouble = end && reply.continues ? { ...end, actions: withContinue(end.actions) } : end;
  if (reply.unread === undefined || isRunning(reply)) {
    return trouble;
  }
  const action = { action: 'showUnread' as const, label: l10n.t('Show Raw Data') };
  return trouble
    ? { ...trouble, remedy: sentences(trouble.remedy, unreadText()), actions: [...trouble.actions, action] }
    : warning(l10n.t("A part of this answer couldn't be read"), l10n.t('The gateway sent invalid JSON there.'), action);
}

function endOf(reply: Reply): Trouble | undefined {
  switch (reply.state) {
    case 'waiting':
    case 'streaming':
      return undefined;
    case 'complete': {
      const isBlank = reply.text.trim() === '' && !reply.hasPicture;
      if (!isBlank && continued.has(finishKind(reply.finishReason))) {
        return warning(...stopText(reply.finishReason ?? ''), continueAction());
      }
      // A complete reply with neither text nor a picture can only be a tool call.
      return isBlank || reply.hasToolCalls || /^(?:tool|function)_/i.test(reply.finishReason ?? '')
        ? warning(
            l10n.t('The model called a tool'),
            l10n.t("Tools aren't available here, so none ran. Ask for an answer in words, or choose another model."),
          )
        : undefined;
    }
    case 'stopped':
      return reply.isUnsent
        ? warning(l10n.t('Stopped before it was sent.'), '', { action: 'sendAgain', label: labelOf('sendAgain') })
        : warning(
            l10n.t('Stopped after {0}. The gateway may still charge for this answer.', secondsText(reply.totalMs ?? 0)),
            '',
            { action: 'sendAgain', label: l10n.t('Send Again (New Paid Call)') },
          );
    case 'incomplete':
    case 'failed':
      return failureOf(reply, reply.state);
    default:
      return reply.state satisfies never;
  }
}

/** Ends of an answer that the model can continue. */
const continued: ReadonlySet<FinishKind | undefined> = new Set(['limit', 'pause', 'unknown']);

/** The title and remedy for an answer that may have to be continued. */
function stopText(reason: string): [title: string, remedy: string] {
  switch (finishKind(reason)) {
    case 'limit':
      return [l10n.t('The answer reached its length limit'), l10n.t('Ask the model to continue.')];
    case 'pause':
      return [l10n.t('The model paused before the answer was complete'), l10n.t('Ask the model to continue.')];
    default:
      return [
        l10n.t('The answer ended for an unknown reason: {0}', reason),
        l10n.t('It may be incomplete. If it is, ask the model to continue.'),
      ];
  }
}

function continueAction() {
  return { action: 'continue' as const, label: l10n.t('Continue (New Paid Call)') };
}

/** The actions for the last part of an answer: sending it again continues the parts before it once more. */
function withContinue(actions: Trouble['actions']): Trouble['actions'] {
  return actions.length === 0
    ? [continueAction()]
    : actions.map((each) => (each.action === 'sendAgain' ? continueAction() : each));
}

function warning(title: string, remedy: string, ...actions: Trouble['actions']): Trouble {
  return { severity: 'warning', title, remedy, facts: [], actions };
}

/**
 * Actions for another reply to the same question, without those that its card offers already. None while the reply is
 * running here or arriving in another window.
 */
export function retriesOf(reply: Reply): ('sendAgain' | 'askOther')[] {
  if (isRunning(reply) || reply.problem?.kind === 'elsewhere') {
    return [];
  }
  const isOnCard = troubleOf(reply)?.actions.some(({ action }) => action === 'sendAgain') === true;
  return isOnCard ? ['askOther'] : ['sendAgain', 'askOther'];
}

function failureOf(reply: Reply, state: 'incomplete' | 'failed'): Trouble {
  const problem: GatewayProblem = reply.problem ?? { kind: 'cut' };
  const hasArrived = reply.text !== '' || reply.reasoning !== '';
  const { title, remedy, action } = advice(problem, { model: reply.model, host: reply.host, hasArrived });
  const isPaid = mayBeCharged(problem, hasArrived || reply.usage !== undefined);
  const waitUntil = endOfWait(reply, problem);
  return {
    severity: state === 'incomplete' ? 'warning' : 'error',
    title,
    remedy: sentences(remedy, isPaid && l10n.t('The gateway may have charged for this call.')),
    ...(problem.words && problem.words !== title && { words: problem.words }),
    facts: factsOf(problem, reply.requestId ?? problem.requestId),
    actions: [
      { action, label: labelOf(action, isPaid, problem) },
      ...(action === 'openConsole' || kindFacts(problem.kind).page === undefined
        ? []
        : [{ action: 'openConsole' as const, label: labelOf('openConsole', isPaid, problem) }]),
      // A reply that is arriving in another window must not be paid for twice.
      ...(action === 'sendAgain' || problem.kind === 'elsewhere'
        ? []
        : [{ action: 'sendAgain' as const, label: labelOf('sendAgain', isPaid) }]),
      { action: 'copyReport' as const, label: l10n.t('Copy Report') },
    ],
    waitUntil,
  };
}

/** @param isPaid whether the failed call may be charged, and another one as well. */
function labelOf(action: AdviceAction, isPaid = false, problem?: GatewayProblem): string {
  return {
    sendAgain: isPaid ? l10n.t('Send Again (May Be Charged Again)') : l10n.t('Send Again'),
    sendWithoutUsage: isPaid ? l10n.t('Send Again Without It (May Be Charged Again)') : l10n.t('Send Again Without It'),
    sendWithoutParameter:
      problem?.kind === 'parameterRejected' && problem.instead !== undefined
        ? l10n.t('Send Again with {0}', problem.instead)
        : l10n.t('Send Again Without It'),
    chooseParts: l10n.t('Choose What to Send…'),
    chooseModel: l10n.t('Choose Model…'),
    editAddress: l10n.t('Change Address…'),
    replaceKey: l10n.t('Replace Key…'),
    showLog: l10n.t('Show Log'),
    checkConnection: l10n.t('Check Connection'),
    editConnection: l10n.t('Edit Connection…'),
    openConsole: openPageText(problem && kindFacts(problem.kind).page),
    proxySettings: l10n.t('Open Proxy Settings'),
    limitSettings: l10n.t('Open Limit Settings'),
    newConversation: l10n.t('New Conversation'),
  }[action];
}

/** Status, code and request id, without duplicates: many gateways repeat the status as their code. */
function factsOf({ status, code }: GatewayProblem, requestId: string | undefined): string[] {
  const facts = [
    status === undefined ? '' : String(status),
    code ?? '',
    requestId ? l10n.t('request {0}', requestId) : '',
  ];
  return [...new Set(facts)].filter((fact) => fact !== '');
}

/** In wall-clock time, so that a closed window or a sleeping machine makes no difference. */
function endOfWait({ startedAt, totalMs = 0 }: Reply, problem: GatewayProblem): number | undefined {
  const waitMs = problem.kind === 'rateLimited' ? (problem.retryAfterMs ?? 0) : 0;
  return waitMs > 0 ? startedAt + totalMs + Math.min(waitMs, maxWaitMs) : undefined;
}

/** A report for a gateway's support: facts without question, answer or key. */
export function troubleReport({ problem, ...reply }: Reply, version: string): string {
  const { status, code, words } = problem ?? {};
  const requestId = reply.requestId ?? problem?.requestId;
  const characters = reply.text.length + reply.reasoning.length;
  return [
    `Ask Model ${version}`,
    l10n.t('Time: {0}', new Date(reply.startedAt).toISOString()),
    l10n.t('Host: {0}', reply.host),
    l10n.t('Model: {0}', reply.model),
    l10n.t('State: {0}', reply.state),
    problem && l10n.t('Cause: {0}', problem.kind),
    status !== undefined && l10n.t('Status: {0}', status),
    code !== undefined && l10n.t({ message: 'Code: {0}', args: [code], comment: ['An error code of a gateway'] }),
    requestId !== undefined && l10n.t('Request ID: {0}', requestId),
    words !== undefined && l10n.t('Gateway message: {0}', words),
    l10n.t('Received characters: {0}', numberText(characters)),
    reply.totalMs !== undefined && l10n.t('Duration: {0} ms', numberText(reply.totalMs)),
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}
