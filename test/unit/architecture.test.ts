import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commandIds } from '../../src/editor/ui/commandIds.ts';

/** What the folders of `src` may import of each other. */

const root = fileURLToPath(new URL('../..', import.meta.url));

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const files = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !path.endsWith('.d.ts'))
  .sort();
const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** The folder below `src` that a file is in; a file beside the rooms stands for itself. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === 'src' ? path.slice('src/'.length, -'.ts'.length) : folder.slice('src/'.length);
}

/** Every import and re-export of a file; `isType` when nothing of it is left at run time. */
function importsOf(from: string): Import[] {
  const source = sources.get(from) ?? '';
  const found: Import[] = [];
  const add = (specifier: string, isType: boolean) => {
    const to = specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier;
    found.push({ from, to, isType });
  };
  for (const [, , clause = '', specifier = ''] of source.matchAll(
    /^(import|export)\s([^;'"]*?)\bfrom\s+['"]([^'"]+)['"]/gm,
  )) {
    const names = /^\{(.*)\}\s*$/s
      .exec(clause.trim())?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    add(specifier, /^type\s/.test(clause) || (names?.every((name) => name.startsWith('type ')) ?? false));
  }
  for (const [, specifier = ''] of source.matchAll(/^import\s+['"]([^'"]+)['"]/gm)) {
    add(specifier, false);
  }
  for (const [, type, specifier = ''] of source.matchAll(/(typeof\s+)?\bimport\(['"]([^'"]+)['"]\)/g)) {
    add(specifier, type !== undefined);
  }
  return found;
}

const imports = files.flatMap(importsOf);
/** No static import of `app.ts` is left. */
const isOpenedLater = !/^import\s(?!type)[^;]*'\.\/app\.ts'/m.test(sources.get('src/extension.ts') ?? '');

/** What a folder may import besides its own files. A folder stands for itself alone, and not for those in it. */
type Arrows = {
  readonly folders?: readonly string[];
  /** Folders of which nothing may be left at run time. */
  readonly types?: readonly string[];
  /** Packages, `vscode` and built-in modules of Node. */
  readonly packages?: RegExp;
  /** The same, of which nothing may be left at run time. */
  readonly typesOf?: RegExp;
};

const zod = /^zod(?:\/|$)/;
/** The only way from a host's name on the wire to the one a person reads, without Node. */
const punycode = /^punycode\.js$/;

function inFolder(folder: string, names: string): string[] {
  return names === '' ? [] : names.split(' ').map((name) => `${folder}/${name}`);
}

function group<T>(all: Iterable<T>, nameOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each]);
  }
  return groups;
}

/** A folder of core; all of them may import `core/base`. */
function core(folder: string, folders: string, types = ''): [string, Arrows] {
  const arrows = { folders: inFolder('core', `base ${folders}`.trim()), types: inFolder('core', types) };
  return [`core/${folder}`, { ...arrows, packages: zod, typesOf: /^vscode$/ }];
}

const forChats = 'secrets errors connections reply models/list';
const coreFolders: readonly [string, Arrows][] = [
  core('base', ''),
  core('secrets', ''),
  ['core/network', { folders: ['core/base'], packages: punycode }],
  core('errors', 'secrets network'),
  core('http', 'secrets network errors'),
  core('connections', 'secrets network errors http'),
  core('reply', 'secrets network errors http connections'),
  core('models/list', 'secrets network errors http connections'),
  core('client', 'secrets network errors http connections reply models/list'),
  core('check', 'secrets network errors http connections reply models/list client'),
  core('account', 'secrets network errors http connections reply models/list client'),
  core('models/catalogue', 'secrets errors connections models/list'),
  core('chat/context', forChats, 'client'),
  core('chat/conversation', `${forChats} chat/context`, 'client'),
  core('chat/store', `${forChats} chat/context chat/conversation`, 'client'),
  core('chat/sending', `${forChats} chat/context chat/conversation chat/store`, 'client'),
  core('chat/edits', 'chat/context chat/conversation'),
  core('languageModel', 'secrets errors connections reply models/list models/catalogue chat/sending', 'client'),
];
const allCore = coreFolders.map(([folder]) => folder);

/** A folder of the adapters. */
function node(folder: string, packages: RegExp, folders = ''): [string, Arrows] {
  return [`node/${folder}`, { folders: inFolder('core', `base network ${folders}`.trim()), types: allCore, packages }];
}

/** A folder of the surfaces of the editor. */
function editor(folder: string, folders = '', types = ''): [string, Arrows] {
  const others = inFolder('editor', `ui ${folders}`.trim());
  const packages = /^(?:vscode$|zod(?:\/|$))/;
  return [
    `editor/${folder}`,
    { folders: ['protocol', ...allCore, ...others], types: inFolder('editor', types), packages },
  ];
}

/** A folder of the panel's page. Of core it has only the rule on what a person can see of a name. */
function page(folder: string, folders = ''): [string, Arrows] {
  const packages = /^(?:@vscode\/codicons|highlight\.js|markdown-it)(?:\/|$)/;
  return [
    folder,
    { folders: ['core/base', ...inFolder('webview', folders)], types: ['protocol', ...allCore], packages },
  ];
}

