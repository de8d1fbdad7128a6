/** One contender in a process of its own, so that nobody's garbage or compiled code is another's. Asks when told to. */
import { type ContenderName, contenders } from './contenders.ts';

/** One call, in milliseconds from the asking. */
export type Call = { readonly firstMs: number; readonly totalMs: number; readonly units: number };
/** What the parent says: ask this often. */
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
