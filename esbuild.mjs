/**
 * Builds the extension (small, loaded at activation), the code it loads when that is first needed, and the browser code
 * of the panel and of the usage view. `--production` minifies for the package and writes the notices of the bundled
 * packages, `--watch` rebuilds on changes, and `--panel=folder` builds only the browser code, into that folder.
 */
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { parseSync } from 'oxc-parser';
import { translationsOf } from './src/core/base/translations.ts';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const panelFolder = process.argv.find((each) => each.startsWith('--panel='))?.slice('--panel='.length);

/**
 * undici contains its HTTP/1.1 parser twice, with and without instructions that some old processors lack, each as base64
 * text. The plain one runs everywhere. Compressed before it becomes text, it adds 15 KB to the package instead of 24.
 * Parts that no request here reaches are left out: HTTP/2, SOCKS proxies, forms as bodies, other kinds of calls,
 * diagnostics that nothing here subscribes to, and all of the parser's constants but two. They would add another 27 KB.
 */
const slimUndici = {
  name: 'slim-undici',
  setup(build) {
    build.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace('llhttp_simd-wasm', 'llhttp-wasm')),
    }));
    build.onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, ({ path }) => {
      const text = brotliCompressSync(createRequire(path)(path)).toString('base64');
      const contents = `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${text}', 'base64'));`;
      return { contents };
    });
    build.onLoad({ filter: /[\\/]llhttp[\\/]constants\.js$/ }, ({ path }) => {
      const { ERROR, TYPE } = createRequire(path)(path);
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    });
    build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/]core[\\/]diagnostics\.js$/ }, () => ({
      contents: 'module.exports = { channels: new Proxy({}, { get: () => ({ hasSubscribers: false }) }) };',
    }));
    const unused =
      /[\\/]undici[\\/]lib[\\/](?:api[\\/]api-(?:pipeline|stream|upgrade)|dispatcher[\\/](?:client-h2|socks5-proxy-agent)|web[\\/]fetch[\\/]body)\.js$/;
    build.onLoad({ filter: unused }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The inputs and outputs of each build, including the programs inside other builds. */
const metafiles = [];

/** `./x.ts?program` is the bundled text of a separate program, which the panel runs in a worker. */
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
 * The published markdown-it sets fields of its classes through a helper for old browsers: eight of the thirteen fields
 * of a token, and a long reply needs a hundred thousand tokens. Without the helper, Markdown is parsed in half the
 * time.
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

/** markdown-it normalizes addresses with these packages. The panel sets functions of its own for that. */
const ownAddresses = {
  name: 'own-addresses',
  setup(build) {
    const namespace = 'unused';
    build.onResolve({ filter: /^(?:mdurl|punycode\.js)$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: 'export default {};' }));
  },
};

/** The icons are drawn on a grid of 16 pixels: more than two decimals make no visible difference, and add 2 KB. */
const roundedIcons = {
  name: 'rounded-icons',
  setup(build) {
    build.onLoad({ filter: /\.svg$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/\d*\.\d{3,}/g, (number) =>
        String(Math.round(number * 100) / 100),
      ),
      loader: 'text',
    }));
  },
};

/** Replaces the keys of translations, which are English texts, with hashes. */
const hashedKeys = {
  name: 'hashed-keys',
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(translationsOf(JSON.parse(await readFile(path, 'utf8')))),
      loader: 'copy',
    }));
  },
};

/**
 * The entry loads the rest when it is first used. The little code that both need is in both, which means one file less
 * at activation.
 */
const restLater = {
  name: 'rest-later',
  setup(build) {
    build.onResolve({ filter: /^\.\/app\.ts$/ }, () => ({ path: './app/app.cjs', external: true }));
  },
};

