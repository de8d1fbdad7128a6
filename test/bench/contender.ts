/**
 * Runs one contender in its own process, so that contenders share no garbage and no compiled code. The parent tells it
 * how many calls to make.
 */
import { type ContenderName, contenders } from './contenders.ts';

/** The figures of one call, in milliseconds from its start, and the length of its text in UTF-16 units. */
export type Call = { readonly firstMs: number; readonly totalMs: number; readonly units: number };
/** A message of the parent: make this many calls. */
type Turn = { readonly calls: number };

const [name, baseUrl] = process.argv.slice(2) as [ContenderName, string];
const ask = contenders[name](baseUrl);

async function call(): Promise<Call> {
  let units = 0;
  let first = 0;
  const start = performance.now();
  await ask((text) => {
    if (first === 0) {
      first = performance.now();
    }
    units += text.length;
  });
  return { firstMs: first - start, totalMs: performance.now() - start, units };
}

process.on('message', async ({ calls }: Turn) => {
  const done: Call[] = [];
  while (done.length < calls) {
    done.push(await call());
  }
  process.send?.(done);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
