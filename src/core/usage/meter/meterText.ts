import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText, numberText } from '../../base/localization.ts';
import type { MeterReading } from './meterCheck.ts';

/** A reading in a cell of a table, such as “×1.8 since Tuesday”. @param now in Unix milliseconds. */
export function meterText(reading: MeterReading, now: number): string {
  if (reading.kind === 'tooFew') {
    return l10n.t('too few calls');
  }
  const factor = `×${numberText(reading.factor, { maximumFractionDigits: 2 })}`;
  if (reading.kind === 'steady') {
    return factor;
  }
  const isThisWeek = reading.since >= dayStart(now, -6);
  const since = dateText(reading.since, isThisWeek ? { weekday: 'long' } : { dateStyle: 'medium' });
  return l10n.t({ message: '{0} since {1}', args: [factor, since], comment: ['A factor such as ×1.8, then a day'] });
}

/** What the readings are, below the table. */
export function meterNote(): string {
  return l10n.t(
    'Meter: input tokens the gateway counted, over our own estimate of what was sent. A change can mean another tokenizer, a hidden prompt or another way to count.',
  );
}