/** @throws when a module exports a variable that can change, or files require each other. */
async function checkLoading({ inputs, outputs }) {
  const modules = Object.keys(inputs).filter((file) => inputs[file].format === 'esm');
  await Promise.all(
    modules.map(async (file) => {
      const { program } = parseSync(file, await readFile(file, 'utf8'));
      const exported = program.body.filter(({ type }) => type === 'ExportNamedDeclaration');
      const variables = [...program.body, ...exported.map(({ declaration }) => declaration)].filter(
        (node) => node?.type === 'VariableDeclaration' && node.kind !== 'const',
      );
      const names = new Set(variables.flatMap(({ declarations }) => declarations.map(({ id }) => id.name)));
      const isChanging = ({ declaration, specifiers }) =>
        variables.includes(declaration) || specifiers.some(({ local }) => names.has(local.name));
      if (exported.some(isChanging)) {
        throw new Error(`${file} exports a variable that can change.`);
      }
    }),
  );
  const visit = (file, path = []) => {
    if (path.includes(file)) {
      throw new Error(`Files require each other: ${[...path, file].join(', ')}`);
    }
    for (const { path: next, kind, external } of outputs[file].imports) {
      if (kind === 'import-statement' && !external) {
        visit(next, [...path, file]);
      }
    }
  };
  for (const file of Object.keys(outputs)) {
    visit(file);
  }
}

/**
 * Converts ES modules to CommonJS: esbuild can split only ES modules, and VS Code loads CommonJS faster. esbuild's own
 * conversion defines a getter for every name of every file, and another one for every name of VS Code's API at every
 * import, which takes time and a tenth of the package. Here, a file takes from another one what it needs when it is
 * loaded. That is the same, because no file exports a variable that changes, and no two files require each other; see
 * `checkLoading`.
 */
const asCommonJs = {
  name: 'as-common-js',
  setup(build) {
    const { outdir } = build.initialOptions;
    build.onEnd(async ({ errors, outputFiles, metafile }) => {
      if (errors.length > 0) {
        return;
      }
      if (!watch) {
        await checkLoading(metafile);
      }
      await mkdir(outdir, { recursive: true });
      await Promise.all(outputFiles.map(async ({ path, text }) => writeFile(path, commonJs(path, text))));
      if (build.initialOptions.splitting && !watch) {
        // File names contain a hash of the content, so a build does not overwrite the files of the previous one. In
        // watch mode those stay, because a running window may still load them.
        const written = new Set(outputFiles.map(({ path }) => basename(path)));
        const old = (await readdir(outdir)).filter((name) => !written.has(name));
        await Promise.all(old.map((name) => rm(join(outdir, name), { force: true })));
      }
    });

    /** Also keeps the number of lines, for the source map. */
    function commonJs(path, text) {
      const { program, module, errors: problems } = parseSync(path.replace(/cjs$/, 'mjs'), text);
      if (problems.length > 0) {
        throw new Error(`${path}: ${problems[0].message}`);
      }
      /** The name under which each module is required first. */
      const required = new Map();
      const edits = [
        ...program.body.flatMap((node) => editOf(path, node, required)),
        ...module.dynamicImports.map(({ start, end, moduleRequest }) => ({
          start,
          end,
          text: `Promise.resolve().then(()=>require(${text.slice(moduleRequest.start, moduleRequest.end)}))`,
        })),
      ];
      let [code, at] = ['"use strict";', 0];
      for (const edit of edits.sort((one, other) => one.start - other.start)) {
        code += text.slice(at, edit.start) + edit.text;
        at = edit.end;
      }
      return code + text.slice(at);
    }

    function editOf(path, { type, start, end, source, specifiers, declaration }, required) {
      const names = (inner, outer) => (inner === outer ? inner : `${outer}:${inner}`);
      switch (type) {
        case 'ImportDeclaration': {
          const value = required.get(source.value) ?? `require("${source.value}")`;
          const whole = specifiers.filter((each) => each.type !== 'ImportSpecifier').map(({ local }) => local.name);
          const parts = specifiers
            .filter((each) => each.type === 'ImportSpecifier')
            .map(({ imported, local }) => names(local.name, imported.name));
          const consts = [
            ...whole.map((name) => `${name}=${value}`),
            ...(parts.length > 0 ? [`{${parts.join()}}=${value}`] : []),
          ];
          if (whole.length > 0 && !required.has(source.value)) {
            required.set(source.value, whole[0]);
          }
          return [{ start, end, text: consts.length > 0 ? `const ${consts.join()};` : `${value};` }];
        }
        case 'ExportNamedDeclaration': {
          if (declaration || source) {
            throw new Error(`${path}: unexpected export`);
          }
          const parts = specifiers.map(({ local, exported }) => names(local.name, exported.name));
          return [{ start, end, text: `module.exports={${parts.join()}};` }];
        }
        case 'ExportDefaultDeclaration':
        case 'ExportAllDeclaration':
          throw new Error(`${path}: unexpected export`);
        default:
          return [];
      }
    }
  },
};

