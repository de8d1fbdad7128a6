import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { type Measured, median, rounded } from './figures.ts';
import { answer } from './memory.ts';
import { explainRounds } from './settings.ts';

const mostMs = 30;

/**
 * Measures the time from the command *Explain Selection* to its request at the gateway, in a real VS Code with everything
 * loaded. Each question opens a panel of its own.
 */
export async function explain(): Promise<Measured> {
  const title = `explain: median of ${explainRounds.counted} from the command to the request on the wire`;
  if (!existsSync(join(projectRoot, 'dist', 'extension.cjs'))) {
    return { title: `${title}: not built, run npm run build`, rows: [], bars: [] };
  }
  const arrivedAt: number[] = [];
  const server = new ListServer((request, response) => {
    if (request.method === 'POST') {
      arrivedAt.push(performance.timeOrigin + performance.now());
    }
    answer(request, response);
  });
  const folder = makeTemporary('workspace');
  const figures = join(makeTemporary('bench'), 'figures.json');
  const rounds = explainRounds.warmUp + explainRounds.counted;
  let workbench: Workbench | undefined;
  try {
    workbench = await openWorkbench({
      folder,
      extensionDevelopmentPaths: [projectRoot, join(import.meta.dirname, 'companion')],
      env: {
        ASK_MODEL_BENCH_URL: await server.listen(),
        ASK_MODEL_BENCH_FILE: figures,
        ASK_MODEL_BENCH_ROUNDS: String(rounds),
      },
    });
    await workbench.treeRows.filter({ hasText: 'brief' }).first().waitFor({ timeout: 60_000 });
    await workbench.runCommand('Ask Model: Choose Default Model…');
    await workbench.quickInput.fill('brief');
    await workbench.pick('brief');
    await workbench.runCommand('Bench: Explain');
    const read = (): { readonly clickedAt: readonly number[] } => JSON.parse(readFileSync(figures, 'utf8'));
    await until(async () => void read(), rounds * 10_000);
    await until(() => assert.equal(arrivedAt.length, rounds));
    const taken = read().clickedAt.map((at, index) => (arrivedAt[index] ?? Number.NaN) - at);
    const [cold] = taken;
    const warm = taken.slice(explainRounds.warmUp);
    return {
      title,
      rows: [
        { what: 'the first question', ms: rounded(cold ?? Number.NaN) },
        { what: 'median when warm', ms: rounded(median(warm)) },
        { what: 'slowest when warm', ms: rounded(Math.max(...warm)) },
      ],
      bars: [{ name: 'command to request, warm', value: median(warm), limit: mostMs, mustBe: 'at most', unit: 'ms' }],
    };
  } finally {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
    rmSync(figures, { force: true });
  }
}
