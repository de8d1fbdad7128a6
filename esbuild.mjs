/**
 * Builds the extension: its entry, the rest, which is loaded when first used, a worker's program, and the code of both pages.
 * `--production` minifies and writes notices, `--watch` rebuilds, `--panel=folder` builds only the pages, into that folder.
 */
import { globSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const panelFolder = process.argv.find((each) => each.startsWith('--panel='))?.slice('--panel='.length);

const shared = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  metafile: true,
  // While it watches, `.vscode/tasks.json` waits for what it says.
  logLevel: watch ? 'info' : 'warning',
};
const hostCode = {
  ...shared,
  platform: 'node',
  target: 'node22',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  external: ['vscode'],
  // VS Code gives only `require` to the code of an extension.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  // The other build of it also reads files.
  alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
};
const browserCode = { ...shared, target: 'chrome134', loader: { '.svg': 'text' } };

/**
 * Leaves the rest, undici and the prices of vendors to be required when they are first used, and gives all files one
 * module with VS Code's API: esbuild would copy the API for each file that imports it, which takes 0.8 ms and 200 KB.
 */
const hostModules = (api) => ({
  name: 'host-modules',
  setup({ onResolve, onLoad }) {
    const later = ({ path }) => ({ path: path.replace('.ts', '.cjs'), external: true });
    onResolve({ filter: /^\.\/(?:app|undici|vendorPrices)\.ts$/ }, later);
    onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'api' ? null : { path, namespace: 'api' },
    );
    onLoad({ filter: /.*/, namespace: 'api' }, () => ({ contents: api }));
  },
});
/** The entry copies nothing. If it uses a name that is missing here, the build fails. */
const apiOfEntry = `export const {
  CodeActionKind, commands, EventEmitter, ExtensionMode, FileSystemError, l10n, languages, lm, ViewColumn, window, workspace,
} = require('vscode');`;

/** The licences of all packages with code in the build. test/unit/package.test.ts knows which these are. */
async function thirdPartyNotices(built) {
  const inputs = built.flatMap(({ outputs }) => Object.values(outputs).flatMap((each) => Object.keys(each.inputs)));
  const folders = new Set(inputs.flatMap((file) => file.match(/^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/) ?? []));
  const notices = [];
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const names = (await readdir(folder)).filter((each) => /^(?:licen[cs]e|copying|notice)/i.test(each)).sort();
    // It has no text of its own; another package of its authors has the same licence.
    const files = name === '@vscode/l10n' ? ['../codicons/LICENSE-CODE'] : names;
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const text = texts.map((each) => each.replaceAll('\r', '').trim()).join('\n\n');
    notices.push(`${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}`);
  }
  const head =
    'Ask Model contains parts of these packages. Each is followed by its licence.\n' +
    'undici contains llhttp, Copyright Fedor Indutny, 2018, under the MIT license.';
  return `${[head, ...notices.sort()].join('\n\n')}\n`;
}

/** The program that a page runs in a worker is part of the page, as text. `--watch` doesn't rebuild it. */
const worker = await esbuild.build({
  ...browserCode,
  sourcemap: false,
  entryPoints: ['src/webview/code/highlightWorker.ts'],
  write: false,
});
const pages = {
  ...browserCode,
  entryPoints: { webview: 'src/webview/main.ts', usage: 'src/webview/usage/main.ts' },
  outdir: panelFolder ?? 'dist',
  define: { workerSource: JSON.stringify(worker.outputFiles[0].text) },
};
/** A page loads it when the first formula arrives. */
const formulas = { ...browserCode, sourcemap: false, format: 'esm', entryPoints: ['temml'], outdir: pages.outdir };
const entry = {
  ...hostCode,
  entryPoints: ['src/extension.ts'],
  plugins: [hostModules(apiOfEntry)],
  logOverride: { 'import-is-undefined': 'error' },
};
const host = {
  ...hostCode,
  entryPoints: globSync('src/{app,core/usage/prices/vendorPrices,node/network/{systemAuthorities,undici}}.ts'),
  entryNames: '[name]',
  plugins: [hostModules(`export * from 'vscode'`)],
};
const suites = {
  ...hostCode,
  external: ['vscode', 'mocha'],
  entryPoints: ['test/host/index.ts', ...globSync('test/host/*.test.ts')],
  outdir: 'out/host',
};
const builds = panelFolder ? [pages, formulas] : [entry, host, pages, formulas, ...(production ? [] : [suites])];
await (production && !panelFolder && rm('dist', { recursive: true, force: true }));
if (watch) {
  await Promise.all(builds.map(async (options) => (await esbuild.context(options)).watch()));
} else {
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production && !panelFolder) {
    const built = [worker, ...results].map(({ metafile }) => metafile);
    await writeFile('THIRD-PARTY-NOTICES.txt', await thirdPartyNotices(built));
  }
}