/** Logs when a watched build begins and ends, in the words that `.vscode/tasks.json` waits for. */
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
  // Regular expressions contain Chinese messages of gateways, which would be three times as long when escaped.
  charset: 'utf8',
  logLevel: watch ? 'silent' : 'warning',
};
const browserCode = { platform: 'browser', format: 'iife', target: 'chrome134' };
const hostCode = {
  ...shared,
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  // The other build of it also reads files.
  alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
};

const pages = {
  ...shared,
  ...browserCode,
  entryPoints: { webview: 'src/webview/main.ts', usage: 'src/webview/usage/main.ts' },
  outdir: 'dist',
  plugins: [programs, plainFields, ownAddresses, roundedIcons],
};

const translations = {
  ...shared,
  entryPoints: ['l10n/bundle.l10n.*.json'],
  outdir: 'dist/l10n',
  plugins: [hashedKeys],
};

const extensionCode = {
  ...hostCode,
  format: 'esm',
  // Inline, where the conversion to CommonJS finds it.
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
    plugins: [slimUndici, asCommonJs],
  },
  pages,
  translations,
];

/** Code of others in a package that its licence does not mention. */
const contained = {
  undici: 'It contains llhttp, Copyright Fedor Indutny, 2018, under the MIT license as below.',
};

/** Where the text of a licence is for a package that doesn't contain it: in another one of the same authors. */
const licences = { '@vscode/l10n': 'node_modules/@vscode/codicons/LICENSE-CODE' };

/** The icons' licence, which admits its address instead of its text, and asks for the author and what was changed. */
const ofIcons = {
  text: /^Attribution 4\.0 International\n[\s\S]*may be contacted at creativecommons\.org\.$/m,
  address: `Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode

Codicons (https://github.com/microsoft/vscode-codicons) by Microsoft. Their coordinates are rounded.`,
};

/**
 * The licences of every package with code in the build, each with the comments in its files that name another author.
 *
 * @throws when a package has no licence text.
 */
async function thirdPartyNotices(built) {
  const inputs = built.flatMap(({ outputs }) => Object.values(outputs).flatMap((each) => Object.entries(each.inputs)));
  /** The files of each package, by its folder; a package inside another one has its own entry. */
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
    const own = (await readdir(folder)).filter((each) => /^(?:licen[cs]e|copying|notice)/i.test(each)).sort();
    const texts = licences[name] === undefined ? own.map((each) => join(folder, each)) : [licences[name]];
    if (texts.length === 0) {
      throw new Error(`${name} ${version} is in the build and has no text of its licence (${license}) in ${folder}.`);
    }
    const sources = await Promise.all([...files].map((file) => readFile(file, 'utf8')));
    const comments = sources.flatMap((source) => source.match(/\/\*![\s\S]*?\*\//g) ?? []);
    const parts = [contained[name], ...new Set(comments), ...(await Promise.all(texts.map(readLicence)))];
    notices.set(`${name} ${version} (${license})`, parts.filter(Boolean).join('\n\n'));
  }
  const head = 'Ask Model contains parts of these packages. Each is followed by its licence.';
  const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${[head, ...sorted.map(([title, text]) => `${'='.repeat(80)}\n${title}\n\n${text}`)].join('\n\n')}\n`;
}

/**
 * Reads a licence without its byte order mark, the blank lines around it and carriage returns. Each paragraph is on one
 * line, so that texts that differ only in their line breaks are compressed to a few bytes.
 */
async function readLicence(path) {
  const text = (await readFile(path, 'utf8')).replaceAll('\r', '').trim();
  return text
    .replace(ofIcons.text, ofIcons.address)
    .replace(/^ +/gm, '')
    .replace(/(?<=.)\n(?=.)/g, ' ');
}

if (panelFolder) {
  builds.splice(0, builds.length, { ...pages, outdir: panelFolder });
} else if (production) {
  await rm('dist', { recursive: true, force: true });
} else {
  // The host suites run inside VS Code, so they are bundled like the extension; mocha is loaded from node_modules
  // there. The index loads every suite next to it.
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
