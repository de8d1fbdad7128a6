import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { atMost, type Measured, median, rounded } from './figures.ts';
import { amount } from './settings.ts';

const activationStarts = amount(8, 2);

const ids = { empty: 'ask-model.ask-model-empty', ours: 'ask-model.ask-model' } as const;
const columns = Object.keys(ids) as (keyof typeof ids)[];

/** The cost of one activation: time with and without waiting for the window, heap with and without garbage. */
type Activation = {
  readonly ms: number;
  readonly busyMs: number;
  readonly heapBytes: number;
  readonly retainedBytes: number;
};
/** Both activations of one cold start. */
type ColdStart = Readonly<Record<keyof typeof ids, Activation>>;

/**
 * Measures the activation of the built extension in a real VS Code, compared with an empty extension that is activated
 * in the same start. Every start is cold: a new profile, server and browser.
 */
export async function activation(): Promise<Measured> {
  const { size } = statSync(join(projectRoot, 'dist', 'extension.cjs'));
  const starts: ColdStart[] = [];
  while (starts.length < activationStarts) {
    starts.push(await coldStart(projectRoot, starts.length % 2 === 0));
  }
  const rows = columns.map((name) => {
    const of = (figure: keyof Activation) => median(starts.map((start) => start[name][figure]));
    return {
      extension: name,
      ms: rounded(of('ms')),
      'of it busy, ms': rounded(of('busyMs')),
      'heap, MB': rounded(of('heapBytes') / 1_048_576),
      'of it kept, MB': rounded(of('retainedBytes') / 1_048_576),
    };
  });
  /** The median of the differences within each start, because what slows down a start affects both extensions. */
  const over = (figure: keyof Activation) => median(starts.map(({ empty, ours }) => ours[figure] - empty[figure]));
  return {
    title: `activation: the built extension in the real VS Code, median of ${activationStarts} cold starts; ${size.toLocaleString('en')} bytes`,
    rows,
    bars: [
      atMost('activation over an empty extension', over('ms'), 3),
      atMost('heap over an empty extension', over('heapBytes') / 1_048_576, 1, 'MB'),
    ],
  };
}

/** Starts VS Code with our extension and the empty one, and activates one after the other. */
async function coldStart(extension: string, emptyFirst: boolean): Promise<ColdStart> {
  const folder = makeTemporary('workspace');
  const results = makeTemporary('bench');
  const figures = join(results, 'figures.json');
  const order = emptyFirst ? [ids.empty, ids.ours] : [ids.ours, ids.empty];
  const here = join(import.meta.dirname, 'activation');
  let workbench: Workbench | undefined;
  try {
    workbench = await openWorkbench({
      folder,
      // Install the extension, as a person does, instead of loading it for development.
      extensionDevelopmentPaths: [join(here, 'measuring'), join(here, 'empty'), extension],
      env: { ASK_MODEL_BENCH_EXTENSIONS: order.join(' '), ASK_MODEL_BENCH_FILE: figures },
    });
    await until(async () => void JSON.parse(readFileSync(figures, 'utf8')), 60_000);
    const measured = JSON.parse(readFileSync(figures, 'utf8')) as { [id: string]: Activation } & { error?: string };
    const [empty, ours] = [measured[ids.empty], measured[ids.ours]];
    if (empty === undefined || ours === undefined) {
      throw new Error(`The activation could not be measured: ${measured.error}`);
    }
    return { empty, ours };
  } finally {
    await workbench?.dispose();
    removeTemporary(folder);
    rmSync(results, { recursive: true, force: true });
  }
}
