import type { ProxyFacts } from '../network/networkErrors.ts';

/** Why a call to the gateway failed: plain data, so that it can be stored, shown and counted. */

/** What the failing response itself said, already redacted. */
export type Evidence = {
  readonly status?: number;
  readonly code?: string;
  /** The gateway's own message. */
  readonly words?: string;
  readonly requestId?: string;
  /** The response was a web page, so it came from something in front of the gateway. */
  readonly isPage?: true;
};

/**
 * What a web page in place of an API response is: a page that wants a sign-in first, one of a proxy or filter, or any
 * other.
 */
export type PageKind = 'page' | 'login' | 'proxy';

/** Which of the client's own time-outs expired. */
export type TimerName = 'firstByte' | 'idle' | 'payload' | 'total';

/** The fields of kinds that have any beside those of `Evidence`. */
type Fields = {
  /** The gateway tried to reserve more than is left, but something is left. */
  readonly keyExhausted: { readonly isReserved?: true };
  readonly balanceEmpty: { readonly isReserved?: true };
  readonly rateLimited: { readonly retryAfterMs?: number };
  /** `isRefusal`: the model itself declined, in the words of the problem. */
  readonly contentFiltered: { readonly isRefusal?: true };
  /** The parameter, such as `temperature`, and the field that the gateway's message names in place of it. */
  readonly parameterRejected: { readonly parameter: string; readonly instead?: string };
  readonly webPage: { readonly page: PageKind };
  /** `service`: its name, if known. */
  readonly blocked: { readonly service?: string };
  /** `target`: empty when the response named none. */
  readonly redirected: { readonly target: string };
  /** `isAllReasoning`: the length limit of the reply was reached before its first word. */
  readonly emptyReply: { readonly isAllReasoning?: true };
  /** `isDamaged`: the response is JSON with a syntax error, so the address is right. */
  readonly unreadable: { readonly isDamaged?: true };
  readonly tooLarge: { readonly limitBytes: number };
  readonly timedOut: { readonly timer: TimerName; readonly limitMs: number };
  readonly limitReached: {
    readonly limit: 'calls' | 'tokens' | 'cost';
    readonly max: number;
    /** What today's calls used or reserved. */
    readonly used: number;
    /** What the call would add at most. */
    readonly needed: number;
    /** The unit of costs; see `Money`. */
    readonly unit?: string;
    /** It is the part of the limit that all other extensions share. */
    readonly isShare?: true;
  };
  /**
   * The setting is invalid; the model has no price, and the person did not allow it under a limit of costs; or the call
   * could not be recorded.
   */
  readonly limitUnchecked: { readonly cause: 'setting' | 'price' | 'record'; readonly setting?: string };
  readonly unreachable: { readonly host: string; readonly cause: 'dns' | 'refused' | 'network' };
  readonly certificate: { readonly detail: string };
  readonly routeInClear: { readonly proxy?: string };
  /** `mayHaveRun`: it may have read the request before. */
  readonly proxy: ProxyFacts & { readonly mayHaveRun?: true };
};

export type ProblemKind = keyof typeof kinds;
type Kinds = {
  [Kind in ProblemKind]: { readonly kind: Kind } & (Kind extends keyof Fields ? Fields[Kind] : unknown);
}[ProblemKind];
export type GatewayProblem = Kinds & Evidence;
export type ProblemOf<Kind extends ProblemKind> = Extract<GatewayProblem, { kind: Kind }>;

/** Thrown where there is no partial result, as when the model list is read. A reply holds its problem as data. */
export class GatewayError extends Error {
  readonly problem: GatewayProblem;

  constructor(problem: GatewayProblem) {
    super(problem.words ?? problem.kind);
    this.name = 'GatewayError';
    this.problem = problem;
  }
}

/** The pages of a gateway's web console: keys, wallet, catalog of models, usage log. */
export const consolePages = ['keys', 'wallet', 'models', 'usage'] as const;
export type ConsolePage = (typeof consolePages)[number];

/** The actions of the button of an error. */
export const adviceActions = [
  'sendAgain',
  'sendWithoutUsage',
  'sendWithoutParameter',
  'chooseParts',
  'chooseModel',
  'editAddress',
  'replaceKey',
  'showLog',
  'checkConnection',
  'editConnection',
  'openConsole',
  'proxySettings',
  'limitSettings',
  'newConversation',
] as const;
export type AdviceAction = (typeof adviceActions)[number];

type KindFacts = {
  /** What a person can do about it, unless the words say otherwise. */
  readonly action: AdviceAction;
  /**
   * `refused`: before any model ran, so not billed; a reply in another window is counted by that window. `unsent`: no
   * request reached the gateway. Without it, it is unknown how the call ended, so the model may have run.
   */
  readonly isFree?: 'refused' | 'unsent';
  /** The same request may succeed a moment later. */
  readonly isTransient?: true;
  /** The page of the console on which a person can do something about it. */
  readonly page?: ConsolePage;
  /** The code of `vscode.LanguageModelError` for it. */
  readonly code?: 'NotFound' | 'NoPermissions' | 'Blocked';
};

