/**
 * Builds what runs: the extension (small, loaded at activation), what it loads when it is first needed, and the
 * panel's browser code. `--production` minifies for the package and writes the notices of what is bundled, `--watch`
 * rebuilds while one works, `--panel=folder` builds the panel alone, and there.
 */
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as esbuild from 'esbuild';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const panelFolder = process.argv.find((each) => each.startsWith('--panel='))?.slice('--panel='.length);

/**
 * undici carries its parser of HTTP/1.1 twice, with and without instructions that some old processors lack. The plain one
 * runs everywhere, and the other would be a sixteenth of the package.
 */
const oneParser = {
  name: 'one-parser',
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace('llhttp_simd-wasm', 'llhttp-wasm')),
    }));
  },
};

/** What each build read and wrote, programs inside other builds included. */
const metafiles = [];

/** `./x.ts?program` is the text of a program of its own, which the panel starts beside its page. */
const programs = {
  name: 'programs',
  setup(build) {
    const namespace = 'program';
    build.onResolve({ filter: /\.ts\?program$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace('?program', '')),
      namespace,
    }));
    build.onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const { outputFiles, metafile } = await esbuild.build({
        ...shared,
        ...browserCode,
        sourcemap: false,
        entryPoints: [path],
        write: false,
      });
      metafiles.push(metafile);
      return {
        contents: outputFiles[0].text,
        loader: 'text',
        watchFiles: Object.keys(metafile.inputs).map((file) => resolve(file)),
      };
    });
  },
};

/**
 * markdown-it is published with fields of its classes set through a helper for old browsers: eight of a token's thirteen,
 * and a long reply needs a hundred thousand tokens. Without the helper Markdown is read in half of the time.
 */
const plainFields = {
  name: 'plain-fields',
  setup(build) {
    const field =
      /_defineProperty\(\s*this,\s*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)?"(\w+)",\s*([\w-]+|"\w*"|\[\]|\{\})\s*\)/g;
    build.onLoad({ filter: /[\\/]markdown-it\.mjs$/ }, async ({ path }) => {
      const published = await readFile(path, 'utf8');
      const contents = published.replace(field, 'this.$1 = $2');
      return contents === published
        ? { errors: [{ text: 'markdown-it sets its fields in another way now. Is plainFields still of use?' }] }
        : { contents };
    });
  },
};

/** The entry loads the rest when it is first used. The little that both need is in both: one file less at activation. */
const restLater = {
  name: 'rest-later',
  setup(build) {
    build.onResolve({ filter: /^\.\/app\.ts$/ }, () => ({ path: './app/app.cjs', external: true }));
  },
};

