import type { Clock } from '../../core/base/clock.ts';
import type { DisposableStore } from '../../core/base/lifetime.ts';
import type { Log } from './log.ts';
import type { Remembered } from './remembered.ts';

/** What every part of the extension is opened with. */
export type SharedPorts = {
  /** Owns what is opened, also what is made later. One for all, so that what was made last is disposed first. */
  readonly store: DisposableStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly remembered: Remembered;
};