/** One entry for each folder. What it does not name may not be imported. */
const mayImport: ReadonlyMap<string, Arrows> = new Map([
  // What is behind the front door is opened by `import()`, when it is used first.
  ['extension', { folders: ['core/base', 'editor/ui'], types: ['app', 'editor/actions'], packages: /^vscode$/ }],
  [
    'app',
    {
      folders: [
        ...allCore,
        ...inFolder('editor', 'ui connections models panel conversations languageModels actions'),
        ...inFolder('node', 'network files system'),
      ],
      packages: /^vscode$/,
    },
  ],
  ['protocol', { types: allCore, packages: zod }],
  ...coreFolders,
  node('network', /^(?:node:|undici(?:\/|$))/),
  // The form of what is in a file belongs to those who read it.
  node('files', /^node:/, 'chat/store models/catalogue'),
  node('system', /^node:/),
  ['editor/ui', { folders: ['core/base', 'core/secrets'], packages: /^vscode$/ }],
  editor('code'),
  editor('connections'),
  editor('models'),
  editor('panel', 'code'),
  editor('conversations', '', 'panel'),
  editor('languageModels'),
  editor('actions', 'code models', 'connections panel conversations'),
  page('webview/page'),
  page('webview/code', 'page'),
  page('webview/markdown', 'page code'),
  page('webview/conversation', 'page code markdown'),
  page('webview/composer', 'page code markdown conversation'),
  page('webview', 'page code markdown conversation composer'),
]);

function isAllowed({ from, to, isType }: Import): boolean {
  const { folders = [], types = [], packages, typesOf } = mayImport.get(folderOf(from)) ?? {};
  if (!to.startsWith('src/')) {
    return packages?.test(to) === true || (isType && typesOf?.test(to) === true);
  }
  const folder = folderOf(to);
  const isOpened = from === 'src/extension.ts' && to === 'src/app.ts' && isOpenedLater;
  return folder === folderOf(from) || folders.includes(folder) || (isType && types.includes(folder)) || isOpened;
}

test('finds the rooms and their imports', () => {
  assert.deepEqual([...new Set(files.map(folderOf))].sort(), [...mayImport.keys()].sort());
  assert.ok(imports.length > 100);
  const [from, to] = ['src/node/network/lazyTransport.ts', 'src/node/network/undiciTransport.ts'];
  assert.ok(
    imports.some((each) => each.from === from && each.to === to),
    'dynamic imports too',
  );
});

