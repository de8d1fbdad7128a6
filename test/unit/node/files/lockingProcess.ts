/** A window that takes the lock of one conversation again and again, and checks that it holds it alone. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { conversationLocks } from '../../../../src/node/files/conversationLocks.ts';

const [folder = ''] = process.argv.slice(2);
const locks = conversationLocks(folder);
const mark = join(folder, 'mark');

process.on('disconnect', () => process.exit());
for (;;) {
  const release = await locks.take('a');
  if (typeof release === 'function') {
    try {
      writeFileSync(mark, '', { flag: 'wx' });
    } catch {
      process.send?.('both');
    }
    process.send?.('has');
    await delay(Math.random() * 3);
    rmSync(mark, { force: true });
    release();
  }
  await delay(Math.random() * 3);
}
