/**
 * Builds what runs: the extension (small, loaded at activation), the transport (undici, loaded on the first request)
 * and the panel's browser code. `--production` minifies for the package, `--watch` rebuilds while one works.
 */
import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/**
 * A dynamic import of `node/undiciTransport.ts` becomes a `require` of its own file. esbuild splits code only for ES
 * modules, and the host loads CommonJS faster; without this undici would be parsed at activation.
 */
const transportApart = {
  name: 'transport-apart',
  setup(build) {
    build.onResolve({ filter: /\/undiciTransport\.ts$/ }, (args) =>
      args.kind === 'dynamic-import' ? { path: './transport.cjs', external: true } : undefined,
    );
  },
};

/** Says where a watched build begins and ends, in the words `.vscode/tasks.json` waits for. */
const announce = {
  name: 'announce',
  setup(build) {
    build.onStart(() => console.log('[watch] build started'));
    build.onEnd((result) => {
      for (const { text, location } of result.errors) {
        console.error(`error: ${text}${location ? `\n    ${location.file}:${location.line}:${location.column}` : ''}`);
      }
      console.log('[watch] build finished');
    });
  },
};

const shared = {
  bundle: true,
  minify: production,
  sourcemap: !production,
  legalComments: 'none',
  // Gateways' Chinese messages stand in regular expressions; escaped they would be three times as long.
  charset: 'utf8',
  logLevel: watch ? 'silent' : 'warning',
};
const hostCode = { ...shared, platform: 'node', format: 'cjs', target: 'node22', external: ['vscode'] };

const builds = [
  { ...hostCode, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.cjs', plugins: [transportApart] },
  { ...hostCode, entryPoints: ['src/node/undiciTransport.ts'], outfile: 'dist/transport.cjs' },
  {
    ...shared,
    platform: 'browser',
    format: 'iife',
    target: 'chrome134',
    entryPoints: { webview: 'src/webview/main.ts' },
    outdir: 'dist',
    loader: { '.ttf': 'file' },
  },
];

if (production) {
  await rm('dist', { recursive: true, force: true });
} else {
  // The in-host suites run inside the editor, so they are bundled like the extension is; mocha is loaded from
  // node_modules there. The index imports every suite by name.
  const suites = globSync('test/host/*.test.ts');
  builds.push({
    ...hostCode,
    external: ['vscode', 'mocha'],
    entryPoints: ['test/host/index.ts', ...suites],
    outdir: 'out/host',
    outExtension: { '.js': '.cjs' },
  });
}

if (watch) {
  const contexts = await Promise.all(
    builds.map((options) => esbuild.context({ ...options, plugins: [...(options.plugins ?? []), announce] })),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(builds.map((options) => esbuild.build(options)));
}
