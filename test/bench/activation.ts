import { statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../vscode/paths.ts';
import { amount, type Bench, Figures, median, rounded } from './bench.ts';
import { companions, inVSCode } from './inVSCode.ts';

const starts = amount(8, 2);
const ids = { empty: 'ask-model.ask-model-empty', ours: 'ask-model.ask-model' } as const;

/**
 * Measures the activation and the first use of the built extension in a real VS Code, compared with an empty extension
 * that is activated in the same start. Every start is cold: a new profile, server and browser.
 */
export async function activation(bench: Bench): Promise<void> {
  const { size } = statSync(join(projectRoot, 'dist', 'extension.cjs'));
  bench.title = `activation: the built extension in the real VS Code, median of ${starts} cold starts; ${size.toLocaleString('en')} bytes`;
  // The first is loaded for development. The others are installed, as a person does with ours.
  const extensionDevelopmentPaths = [...companions, join(import.meta.dirname, 'empty'), projectRoot];
  const figures = new Figures();
  for (let start = 0; start < starts; start++) {
    const order = start % 2 === 0 ? [ids.empty, ids.ours] : [ids.ours, ids.empty];
    const measured = await inVSCode({ extensionDevelopmentPaths }, (workbench) =>
      workbench.run('askModelBench.activate', ...order),
    );
    for (const [id, costs] of Object.entries(measured as Record<string, Record<string, number>>)) {
      for (const [figure, value] of Object.entries(costs)) {
        figures.add(`${id} ${figure}`, value);
      }
    }
  }
  for (const [extension, id] of Object.entries(ids)) {
    bench.rows.push({
      extension,
      ms: rounded(figures.median(`${id} ms`)),
      'of it busy, ms': rounded(figures.median(`${id} busyMs`)),
      'heap, MB': rounded(figures.median(`${id} heapMB`)),
      'of it kept, MB': rounded(figures.median(`${id} keptMB`)),
      'first use, busy, ms': rounded(figures.median(`${id} firstUseMs`)),
    });
  }
  /** The median of the differences within each start, because what slows down a start affects both extensions. */
  const over = (figure: string) => {
    const empty = figures.of(`${ids.empty} ${figure}`);
    return median(figures.of(`${ids.ours} ${figure}`).map((value, start) => value - (empty[start] ?? Number.NaN)));
  };
  bench.atMost('activation over an empty extension', over('ms'), 3);
  bench.atMost('heap over an empty extension', over('heapMB'), 1, 'MB');
  bench.atMost('loading the app on first use', figures.median(`${ids.ours} firstUseMs`), 80);
}
