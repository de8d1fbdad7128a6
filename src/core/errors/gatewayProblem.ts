import type { PageKind } from './pageKind.ts';
import type { RedirectReason } from './redirectReason.ts';

/** Why a call to the gateway did not end well. Plain data, so that it can be kept, shown and counted. */

/** What the failing answer itself said; all of it redacted before it gets here. */
export type Evidence = {
  readonly status?: number;
  readonly code?: string;
  /** The gateway's own words. */
  readonly words?: string;
  readonly requestId?: string;
  /** It came as a web page: from something in front of the gateway. */
  readonly isPage?: true;
};

/** Which of the client's own clocks ran out. */
export type TimerName = 'connect' | 'firstByte' | 'idle' | 'payload' | 'total';

type Kinds =
  | { readonly kind: 'keyRejected' }
  | { readonly kind: 'keyExpired' }
  /** `isReserved`: the gateway wanted to set aside more than is left, which need not be nothing. */
  | { readonly kind: 'keyExhausted'; readonly isReserved?: true }
  | { readonly kind: 'keyDisabled' }
  | { readonly kind: 'balanceEmpty'; readonly isReserved?: true }
  | { readonly kind: 'accessDenied' }
  | { readonly kind: 'modelDenied' }
  | { readonly kind: 'modelUnknown' }
  | { readonly kind: 'rateLimited'; readonly retryAfterMs?: number }
  | { readonly kind: 'contextTooLong' }
  | { readonly kind: 'contentFiltered' }
  | { readonly kind: 'requestTooLarge' }
  | { readonly kind: 'requestRejected' }
  /** It does not take the option that asks for token counts. */
  | { readonly kind: 'usageOptionRejected' }
  | { readonly kind: 'wrongAddress' }
  /** Kept ones of earlier versions do not say which kind of page it was. */
  | { readonly kind: 'webPage'; readonly title?: string; readonly page?: PageKind }
  /** By a protection service in front of the gateway, whose name may be known. */
  | { readonly kind: 'blocked'; readonly service?: string }
  /** The target is empty when the answer named none. `mayHaveRun`: what came with it had not ended, or not begun. */
  | {
      readonly kind: 'redirected';
      readonly target: string;
      readonly reason?: RedirectReason;
      readonly mayHaveRun?: true;
    }
  | { readonly kind: 'gatewayDown' }
  /** It, or what stands in front of it, gave up waiting for the model, which may have run. */
  | { readonly kind: 'gatewayTimedOut' }
  /** `isAllReasoning`: the limit of the reply was reached before its first word. */
  | { readonly kind: 'emptyReply'; readonly isAllReasoning?: true }
  /** `isDamaged`: it is JSON but for a mistake in it, so the address is right. */
  | { readonly kind: 'unreadable'; readonly detail: string; readonly isDamaged?: true }
  | { readonly kind: 'tooLarge'; readonly limitBytes: number }
  | { readonly kind: 'timedOut'; readonly timer: TimerName; readonly limitMs: number }
  | { readonly kind: 'cut' }
  /** The editor itself went away while the reply was arriving. */
  | { readonly kind: 'interrupted' }
  /** It went on, and could not be written to the disk before its window went away. */
  | { readonly kind: 'unsaved' }
  /** It is arriving in another window of the editor. */
  | { readonly kind: 'elsewhere' }
  /** VS Code's secret storage can not be read, so there is no key to send. */
  | { readonly kind: 'secretStore' }
  /** A mistake of this program; its stack is in the log. */
  | { readonly kind: 'defect' }
  | { readonly kind: 'unreachable'; readonly host: string; readonly cause: 'dns' | 'refused' | 'network' }
  | {
      readonly kind: 'certificate';
      readonly detail: string;
      /** Whom the certificate is for, when it is for somebody else. */
      readonly names?: readonly string[];
    }
  /** Others could read the key on the route to the gateway, and the person has not accepted that; nothing was sent. */
  | { readonly kind: 'routeInClear'; readonly proxy?: string }
  /** A proxy on the way did not let the request through. `mayHaveRun`: it said so after it had read the request. */
  | {
      readonly kind: 'proxy';
      /** Host and port, never with a password; empty where the setting can not be read. */
      readonly proxy: string;
      readonly cause: 'authentication' | 'refused' | 'unreachable' | 'certificate' | 'setting';
      /** The setting or environment variable that names the proxy. */
      readonly setting: string;
      /** What goes beyond the cause: which authorization it takes, why the setting can not be used. */
      readonly detail?: string;
      readonly mayHaveRun?: true;
    };

export type GatewayProblem = Kinds & Evidence;
export type ProblemKind = GatewayProblem['kind'];
export type ProblemOf<Kind extends ProblemKind> = Extract<GatewayProblem, { kind: Kind }>;

/** Thrown where there is no partial result to keep: reading the model list. A reply carries its problem as data. */
export class GatewayError extends Error {
  readonly problem: GatewayProblem;

  constructor(problem: GatewayProblem) {
    super(problem.words ?? problem.kind);
    this.name = 'GatewayError';
    this.problem = problem;
  }
}
