import * as vscode from 'vscode';
import { isRecord, type LooseRecord } from '../../core/base/loose.ts';
import { type DailyLimits, type LimitKind, limitKinds } from '../../core/usage/limits.ts';

const limitSetting = 'askModel.dailyLimit';
/** What it states, each of which an earlier version had a setting for. */
const names = [...limitKinds, 'otherExtensions'] as const;
/** The share of other extensions, in percent, when it isn't set, or not validly. */
const defaultShare = 50;
/** The part of a limit at which the person is warned. */
const warnedPart = 0.8;

/** Reads the limits from the person's own settings. @returns the id of the setting if a limit in it is invalid. */
export function dailyLimits(): DailyLimits | string {
  const stated = statedLimits();
  if (stated === undefined || limitKinds.some((kind) => !isAmount(stated[kind] ?? 0))) {
    return limitSetting;
  }
  const hard: { [Kind in LimitKind]?: number } = {};
  const soft: { [Kind in LimitKind]?: number } = {};
  for (const kind of limitKinds) {
    const limit = stated[kind];
    // What an earlier version had settings for. A warning isn't moved, because it must not become a limit.
    const warning = ownValue(`askModel.dailyWarning.${kind}`);
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
 * Moves the limits that an earlier version had a setting for each of. Their settings go only when the new one is there.
 *
 * @returns whether they were moved.
 */
export async function moveLimits(): Promise<boolean> {
  const stated = statedLimits();
  const limits = Object.fromEntries(Object.entries(stated ?? {}).filter(([, value]) => isAmount(value)));
  const count = Object.keys(limits).length;
  if (stated === undefined || count === 0 || count < Object.keys(stated).length) {
    return false;
  }
  const update = (id: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
  await update(limitSetting, limits);
  const written = ownValue(limitSetting);
  if (!isRecord(written) || Object.entries(limits).some(([name, value]) => written[name] !== value)) {
    return false;
  }
  for (const name of names) {
    await update(`${limitSetting}.${name}`, undefined);
  }
  return true;
}

/**
 * What the setting states, and the settings of an earlier version; while both state the same limit, the stricter counts.
 *
 * @returns undefined if it is no object.
 */
function statedLimits(): LooseRecord | undefined {
  const stated = ownValue(limitSetting) ?? {};
  if (!isRecord(stated)) {
    return undefined;
  }
  const earlier = names.map((name) => [name, ownValue(`${limitSetting}.${name}`)] as const);
  const merged = earlier.map(([name, value]) => {
    const both = [stated[name], value].filter((each) => each !== undefined && each !== null);
    return [name, both.every(isAmount) && both.length > 0 ? Math.min(...both) : both.find((each) => !isAmount(each))];
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** A workspace must not change a limit. */
function ownValue(id: string): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(id)?.globalValue;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
