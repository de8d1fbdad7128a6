import * as vscode from 'vscode';
import { defaultLimits, type TimerLimits } from '../../core/http/requestTimers.ts';

/** The time limits from the settings, which are in seconds; read at each call. An invalid value means the default. */
export const timeouts: TimerLimits = {
  get connectMs() {
    return limitMs('askModel.timeouts.connect', defaultLimits.connectMs);
  },
  get firstByteMs() {
    return limitMs('askModel.timeouts.firstByte', defaultLimits.firstByteMs);
  },
  get idleMs() {
    return limitMs('askModel.timeouts.idle', defaultLimits.idleMs);
  },
  get payloadMs() {
    return limitMs('askModel.timeouts.payload', defaultLimits.payloadMs);
  },
  get totalMs() {
    return limitMs('askModel.timeouts.total', defaultLimits.totalMs);
  },
};

/** The longest delay that `setTimeout` supports. */
const longestMs = 2_147_483_647;

function limitMs(name: string, fallback: number): number {
  const seconds = vscode.workspace.getConfiguration().get<unknown>(name);
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1_000, longestMs) : fallback;
}
