import { isRecord } from '../../core/base/loose.ts';
import { type DailyLimits, type LimitKind, limitKinds } from '../../core/usage/limits.ts';
import { ownSetting, setOwnSetting } from '../ui/remembered.ts';

const limitSetting = 'askModel.dailyLimit';
/** The parts of two settings, each of which was one in an earlier version. */
const parts = {
  [limitSetting]: [...limitKinds, 'otherExtensions'],
  'askModel.timeouts': ['connect', 'firstByte', 'idle', 'payload', 'total'],
};
/** The share of other extensions, in percent, when it isn't set, or not validly. */
const defaultShare = 50;
/** The part of a limit at which the person is warned. */
const warnedPart = 0.8;

/** Reads the limits from the person's own settings. @returns the id of the setting if a limit in it is invalid. */
export function dailyLimits(): DailyLimits | string {
  const stated = ownSetting(limitSetting) ?? {};
  if (!isRecord(stated) || limitKinds.some((kind) => !isAmount(stated[kind] ?? 0))) {
    return limitSetting;
  }
  const hard: { [Kind in LimitKind]?: number } = {};
  const soft: { [Kind in LimitKind]?: number } = {};
  for (const kind of limitKinds) {
    const limit = stated[kind];
    // What an earlier version had settings for. A warning isn't moved, because it must not become a limit.
    const warning = ownSetting(`askModel.dailyWarning.${kind}`);
    const warned = isAmount(warning) ? [warning] : [];
    if (isAmount(limit)) {
      hard[kind] = limit;
      warned.push(kind === 'cost' ? limit * warnedPart : Math.ceil(limit * warnedPart));
    }
    if (warned.length > 0) {
      soft[kind] = Math.min(...warned);
    }
  }
  const share = stated.otherExtensions;
  return { hard, soft, othersPercent: isAmount(share) ? Math.min(100, share) : defaultShare };
}

/**
 * Moves the settings that an earlier version had for each part of a setting, which VS Code returns as parts of it. They
 * go only when the whole one is written.
 *
 * @returns whether any were moved.
 */
export async function moveSettings(): Promise<boolean> {
  let isMoved = false;
  for (const [id, names] of Object.entries(parts)) {
    const stated = ownSetting(id);
    if (isRecord(stated) && Object.keys(stated).length > 0) {
      await setOwnSetting(id, { ...stated });
      for (const name of names) {
        await setOwnSetting(`${id}.${name}`, undefined);
      }
      isMoved = true;
    }
  }
  return isMoved;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
