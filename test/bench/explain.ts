import assert from 'node:assert/strict';
import { chooseModel } from '../ui/support/connectedWorkbench.ts';
import { until } from '../until.ts';
import { atMost, type Measured, median, rounded } from './figures.ts';
import { answerBriefly, inVSCode } from './inVSCode.ts';
import { amount } from './settings.ts';

/** Each takes four seconds. */
const [warmUp, counted] = [amount(3), amount(12)];

/**
 * Measures the time from the command *Explain Selection* to its request at the gateway, in a real VS Code with everything
 * loaded. Each question opens a panel of its own.
 */
export async function explain(): Promise<Measured> {
  const arrivedAt: number[] = [];
  const rounds = warmUp + counted;
  const taken = await inVSCode(
    {
      env: { ASK_MODEL_BENCH_ROUNDS: String(rounds) },
      answer: (request, response) => {
        if (request.method === 'POST') {
          arrivedAt.push(performance.timeOrigin + performance.now());
        }
        answerBriefly(request, response);
      },
    },
    async ({ workbench, figuresOf }) => {
      await chooseModel(workbench, 'brief');
      const { clickedAt } = await figuresOf<{ clickedAt: readonly number[] }>('Bench: Explain', rounds * 10_000);
      await until(() => assert.equal(arrivedAt.length, rounds));
      return clickedAt.map((at, index) => (arrivedAt[index] ?? Number.NaN) - at);
    },
  );
  const warm = taken.slice(warmUp);
  return {
    title: `explain: median of ${counted} from the command to the request on the wire`,
    rows: [
      { what: 'the first question', ms: rounded(taken[0] ?? Number.NaN) },
      { what: 'median when warm', ms: rounded(median(warm)) },
      { what: 'slowest when warm', ms: rounded(Math.max(...warm)) },
    ],
    bars: [atMost('command to request, warm', median(warm), 30)],
  };
}
