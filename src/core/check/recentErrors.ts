import type { Clock } from '../base/clock.ts';
import { textOf } from '../base/loose.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';

/** What a report says about an error: no message, because a message may quote anything, such as a question. */
export type RecentError = {
  /** Unix milliseconds. */
  readonly at: number;
  /** The call, or the part of the extension, that failed. */
  readonly where: string;
  /** The kind of a gateway's problem; `defect` for an unexpected error. */
  readonly kind: GatewayProblem['kind'];
  /** The more specific reason of some kinds; never text from outside. */
  readonly cause?: string;
  readonly status?: number;
  /** As the gateway, Node or VS Code wrote it. */
  readonly code?: string;
  readonly requestId?: string;
  /** The origin of the gateway. */
  readonly origin?: string;
  /** The name of an unexpected error, such as `TypeError`. */
  readonly name?: string;
  /** File, line and column in the extension where an unexpected error was thrown. */
  readonly place?: string;
};

const limit = 5;
/** UTF-16 units of a stack that are read. */
const maxStack = 8_192;
/** A line of a stack that names a file of the built extension. */
const ownFrame = /^ {4}at [^\n]{0,400}[\\/]dist[\\/]([\w-]{1,60}\.c?js:\d{1,7}:\d{1,7})\)?$/m;

/** The last errors of this window, for *Copy Diagnostics*. They are only in memory, and gone when the window closes. */
export class RecentErrors {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #all: RecentError[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The oldest first; at most 5. */
  get all(): readonly RecentError[] {
    return this.#all;
  }

  problem(where: string, origin: string, problem: GatewayProblem): void {
    const { kind, status, code, requestId } = problem;
    const cause = 'cause' in problem ? problem.cause : 'timer' in problem ? problem.timer : undefined;
    this.#add({
      where,
      kind,
      origin,
      ...(cause && { cause }),
      ...(status !== undefined && { status }),
      ...(code && { code }),
      ...(requestId && { requestId }),
    });
  }

  /** An unexpected error. */
  defect(where: string, error: unknown): void {
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: undefined };
    const code = error instanceof Error && 'code' in error ? textOf(error.code) : undefined;
    const place = ownFrame.exec(stack?.slice(0, maxStack) ?? '')?.[1];
    this.#add({ where, kind: 'defect', name, ...(code && { code }), ...(place && { place }) });
  }

  #add(error: Omit<RecentError, 'at'>): void {
    this.#all.push({ at: this.#clock.now(), ...error });
    if (this.#all.length > limit) {
      this.#all.shift();
    }
  }
}
