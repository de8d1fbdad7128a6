/**
 * A window that begins calls all at once and ends none, at most `limit` of them if that is given. Says when it is ready,
 * begins when it gets a message, and answers with the number of calls that may be sent when all are on disk.
 */
import { ledgerFiles } from '../../../../src/node/files/ledgerFiles.ts';
import { openLimiter, unlimited } from '../../core/usage/limiterFixture.ts';
import { aStart, openLedger } from '../../core/usage/memoryLedger.ts';

const [folder = '', name = '', count = '', limit = ''] = process.argv.slice(2);
const limits = limit === '' ? unlimited : { ...unlimited, hard: { calls: Number(limit) } };
// A ledger for each call, so that their lines are not written together.
const ledgers = Array.from({ length: Number(count) }, () => openLedger({ store: ledgerFiles(folder) }));
process.on('message', async () => {
  const begun = await Promise.all(
    ledgers.map(({ ledger, clock }, index) =>
      openLimiter(ledger, clock, { limits: () => limits }).begin(
        aStart(`${name}-${index}`),
        {},
        new AbortController().signal,
      ),
    ),
  );
  const isWritten = begun.every((each) => !('call' in each) || each.call.failure === undefined);
  process.send?.(isWritten ? begun.filter((each) => 'call' in each).length : 'failed');
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
