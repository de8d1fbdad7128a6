import assert from 'node:assert/strict';
import { chooseModel } from '../ui/support/connectedWorkbench.ts';
import { until } from '../until.ts';
import { amount, type Bench, median, rounded } from './bench.ts';
import { answerBriefly, inConnectedVSCode } from './inVSCode.ts';

/** Each takes four seconds. */
const [warmUp, counted] = [amount(3), amount(12)];

/**
 * Measures the time from the command *Explain Selection* to its request at the gateway, in a real VS Code with everything
 * loaded. Each question opens a panel of its own.
 */
export async function explain(bench: Bench): Promise<void> {
  bench.title = `explain: median of ${counted} from the command to the request on the wire`;
  const arrivedAt: number[] = [];
  const answer: typeof answerBriefly = (request, response) => {
    if (request.method === 'POST') {
      arrivedAt.push(performance.timeOrigin + performance.now());
    }
    answerBriefly(request, response);
  };
  const rounds = warmUp + counted;
  const clickedAt = await inConnectedVSCode({ answer }, async (workbench) => {
    await chooseModel(workbench, 'brief');
    const clicked = await workbench.run('askModelBench.explain', rounds);
    await until(() => assert.equal(arrivedAt.length, rounds));
    return clicked as readonly number[];
  });
  const [first = Number.NaN, ...later] = clickedAt.map((at, index) => (arrivedAt[index] ?? Number.NaN) - at);
  const warm = later.slice(warmUp - 1);
  bench.rows.push(
    { what: 'the first question', ms: rounded(first) },
    { what: 'median when warm', ms: rounded(median(warm)) },
    { what: 'slowest when warm', ms: rounded(Math.max(...warm)) },
  );
  bench.atMost('command to request, warm', median(warm), 30);
}
