import { type AdviceAction, advice } from '../../errors/advice.ts';
import type { GatewayProblem } from '../../errors/gatewayProblem.ts';
import { mayBeCharged } from '../../errors/mayBeCharged.ts';
import { isLengthLimit } from '../../reply/replyOutcome.ts';
import { isRunning, type Reply } from './conversation.ts';
import { secondsText } from './replyFacts.ts';

/** A card under a reply that did not simply end well: what happened, what to do, evidence, and buttons. */
export type Trouble = {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly remedy: string;
  readonly words?: string;
  readonly facts: readonly string[];
  /** The first one is the primary one. */
  readonly actions: readonly { readonly action: AdviceAction | 'copyReport' | 'continue'; readonly label: string }[];
  /** Unix milliseconds until which the gateway asks to wait, counted from the end of its answer. */
  readonly waitUntil?: number;
};

/** Longer than this no wait is believed; what was read from a file may be anything. */
const maxWaitMs = 86_400_000;

const labels: Readonly<Record<AdviceAction, string>> = {
  sendAgain: 'Send again',
  sendWithoutUsage: 'Send again without it',
  chooseModel: 'Pick a model',
  editAddress: 'Change the address',
  replaceKey: 'Replace key',
  showLog: 'Show log',
  checkConnection: 'Check connection',
  editConnection: 'Edit connection',
  openConsole: 'Open console',
  proxySettings: 'Open proxy settings',
  newConversation: 'New conversation',
};

/** @returns undefined for a running reply and for one that ended well. */
export function troubleOf(reply: Reply): Trouble | undefined {
  switch (reply.state) {
    case 'waiting':
    case 'streaming':
      return undefined;
    case 'complete':
      if (reply.text.trim() === '') {
        // The one way to end well without a word.
        return {
          severity: 'warning',
          title: 'The model asked for a tool instead of answering',
          remedy: 'It is offered none here. Ask for an answer in words, or pick another model.',
          facts: [],
          actions: [],
        };
      }
      return isLengthLimit(reply.finishReason)
        ? {
            severity: 'warning',
            title: 'The reply reached its length limit',
            remedy: 'The model stopped there. Ask it to continue.',
            facts: [],
            actions: [{ action: 'continue', label: 'Continue (a new paid call)' }],
          }
        : reply.hasToolCalls || reply.finishReason === 'tool_calls' || reply.finishReason === 'function_call'
          ? {
              severity: 'warning',
              title: 'The model asked for a tool after this text',
              remedy: 'It is offered none here, so nothing was run and the answer may not be whole.',
              facts: [],
              actions: [],
            }
          : undefined;
    case 'stopped':
      if (reply.isUnsent) {
        return {
          severity: 'warning',
          title: 'Stopped before it was sent.',
          remedy: '',
          facts: [],
          actions: [{ action: 'sendAgain', label: labels.sendAgain }],
        };
      }
      return {
        severity: 'warning',
        title: `Stopped after ${secondsText(reply.totalMs ?? 0)}. The gateway may still charge for this reply.`,
        remedy: '',
        facts: [],
        actions: [{ action: 'sendAgain', label: 'Send again (a new paid call)' }],
      };
    case 'incomplete':
    case 'failed':
      return failureOf(reply, reply.state);
    default:
      return reply.state satisfies never;
  }
}

/**
 * The ways to get another reply to the same question that its card does not offer already: none while it runs, and none
 * for what is arriving in another window.
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
  const label = (each: AdviceAction) =>
    isPaid && (each === 'sendAgain' || each === 'sendWithoutUsage')
      ? `${labels[each]} (may be charged again)`
      : labels[each];
  return {
    severity: state === 'incomplete' ? 'warning' : 'error',
    title,
    remedy: isPaid && !/charge/.test(remedy) ? `${remedy} The gateway may have charged for this call.` : remedy,
    ...(problem.words && problem.words !== title && { words: problem.words }),
    facts: factsOf(problem, reply.requestId ?? problem.requestId),
    actions: [
      { action, label: label(action) },
      // What is arriving elsewhere must not be paid for a second time.
      ...(action === 'sendAgain' || problem.kind === 'elsewhere'
        ? []
        : [{ action: 'sendAgain' as const, label: label('sendAgain') }]),
      { action: 'copyReport' as const, label: 'Copy report' },
    ],
    ...(waitUntil !== undefined && { waitUntil }),
  };
}

/** Status, code and request id, each once: many gateways repeat the status as their code. */
function factsOf({ status, code }: GatewayProblem, requestId: string | undefined): string[] {
  const facts = [status === undefined ? '' : String(status), code ?? '', requestId ? `request ${requestId}` : ''];
  return [...new Set(facts)].filter((fact) => fact !== '');
}

/** By the clock on the wall, so that a window that was closed or a machine that slept changes nothing. */
function endOfWait({ startedAt, totalMs = 0 }: Reply, problem: GatewayProblem): number | undefined {
  const waitMs = problem.kind === 'rateLimited' ? (problem.retryAfterMs ?? 0) : 0;
  return waitMs > 0 ? startedAt + totalMs + Math.min(waitMs, maxWaitMs) : undefined;
}

/** What a person hands to a gateway's support: facts without question, answer or key. */
export function troubleReport(reply: Reply, version: string): string {
  const problem = reply.problem;
  const rows: [string, string | number | undefined][] = [
    ['Ask Model', version],
    ['Time', new Date(reply.startedAt).toISOString()],
    ['Host', reply.host],
    ['Model', reply.model],
    ['State', reply.state],
    ['Cause', problem?.kind],
    ['Status', problem?.status],
    ['Code', problem?.code],
    ['Request id', reply.requestId ?? problem?.requestId],
    ['Gateway’s words', problem?.words],
    ['Received', `${reply.text.length + reply.reasoning.length} characters`],
    ['Duration', reply.totalMs === undefined ? undefined : `${reply.totalMs} ms`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])).join('\n');
}
