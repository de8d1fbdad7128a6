import * as l10n from '@vscode/l10n';
import { runInSlices } from '../../core/base/runInSlices.ts';
import { knownCost } from '../../core/reply/cost.ts';
import { type ExportFacts, exportCalls } from '../../core/usage/view/exportCalls.ts';
import { spanOf } from '../../core/usage/view/periods.ts';
import type { UsageChoice } from '../../core/usage/view/usageDocument.ts';
import { isChosen } from '../../core/usage/view/usageTally.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import type { UsageViewPorts } from './usageViewPorts.ts';

/** Writes the calls that a choice selects to a file that the person names. */
export async function exportUsage(
  ports: Pick<UsageViewPorts, 'ledger' | 'connections' | 'clock' | 'home'>,
  choice: UsageChoice,
  stateOf: ExportFacts['stateOf'],
): Promise<void> {
  const { clock, home } = ports;
  const { from, to } = spanOf(choice.period, clock.now());
  const filters = { CSV: ['csv'], JSON: ['json'] };
  const target = await askExportFile(home, 'ask-model-usage.csv', l10n.t('Export Usage'), filters);
  if (target === undefined) {
    return;
  }
  const calls = await ports.ledger().callsBetween(from, to);
  const chosen = calls.filter((call) => isChosen(choice, call)).sort((one, other) => one.at - other.at);
  const known = new Map(ports.connections().map((each) => [each.id, each]));
  const format = target.path.endsWith('.json') ? 'json' : 'csv';
  const facts = { costOf: knownCost, stateOf, connection: (id: string) => known.get(id) ?? { name: id } };
  await writeExport(target, await runInSlices(clock, exportCalls(format, chosen, facts)));
}