for (const [room, folders] of group(mayImport.keys(), (folder) => folder.replace(/\/.*/, ''))) {
  test(`${room} imports only what its arrows allow`, () => {
    const wrong = imports.filter((each) => folders.includes(folderOf(each.from)) && !isAllowed(each));
    assert.deepEqual(
      wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'the types of ' : ''}${to}`),
      [],
    );
  });
}

test('of core, the transport is built with nothing but what chooses a route', () => {
  const inTransport = new Set(['src/node/network/undiciTransport.ts']);
  for (const file of inTransport) {
    for (const { from, to, isType } of imports) {
      if (from === file && !isType && to.startsWith('src/')) {
        inTransport.add(to);
      }
    }
  }
  // It comes with the first request, and whatever it needs comes with it.
  assert.deepEqual(
    [...inTransport].filter((file) => !/^src\/(?:node|core)\/network\//.test(file)),
    [],
  );
});

test('every import of our own names a file that is there', () => {
  const gone = imports.filter(({ to }) => to.startsWith('src/') && to.endsWith('.ts') && !sources.has(to));
  assert.deepEqual(
    gone.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test('only one file knows undici, and only by its modules: the whole of it writes into the process', () => {
  const known = imports.filter(({ to, isType }) => /^undici/.test(to) && !isType);
  assert.deepEqual([...new Set(known.map(({ from }) => from))], ['src/node/network/dispatcher.ts']);
  assert.ok(known.every(({ to }) => to.startsWith('undici/lib/')));
  const loaders = imports
    .filter(({ to, isType }) => to === 'src/node/network/undiciTransport.ts' && !isType)
    .map(({ from }) => from);
  assert.deepEqual(loaders, ['src/node/network/lazyTransport.ts']);
  assert.match(sources.get('src/node/network/lazyTransport.ts') ?? '', /\bimport\('\.\/undiciTransport\.ts'\)/);
});

/** @throws when something needs itself. */
function assertNoCycle(next: ReadonlyMap<string, readonly string[]>): void {
  const done = new Set<string>();
  const visit = (each: string, before: readonly string[]): void => {
    assert.ok(!before.includes(each), `a cycle: ${[...before.slice(before.indexOf(each)), each].join(' → ')}`);
    if (done.has(each)) {
      return;
    }
    for (const other of next.get(each) ?? []) {
      visit(other, [...before, each]);
    }
    done.add(each);
  };
  for (const each of next.keys()) {
    visit(each, []);
  }
}

/** Of each `nameOf` a file, those of the files that it imports, types too. */
function importsBy(nameOf: (path: string) => string): Map<string, string[]> {
  const own = imports.filter(({ from, to }) => sources.has(to) && nameOf(from) !== nameOf(to));
  const names = group(own, ({ from }) => nameOf(from));
  return new Map([...names].map(([name, all]) => [name, all.map(({ to }) => nameOf(to))]));
}

test('no file needs itself, by any way around', () => {
  assertNoCycle(importsBy((path) => path));
});

test('no folder needs itself, by any way around', () => {
  assertNoCycle(importsBy(folderOf));
});

test('no folder holds more than 25 files', () => {
  const all = globSync(['src/**', 'test/**'], { cwd: root, exclude: (name) => name === 'node_modules' });
  const inFolders = group(
    all.filter((path) => statSync(join(root, path)).isFile()),
    (path) => dirname(path),
  );
  const large = [...inFolders].filter(([, inIt]) => inIt.length > 25);
  assert.deepEqual(
    large.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  );
});

test('no file hands on what another one exports', () => {
  const barrels = files.filter(
    (file) =>
      /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\b/m.test(sources.get(file) ?? '') ||
      /\/index\.ts$/.test(file),
  );
  assert.deepEqual(barrels, []);
});

test('core has no clock, no timers, no network and no page of its own', () => {
  const forbidden =
    /\b(?:setTimeout|setInterval|setImmediate|Date\.now|performance\.now|fetch|XMLHttpRequest|Math\.random)\(|\bnew Date\(\)|\b(?:document|window|localStorage|process|globalThis)\.|\bconsole\.|\brequire\(|\bBuffer\b/;
  const wrong = files
    .filter((file) => file.startsWith('src/core/'))
    .flatMap((file) =>
      (sources.get(file) ?? '').split('\n').flatMap((line, index) => {
        const code = line.replace(/^\s*(?:\*|\/\*|\/\/).*/, '').replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''");
        return forbidden.test(code) ? [`${file}:${index + 1}: ${line.trim()}`] : [];
      }),
    );
  assert.deepEqual(wrong, []);
});

test('the code outside of the panel is compiled without a page', () => {
  const { compilerOptions, exclude } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  assert.ok(compilerOptions.lib.every((lib: string) => !/dom/i.test(lib)));
  assert.deepEqual(exclude, ['src/webview']);
});

const manifest = readFileSync(join(root, 'package.json'), 'utf8');
const contributes = JSON.parse(manifest).contributes;
/** Ids as the manifest writes them, inside of `when` clauses and links too. */
const declared = new Set(manifest.match(/\baskModel(?:\.\w+)+/g));
/** A name in VS Code's storage, a command VS Code makes for each view, the status bar's item, a group of settings. */
const undeclared: ReadonlySet<string> = new Set([
  'askModel.installation',
  'askModel.models.focus',
  'askModel.model',
  'askModel.network',
]);
/** Ids as code writes them: whole string literals. A literal that ends with a dot begins a key of storage. */
const used = new Map<string, string>();
for (const [path, source] of sources) {
  // The list of commands is no use of them.
  if (path === 'src/editor/ui/commandIds.ts') {
    continue;
  }
  for (const [, id = ''] of source.matchAll(/['"`](askModel(?:\.\w+)+)['"`]/g)) {
    used.set(id, path);
  }
}

test('every id of the manifest is used by code', () => {
  assert.deepEqual(
    [...declared].filter((id) => !used.has(id)),
    [],
  );
});

test('every id in code is declared in the manifest', () => {
  assert.deepEqual(
    [...used].filter(([id]) => !declared.has(id) && !undeclared.has(id)).map(([id, path]) => `${path}: ${id}`),
    [],
  );
});

test('the ids of commands that compile are those of the manifest', () => {
  assert.deepEqual(
    commandIds,
    contributes.commands.map(({ command }: { command: string }) => command),
  );
});

test('every menu entry and link of the manifest names a command that is there', () => {
  const commands = new Set<string>(contributes.commands.map(({ command }: { command: string }) => command));
  const entries = Object.values<{ command?: string }[]>(contributes.menus)
    .flat()
    .flatMap(({ command }) => (command ? [command] : []));
  const links = [...manifest.matchAll(/\(command:([\w.]+)/g)].map(([, command = '']) => command);
  assert.deepEqual(
    [...entries, ...links].filter((command) => command.startsWith('askModel.') && !commands.has(command)),
    [],
  );
  const views = new Set<string>(
    Object.values<{ id: string }[]>(contributes.views)
      .flat()
      .map(({ id }) => id),
  );
  const named = [...manifest.matchAll(/\bview == ([\w.]+)/g)].map(([, view = '']) => view);
  assert.deepEqual(
    named.filter((view) => !views.has(view)),
    [],
  );
  assert.ok(contributes.viewsWelcome.every(({ view }: { view: string }) => views.has(view)));
});

test('a test stands beside the room it proves', () => {
  const tests = globSync('test/unit/**/*.test.ts', { cwd: root }).map((path) => relative('test/unit', path));
  for (const room of ['core', 'node', 'webview', 'protocol']) {
    assert.ok(
      tests.some((path) => path.startsWith(room)),
      room,
    );
  }
});
