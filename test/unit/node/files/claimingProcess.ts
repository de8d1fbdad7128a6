/** A window that wants the right to send in one conversation again and again, and looks whether it has it alone. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { conversationClaims } from '../../../../src/node/files/conversationClaims.ts';

const [folder = ''] = process.argv.slice(2);
const claims = conversationClaims(folder);
const mark = join(folder, 'mark');

process.on('disconnect', () => process.exit());
for (;;) {
  const give = await claims.take('a');
  if (give) {
    try {
      writeFileSync(mark, '', { flag: 'wx' });
    } catch {
      process.send?.('both');
    }
    process.send?.('has');
    await delay(Math.random() * 3);
    rmSync(mark, { force: true });
    give();
  }
  await delay(Math.random() * 3);
}
