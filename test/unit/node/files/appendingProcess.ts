/** A process that appends lines of various lengths to a file that others also append to, until it gets a message. */
import { setTimeout as delay } from 'node:timers/promises';
import { appendLines } from '../../../../src/node/files/appendLines.ts';

const [path = '', name = ''] = process.argv.slice(2);
const lengths = [20, 5_000, 300_000, 1_500_000];
let written = 0;
let isEnding = false;
process.on('message', () => {
  isEnding = true;
});
process.on('disconnect', () => process.exit());
while (!isEnding) {
  // The process to be killed writes all the time, with lines that take long.
  const length = name === 'z' ? 1_500_000 : (lengths[written % (written % 10 === 0 ? 4 : 2)] ?? 20);
  const rest = `{"${name}":${length},"text":""}`.length;
  await appendLines(path, `{"${name}":${length},"text":"${name.repeat(Math.max(0, length - rest))}"}\n`, false);
  if (++written === 1) {
    process.send?.('begun');
  }
  // It stops after 18 MB, because a busy test may kill it late, and a file above 512 MB can't be read as a string.
  await delay(name !== 'z' ? 2 : written < 12 ? 0 : 60_000);
}
process.send?.([name, written], () => process.disconnect());
