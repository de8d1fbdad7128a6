import * as vscode from 'vscode';
import { type Amounts, type DailyLimits, type LimitKind, limitKinds } from '../../core/usage/limits.ts';

/** The share of other extensions, in percent, when its setting has no valid value. */
const defaultShare = 50;

/**
 * Reads the limits from the person's own settings. An invalid warning counts as none.
 *
 * @returns the id of the setting of a hard limit that has an invalid value, if any.
 */
export function dailyLimits(): DailyLimits | string {
  const hardIds = {
    calls: 'askModel.dailyLimit.calls',
    tokens: 'askModel.dailyLimit.tokens',
    cost: 'askModel.dailyLimit.cost',
  };
  const invalid = limitKinds.find((kind) => read(hardIds[kind]) === 'invalid');
  if (invalid !== undefined) {
    return hardIds[invalid];
  }
  const share = read('askModel.dailyLimit.otherExtensions');
  return {
    hard: amounts(hardIds),
    soft: amounts({
      calls: 'askModel.dailyWarning.calls',
      tokens: 'askModel.dailyWarning.tokens',
      cost: 'askModel.dailyWarning.cost',
    }),
    othersPercent: typeof share === 'number' ? Math.min(100, share) : defaultShare,
  };
}

function amounts(ids: Readonly<Record<LimitKind, string>>): Amounts {
  const known = limitKinds.map((kind) => [kind, read(ids[kind])] as const);
  return Object.fromEntries(known.filter(([, amount]) => typeof amount === 'number'));
}

/** A number of at least 0, or undefined when it isn't set. A workspace must not change a limit. */
function read(id: string): number | undefined | 'invalid' {
  const { globalValue, defaultValue } = vscode.workspace.getConfiguration().inspect<unknown>(id) ?? {};
  const value = globalValue ?? defaultValue ?? undefined;
  return value === undefined || (typeof value === 'number' && value >= 0) ? value : 'invalid';
}
