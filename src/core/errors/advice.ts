import { durationText } from '../base/durationText.ts';
import type { GatewayProblem } from './gatewayProblem.ts';
import { listAdvice } from './listAdvice.ts';
import { certificateAdvice, proxyAdvice, routeInClearAdvice, unreachableAdvice } from './networkAdvice.ts';
import { blockedAdvice, redirectedAdvice, reservedAdvice, webPageAdvice } from './placeAdvice.ts';

/** What the one button of an error does. */
export type AdviceAction =
  | 'sendAgain'
  | 'sendWithoutUsage'
  | 'chooseModel'
  | 'editAddress'
  | 'replaceKey'
  | 'showLog'
  | 'checkConnection'
  | 'editConnection'
  | 'openConsole'
  | 'proxySettings'
  | 'newConversation';

/** A problem in words for a person: what happened, what to do, and the one action that does it. */
export type Advice = { readonly title: string; readonly remedy: string; readonly action: AdviceAction };

/** What the words mention besides the problem itself. */
export type AdviceContext = {
  readonly model?: string;
  readonly host: string;
  /** Text or reasoning came before it ended. */
  readonly hasArrived?: boolean;
};

const mayHaveRun = 'The model may have run, and the gateway may charge for it.';

/** Every kind has words and one action; a new kind does not compile until it has them. */
export function advice(problem: GatewayProblem, { model, host, hasArrived = false }: AdviceContext): Advice {
  const kept = hasArrived ? ' What arrived is kept.' : '';
  const name = model ?? 'this model';
  const ofList = model === undefined ? listAdvice(problem, host) : undefined;
  if (ofList) {
    return ofList;
  }
  switch (problem.kind) {
    case 'keyRejected':
      return {
        title: 'The gateway rejected this key',
        remedy: 'It is wrong, expired, used up or disabled. Check it in the console, or enter another one.',
        action: 'replaceKey',
      };
    case 'keyExpired':
      return {
        title: 'This key has expired',
        remedy: 'Its validity period is over. Create a new key in the console and enter it here.',
        action: 'replaceKey',
      };
    case 'keyExhausted':
      if (problem.isReserved) {
        return { ...reservedAdvice('key'), action: 'replaceKey' };
      }
      return {
        title: 'This key’s quota is used up',
        remedy: 'Raise the quota of the key in the console, or enter another key.',
        action: 'replaceKey',
      };
    case 'keyDisabled':
      return {
        title: 'This key is disabled',
        remedy: 'Enable it in the console, or enter another key.',
        action: 'replaceKey',
      };
    case 'balanceEmpty':
      if (problem.isReserved) {
        return { ...reservedAdvice('balance'), action: 'openConsole' };
      }
      return {
        title: 'The balance does not cover this call',
        remedy: 'Top up the wallet in the console, then send again.',
        action: 'openConsole',
      };
    case 'accessDenied':
      return {
        title: 'The gateway does not allow this call',
        remedy:
          'The key, the account or this machine’s address may be restricted. The console shows what the key is open to.',
        action: 'replaceKey',
      };
    case 'modelDenied':
      return {
        title: 'This key is not open to that model',
        remedy: `The gateway has no route to ${name} for this key’s group. Pick another model, or change the key’s groups in the console.`,
        action: 'chooseModel',
      };
    case 'modelUnknown':
      return {
        title: 'The gateway does not know that model',
        remedy: `${name} is not open to this key, or is gone. Pick a model from the list.`,
        action: 'chooseModel',
      };
    case 'rateLimited':
      return {
        title: 'Too many requests for now',
        remedy:
          problem.retryAfterMs === undefined
            ? 'The gateway or the model’s vendor is at its limit. Wait a little, then send again.'
            : `The gateway asks to wait ${durationText(problem.retryAfterMs)} before sending again.`,
        action: 'sendAgain',
      };
    case 'contextTooLong':
      return {
        title: 'The conversation is too long for this model',
        remedy: 'Start a new conversation, select less code, or pick a model with a larger context.',
        action: 'newConversation',
      };
    case 'contentFiltered':
      return {
        title: 'A content filter stopped the reply',
        remedy: 'The vendor’s filter objected to the question or the answer. Another model may answer it.',
        action: 'chooseModel',
      };
    case 'requestTooLarge':
      return {
        title: 'The request is larger than the gateway takes',
        remedy: 'Select less code, or start a new conversation.',
        action: 'newConversation',
      };
    case 'requestRejected':
      if (/\bheaders?\b/i.test(problem.words ?? '')) {
        return {
          title: 'The gateway rejected the request',
          remedy: 'It speaks of a header. Extra headers are set in the connection.',
          action: 'editConnection',
        };
      }
      return {
        title: 'The gateway rejected the request',
        remedy: `Its own words say why. ${model ? `If they name ${name}, pick another model.` : 'Check the address of the connection.'}`,
        action: model ? 'chooseModel' : 'editAddress',
      };
    case 'usageOptionRejected':
      return {
        title: 'The gateway does not take the option stream_options',
        remedy: 'It asks for the token counts of a reply. Send again without it; this connection remembers.',
        action: 'sendWithoutUsage',
      };
    case 'wrongAddress':
      return {
        title: 'There is no such endpoint at this address',
        remedy: `${host} answers, but not at this path. Check the base address of the connection: it usually ends with /v1.`,
        action: 'editAddress',
      };
    case 'webPage':
      return { ...webPageAdvice(problem, host), action: problem.page === 'proxy' ? 'proxySettings' : 'editAddress' };
    case 'blocked':
      return { ...blockedAdvice(problem, host), action: 'showLog' };
    case 'redirected':
      return { ...redirectedAdvice(problem, host), action: 'editAddress' };
    case 'gatewayDown':
      return {
        title: 'The gateway or the model’s vendor has a problem',
        remedy: 'Nothing is wrong on this side. Send again later, or pick another model.',
        action: 'sendAgain',
      };
    case 'gatewayTimedOut':
      return {
        title: 'The gateway timed out',
        remedy: `It, or something in front of it, gave up waiting for the model. ${mayHaveRun}${kept}`,
        action: 'sendAgain',
      };
    case 'emptyReply':
      if (problem.isAllReasoning) {
        return {
          title: 'The model used its whole limit for reasoning',
          remedy:
            'It reached the length limit of the reply before the first word. Ask for less at once, or choose a model that reasons less.',
          action: 'chooseModel',
        };
      }
      return {
        title: 'The reply is empty',
        remedy: 'The gateway ended the answer without any text. A second send is a second paid call.',
        action: 'sendAgain',
      };
    case 'unreadable':
      if (problem.isDamaged) {
        return {
          title: 'The answer can’t be read',
          remedy: `What came is ${problem.detail}. Its beginning is shown here.`,
          action: 'showLog',
        };
      }
      return {
        title: 'This is not an answer of a chat gateway',
        remedy: `What came is ${problem.detail}. Check the base address of the connection.`,
        action: 'editAddress',
      };
    case 'tooLarge':
      return {
        title: 'The answer is larger than this program takes',
        remedy: `It was ended at ${Math.round(problem.limitBytes / 1_048_576)} MB.${kept}`,
        action: 'showLog',
      };
    case 'timedOut':
      return { ...timedOut(problem, hasArrived), action: 'sendAgain' };
    case 'cut':
      return {
        title: hasArrived ? 'The reply was cut off' : 'The connection ended before the reply',
        remedy: hasArrived
          ? 'The connection ended before the model said that it was done. What arrived is kept.'
          : 'Nothing of the reply arrived, but the model may have run.',
        action: 'sendAgain',
      };
    case 'interrupted':
      return {
        title: 'VS Code or its extensions ended before the reply was complete',
        remedy: `${hasArrived ? 'What had arrived is kept, but for at most its last quarter of a second.' : 'Nothing had arrived yet.'} The gateway may have charged for the whole reply.`,
        action: 'sendAgain',
      };
    case 'unsaved':
      return {
        title: 'The rest of this reply couldn’t be saved',
        remedy:
          'The disk was full or write-protected until the window was closed. What could be saved is shown. The gateway may have charged for the whole reply.',
        action: 'sendAgain',
      };
    case 'elsewhere':
      return {
        title: 'This reply is arriving in another window',
        remedy: 'It is shown there, and kept. Open the conversation again here when it has ended.',
        action: 'newConversation',
      };
    case 'secretStore':
      return {
        title: 'VS Code’s secret storage can not be read',
        remedy: 'The key is kept there, so nothing was sent. Unlock the system’s keyring, then try again.',
        action: 'showLog',
      };
    case 'defect':
      return {
        title: 'Ask Model made a mistake',
        remedy: `This is not the gateway’s fault.${kept} The log has what a report needs.`,
        action: 'showLog',
      };
    case 'unreachable':
      return { ...unreachableAdvice(problem, host), action: 'checkConnection' };
    case 'certificate':
      return { ...certificateAdvice(problem, host), action: 'checkConnection' };
    case 'routeInClear':
      return { ...routeInClearAdvice(problem, host), action: 'sendAgain' };
    case 'proxy': {
      const isInSettings = problem.cause === 'authentication' || problem.cause === 'setting';
      return { ...proxyAdvice(problem, host), action: isInSettings ? 'proxySettings' : 'checkConnection' };
    }
    default:
      problem satisfies never;
      // A kept conversation may hold a kind that only a later version knows.
      return {
        title: 'The reply did not end well',
        remedy: `A newer version of Ask Model wrote down why.${kept}`,
        action: 'sendAgain',
      };
  }
}

function timedOut({ timer, limitMs }: { timer: string; limitMs: number }, hasArrived: boolean): Omit<Advice, 'action'> {
  const limit = durationText(limitMs);
  switch (timer) {
    case 'connect':
      return {
        title: 'No connection was made',
        remedy: `The gateway did not answer within ${limit}. Nothing was sent.`,
      };
    case 'total':
      return {
        title: 'The reply took too long',
        remedy: `It was ended after ${limit}.${hasArrived ? ' What arrived is kept.' : ''} ${mayHaveRun}`,
      };
    default:
      return hasArrived
        ? {
            title: 'The reply stopped in the middle',
            remedy: `Nothing came for ${limit}. What arrived is kept. ${mayHaveRun}`,
          }
        : { title: 'No answer came', remedy: `The gateway sent nothing of a reply for ${limit}. ${mayHaveRun}` };
  }
}
