import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, sentences } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { once } from '../../core/base/once.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { Ledger, type LedgerStore } from '../../core/usage/ledger.ts';
import { Limiter, type LimiterPorts, type SoftLimit } from '../../core/usage/limits.ts';
import { isConfirmed, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import { dailyLimits, moveSettings } from './dailyLimits.ts';
import { openTodayUsage } from './todayUsage.ts';

/** Months that are stored besides the current one when the setting has no valid value. */
const defaultRetention = 12;

/** Opens the record of all paid calls, when it is first needed. */
export function openLedger({ store, log, clock }: SharedPorts, files: LedgerStore): () => Ledger {
  return once(() => {
    const onDefect = (error: unknown) => log.defect('The usage data could not be written', error);
    const opened = store.add(new Ledger(files, clock, onDefect));
    opened.prune(retention()).catch((error: unknown) => log.defect('Old usage data could not be removed', error));
    return opened;
  });
}

/** Opens the limits of paid calls, and their sums for the status bar. */
export function openUsage(
  { store, log, clock, remembered }: SharedPorts,
  ledger: () => Ledger,
  connections: Pick<Connections, 'all' | 'find'>,
  pricesOf: LimiterPorts['pricesOf'],
) {
  const onDefect = (error: unknown) => log.defect('The usage data could not be read', error);
  const connectionName = (id: string) => connections.find(id)?.name ?? id;
  const move = once(async () => {
    const moved = remembered.value('movedSettings');
    if (moved.read() !== true && (await moveSettings())) {
      await moved.write(true);
    }
  });
  const limiter = new Limiter({
    ledger,
    clock,
    limits: () => {
      const limits = dailyLimits();
      move().catch((error: unknown) => log.defect('Settings of an earlier version could not be moved', error));
      return limits;
    },
    pricesOf,
    warn: (reached) => void warn(reached, connectionName).catch(onDefect),
    notes: remembered.value('dayNotes'),
    onDefect: (error) => log.defect('The limits of paid calls', error),
  });
  return {
    /** Applies the person's limits, and records calls. */
    limiter,
    today: store.add(openTodayUsage(ledger, clock, connections, onDefect)),
    /** *Clear Usage Data* */
    async clear() {
      const detail = l10n.t(
        "The record of paid calls on this computer is deleted for all windows, so daily limits start again at 0. Conversations and keys aren't deleted. This can't be undone.",
      );
      if (await isConfirmed(l10n.t('Clear all usage data?'), l10n.t('Clear'), detail)) {
        await ledger().clear();
        void showInformationMessage(l10n.t('Usage data cleared.'));
      }
    },
  };
}

async function warn(
  { limit, max, used, unit, connection }: SoftLimit,
  connectionName: (id: string) => string,
): Promise<void> {
  const name = connectionName(connection);
  const textOf = (value: number) =>
    limit === 'cost' && unit !== undefined ? exactMoneyText({ amount: value, unit }) : numberText(value);
  const amount = textOf(used);
  const reached = {
    calls: l10n.t('Calls made today with {0}: {1}.', name, amount),
    tokens: l10n.t('Tokens used today with {0}: {1}.', name, amount),
    cost: l10n.t('Spent today with {0}: {1}.', name, amount),
  }[limit];
  const show = l10n.t('Show Usage');
  const limits = dailyLimits();
  const hard = typeof limits === 'string' ? undefined : limits.hard[limit];
  const note =
    hard === undefined
      ? l10n.t("You're warned at {0}.", textOf(max))
      : l10n.t('Your daily limit is {0}.', textOf(hard));
  if ((await showWarningMessage(sentences(reached, note), show)) === show) {
    await runCommand('askModel.showUsage');
  }
}

/** How many months are stored besides the current one. */
function retention(): number {
  const months = vscode.workspace.getConfiguration().get<unknown>('askModel.usage.retention');
  return typeof months === 'number' && months >= 1 ? Math.floor(months) : defaultRetention;
}
