import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, median, rounded } from './figures.ts';
import { activationRounds } from './settings.ts';

const here = import.meta.dirname;
const extension = join(here, '..', '..', 'dist', 'extension.cjs');

/** What the built extension costs to load, over a file with nothing in it. For information: it has no bar here. */
export function activation(): Measured {
  const title = `activation: loading the built extension without VS Code, median of ${activationRounds} processes`;
  if (!existsSync(extension)) {
    return { title: `${title}: not built, run npm run build`, rows: [], bars: [] };
  }
  const files = { 'empty file': join(here, 'activation', 'empty.cjs'), 'dist/extension.cjs': extension };
  const taken = Object.entries(files).map(([name, path]) => ({ name, path, ms: [] as number[] }));
  for (let round = 0; round < activationRounds; round++) {
    for (const { path, ms } of taken) {
      const { stdout } = spawnSync(process.execPath, [join(here, 'activation', 'load.cjs'), path], {
        encoding: 'utf8',
      });
      ms.push(Number.parseFloat(stdout));
    }
  }
  const empty = median(taken[0]?.ms ?? []);
  return {
    title,
    rows: taken.map(({ name, path, ms }) => ({
      file: name,
      bytes: statSync(path).size,
      ms: rounded(median(ms)),
      'over empty, ms': rounded(median(ms) - empty),
    })),
    bars: [],
  };
}
