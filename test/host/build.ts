import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { outFolder, projectRoot } from '../vscode/paths.ts';

/**
 * Bundles the runner and every suite of test/host into `out/host`, in the module format an extension host loads,
 * and gives the path of the runner. Each suite stands alone: none sees the modules of another.
 */
export async function buildHostTests(): Promise<string> {
  const source = join(projectRoot, 'test', 'host');
  const outdir = join(outFolder, 'host');
  await rm(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['index.ts', ...globSync('*.test.ts', { cwd: source })].map((name) => join(source, name)),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return join(outdir, 'index.cjs');
}
