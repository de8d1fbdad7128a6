import type { Clock } from '../../core/base/clock.ts';
import type { DisposableStore } from '../../core/base/lifetime.ts';
import type { Log } from './log.ts';
import type { Remembered } from './remembered.ts';

/** The dependencies of every part of the extension. */
export type SharedPorts = {
  /** Owns everything that must be disposed. There is only one, so that what was created last is disposed first. */
  readonly store: DisposableStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly remembered: Remembered;
};