/**
 * Writes ES modules as CommonJS: esbuild splits code only into ES modules, and VS Code loads CommonJS faster. Each file
 * takes `vscode` once and as it is; esbuild would define a getter for every name of its API at every import of it.
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { outdir, sourcemap } = build.initialOptions;
    build.onEnd(async ({ errors, outputFiles }) => {
      if (errors.length > 0) {
        return;
      }
      await mkdir(outdir, { recursive: true });
      await Promise.all(outputFiles.map(async ({ path, text }) => writeFile(path, await commonJs(path, text))));
      if (build.initialOptions.splitting && !watch) {
        // Its files are named after what is in them, so that a build leaves those of the one before. While one works, a
        // window that runs may still load those.
        const written = new Set(outputFiles.map(({ path }) => basename(path)));
        const old = (await readdir(outdir)).filter((name) => !written.has(name));
        await Promise.all(old.map((name) => rm(join(outdir, name), { force: true })));
      }
    });

    async function commonJs(path, text) {
      let first;
      const source = text.replace(/\bimport ?\* ?as ([\w$]+) ?from ?"vscode";/g, (_, name) => {
        const value = first ?? 'require("vscode")';
        first ??= name;
        return `var ${name}=${value};`;
      });
      const { charset, minify, target } = hostCode;
      const supported = { 'dynamic-import': false };
      const options = { format: 'cjs', target, charset, minify, sourcemap, sourcefile: path, supported };
      return (await esbuild.transform(source, options)).code;
    }
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
  metafile: true,
  // Gateways' Chinese messages stand in regular expressions; escaped they would be three times as long.
  charset: 'utf8',
  logLevel: watch ? 'silent' : 'warning',
};
const browserCode = { platform: 'browser', format: 'iife', target: 'chrome134' };
const hostCode = { ...shared, platform: 'node', target: 'node22', external: ['vscode'] };

const panel = {
  ...shared,
  ...browserCode,
  entryPoints: { webview: 'src/webview/main.ts' },
  outdir: 'dist',
  loader: { '.svg': 'text' },
  plugins: [programs, plainFields],
};

const extensionCode = {
  ...hostCode,
  format: 'esm',
  // Inside of the file, where the step to CommonJS finds it.
  sourcemap: !production && 'inline',
  outExtension: { '.js': '.cjs' },
  write: false,
};

const builds = [
  { ...extensionCode, entryPoints: ['src/extension.ts'], outdir: 'dist', plugins: [restLater, asCommonJs] },
  {
    ...extensionCode,
    entryPoints: ['src/app.ts'],
    outdir: 'dist/app',
    splitting: true,
    plugins: [oneParser, asCommonJs],
  },
  panel,
];

/** What a package contains without saying so in its licence. */
const contained = {
  undici: 'It contains llhttp, Copyright Fedor Indutny, 2018, under the MIT license as below.',
};

/**
 * The licences of every package of which a byte is in what was built, each with the comments in its files that name
 * another author.
 *
 * @throws when a package comes without the text of its licence.
 */
async function thirdPartyNotices(built) {
  const inputs = built.flatMap(({ outputs }) => Object.values(outputs).flatMap((each) => Object.entries(each.inputs)));
  /** The files of each package, by its folder; a package inside another one has its own. */
  const packages = new Map();
  for (const [file, { bytesInOutput }] of inputs) {
    const [, folder] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
    if (folder !== undefined && bytesInOutput > 0) {
      packages.set(folder, (packages.get(folder) ?? new Set()).add(file));
    }
  }
  const notices = new Map();
  for (const [folder, files] of packages) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const texts = (await readdir(folder)).filter((each) => /^(?:licen[cs]e|copying|notice)/i.test(each)).sort();
    if (texts.length === 0) {
      throw new Error(`${name} ${version} is in the build and has no text of its licence (${license}) in ${folder}.`);
    }
    const sources = await Promise.all([...files].map((file) => readFile(file, 'utf8')));
    const comments = sources.flatMap((source) => source.match(/\/\*![\s\S]*?\*\//g) ?? []);
    const parts = [
      contained[name],
      ...new Set(comments),
      ...(await Promise.all(texts.map((text) => readText(folder, text)))),
    ];
    notices.set(`${name} ${version} (${license})`, parts.filter(Boolean).join('\n\n'));
  }
  const head = 'Ask Model contains parts of these packages. Each is followed by its licence.';
  const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${[head, ...sorted.map(([title, text]) => `${'='.repeat(80)}\n${title}\n\n${text}`)].join('\n\n')}\n`;
}

/** A text as it is, without the mark of its encoding, the blank lines around it and the carriage returns. */
async function readText(folder, name) {
  const text = await readFile(join(folder, name), 'utf8');
  return text.replaceAll('\r', '').trim();
}

if (panelFolder) {
  builds.splice(0, builds.length, { ...panel, outdir: panelFolder });
} else if (production) {
  await rm('dist', { recursive: true, force: true });
} else {
  // The in-host suites run inside the editor, so they are bundled like the extension is; mocha is loaded from
  // node_modules there. The index loads every suite that stands beside it.
  const suites = globSync('test/host/*.test.ts');
  builds.push({
    ...hostCode,
    format: 'cjs',
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
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  if (production && !panelFolder) {
    metafiles.push(...results.map(({ metafile }) => metafile));
    await writeFile('THIRD-PARTY-NOTICES.txt', await thirdPartyNotices(metafiles));
  }
}