/** One row a kind. */
const kinds = {
  keyRejected: { action: 'replaceKey', isFree: 'refused', page: 'keys', code: 'NoPermissions' },
  keyExpired: { action: 'replaceKey', isFree: 'refused', page: 'keys', code: 'NoPermissions' },
  keyExhausted: { action: 'replaceKey', isFree: 'refused', page: 'keys', code: 'Blocked' },
  keyDisabled: { action: 'replaceKey', isFree: 'refused', page: 'keys', code: 'NoPermissions' },
  balanceEmpty: { action: 'openConsole', isFree: 'refused', page: 'wallet', code: 'Blocked' },
  accessDenied: { action: 'replaceKey', isFree: 'refused', page: 'keys', code: 'NoPermissions' },
  modelDenied: { action: 'chooseModel', isFree: 'refused', page: 'keys', code: 'NoPermissions' },
  modelUnknown: { action: 'chooseModel', isFree: 'refused', page: 'models', code: 'NotFound' },
  rateLimited: { action: 'sendAgain', isFree: 'refused', isTransient: true, code: 'Blocked' },
  contextTooLong: { action: 'chooseParts', isFree: 'refused' },
  contentFiltered: { action: 'chooseModel', code: 'Blocked' },
  requestTooLarge: { action: 'newConversation', isFree: 'refused' },
  requestRejected: { action: 'chooseModel', isFree: 'refused' },
  /** The gateway doesn't accept the option that requests token counts. */
  usageOptionRejected: { action: 'sendWithoutUsage', isFree: 'refused' },
  /** The gateway doesn't accept a parameter for this model. */
  parameterRejected: { action: 'sendWithoutParameter', isFree: 'refused' },
  wrongAddress: { action: 'editAddress', isFree: 'refused' },
  webPage: { action: 'editAddress' },
  /** A protection service in front of the gateway blocked the request. */
  blocked: { action: 'showLog', isFree: 'refused' },
  redirected: { action: 'editAddress', isFree: 'refused' },
  gatewayDown: { action: 'sendAgain', isTransient: true },
  /** The gateway, or something in front of it, gave up waiting for the model, which may have run. */
  gatewayTimedOut: { action: 'sendAgain', isTransient: true },
  emptyReply: { action: 'sendAgain' },
  unreadable: { action: 'editAddress' },
  tooLarge: { action: 'showLog' },
  timedOut: { action: 'sendAgain' },
  cut: { action: 'sendAgain', isTransient: true },
  /** VS Code or its extension host ended while the reply was arriving. */
  interrupted: { action: 'sendAgain' },
  /** The rest of the reply could not be written to disk before its window was closed. Of earlier versions. */
  unsaved: { action: 'sendAgain' },
  /** The reply is arriving in another window of VS Code. */
  elsewhere: { action: 'newConversation', isFree: 'refused' },
  /** VS Code's secret storage can't be read, so there is no key to send. */
  secretStore: { action: 'showLog', isFree: 'unsent', code: 'NoPermissions' },
  /** A limit that the person set for a day; nothing was sent. */
  limitReached: { action: 'limitSettings', isFree: 'unsent', code: 'Blocked' },
  /** A limit that the person set for a day could not be checked, so nothing was sent. */
  limitUnchecked: { action: 'sendAgain', isFree: 'unsent', code: 'Blocked' },
  /** A bug in this extension; its stack is in the log. */
  defect: { action: 'showLog' },
  unreachable: { action: 'checkConnection', isTransient: true },
  certificate: { action: 'checkConnection', isFree: 'unsent' },
  /** Others could read the key on the route to the gateway, and the person has not accepted that; nothing was sent. */
  routeInClear: { action: 'sendAgain', isFree: 'unsent' },
  /** A proxy on the route did not let the request through. */
  proxy: { action: 'checkConnection' },
} as const satisfies Readonly<Record<string, KindFacts>>;

/** The kinds that state what is wrong with the key. */
export const keyProblems = new Set<ProblemKind>(['keyRejected', 'keyExpired', 'keyExhausted', 'keyDisabled']);

/** What is known of a kind: nothing of one in a stored conversation that only a later version knows. */
export function kindFacts(kind: ProblemKind): Partial<KindFacts> {
  const known: Partial<Record<ProblemKind, KindFacts>> = kinds;
  return known[kind] ?? {};
}

/** Whether a gateway refused a question for the key or the balance. */
export function isAccountProblem(problem: GatewayProblem | undefined): boolean {
  const page = problem && problem.kind !== 'modelDenied' ? kindFacts(problem.kind).page : undefined;
  return page === 'keys' || page === 'wallet';
}

/**
 * Whether a failed call may have cost something. Its kind decides, never its status (wire section 4).
 *
 * @param hasArrived true when text, reasoning or usage arrived, so a model did run.
 */
export function mayBeCharged(problem: GatewayProblem, hasArrived: boolean): boolean {
  if (hasArrived) {
    return true;
  }
  if (kindFacts(problem.kind).isFree || isUnsent(problem)) {
    return false;
  }
  // A filter on the route also blocks responses, after the model has run.
  return problem.kind !== 'webPage' || problem.page === 'proxy';
}

/** Whether a problem means that no request reached the gateway. */
export function isUnsent(problem: GatewayProblem): boolean {
  switch (problem.kind) {
    case 'proxy':
      return problem.mayHaveRun !== true;
    case 'unreachable':
      // An unknown network error may have occurred after the request was sent.
      return problem.cause !== 'network' || problem.words === undefined;
    default:
      return kindFacts(problem.kind).isFree === 'unsent';
  }
}

/** True when the same request may succeed a moment later. A wrong key, address or page stays wrong. */
export function isTransient(problem: GatewayProblem): boolean {
  const isProxyDown = problem.kind === 'proxy' && problem.cause === 'unreachable';
  // A web page comes from something in front of the gateway, and a moment later it will be the same page.
  return !problem.isPage && (kindFacts(problem.kind).isTransient === true || isProxyDown || problem.status === 408);
}
