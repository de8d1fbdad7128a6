import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The arrows between the rooms of `src`: what is not named here may not be imported. */

const root = fileURLToPath(new URL('../..', import.meta.url));

type Room = 'core' | 'node' | 'editor' | 'webview' | 'protocol' | 'app' | 'extension';
type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const files = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !path.endsWith('.d.ts'))
  .sort();
const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

function roomOf(path: string): Room {
  const [, first = ''] = path.split('/');
  return first.replace(/\.ts$/, '') as Room;
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
  for (const [, specifier = ''] of source.matchAll(/^import\s+['"]([^'"]+)['"]/gm)) add(specifier, false);
  for (const [, type, specifier = ''] of source.matchAll(/(typeof\s+)?\bimport\(['"]([^'"]+)['"]\)/g))
    add(specifier, type !== undefined);
  return found;
}

const imports = files.flatMap(importsOf);
/** No static import of `app.ts` is left. */
const isOpenedLater = !/^import\s(?!type)[^;]*'\.\/app\.ts'/m.test(sources.get('src/extension.ts') ?? '');

const transport = 'src/node/undiciTransport.ts';
/** What is built into that chunk. */
const inTransport = new Set([transport]);
for (const file of inTransport) {
  for (const { from, to, isType } of imports) {
    if (from === file && !isType && to.startsWith('src/node/')) {
      inTransport.add(to);
    }
  }
}
const isZod = (to: string) => to === 'zod' || to.startsWith('zod/');
const inRoom = (to: string, ...rooms: Room[]) => to.startsWith('src/') && rooms.includes(roomOf(to));

/** One line an arrow. */
const mayImport: Readonly<Record<Room, (each: Import) => boolean>> = {
  core: ({ to, isType }) => inRoom(to, 'core') || isZod(to) || (to === 'vscode' && isType),
  // The transport is a chunk of its own: core code in it would be there twice, but for the choice of the way, which is
  // made there alone.
  node: ({ from, to, isType }) =>
    inRoom(to, 'node') ||
    (inRoom(to, 'core') && (isType || !inTransport.has(from) || to.startsWith('src/core/network/'))) ||
    to.startsWith('node:') ||
    /^undici(?:\/|$)/.test(to),
  // Random ids and nonces come from Node; everything else of it is reached through `node/`.
  editor: ({ to }) => inRoom(to, 'editor', 'core', 'protocol') || to === 'vscode' || to === 'node:crypto' || isZod(to),
  webview: ({ to, isType }) =>
    inRoom(to, 'webview') ||
    (inRoom(to, 'protocol') && isType) ||
    // One rule for host and panel on what a person can see of a name.
    to === 'src/core/visibleText.ts' ||
    (!to.startsWith('src/') && !/^(?:node:|vscode$|undici|zod)/.test(to)),
  protocol: ({ to }) => isZod(to),
  app: ({ to }) => inRoom(to, 'editor', 'core', 'node') || to === 'vscode',
  // The front door: what is behind it is opened by `import()`, when somebody comes in.
  extension: ({ to, isType }) =>
    inRoom(to, 'editor', 'core') || (inRoom(to, 'app') && (isType || isOpenedLater)) || to === 'vscode',
};

test('finds the rooms and their imports', () => {
  assert.deepEqual([...new Set(files.map(roomOf))].sort(), [
    'app',
    'core',
    'editor',
    'extension',
    'node',
    'protocol',
    'webview',
  ]);
  assert.ok(imports.length > 100);
  assert.ok(
    imports.some(({ from, to }) => from === 'src/node/lazyTransport.ts' && to === 'src/node/undiciTransport.ts'),
    'dynamic imports too',
  );
});

for (const [room, isAllowed] of Object.entries(mayImport)) {
  test(`${room} imports only what its arrows allow`, () => {
    const wrong = imports.filter((each) => roomOf(each.from) === room && !isAllowed(each));
    assert.deepEqual(
      wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'the types of ' : ''}${to}`),
      [],
    );
  });
}

test('every import of our own names a file that is there', () => {
  const gone = imports.filter(({ to }) => to.startsWith('src/') && to.endsWith('.ts') && !sources.has(to));
  assert.deepEqual(
    gone.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test('only one file knows undici, and only by its modules: the whole of it writes into the process', () => {
  const known = imports.filter(({ to, isType }) => /^undici/.test(to) && !isType);
  assert.deepEqual([...new Set(known.map(({ from }) => from))], ['src/node/carrier.ts']);
  assert.ok(inTransport.has('src/node/carrier.ts'));
  assert.ok(known.every(({ to }) => to.startsWith('undici/lib/')));
  const loaders = imports
    .filter(({ to, isType }) => to === 'src/node/undiciTransport.ts' && !isType)
    .map(({ from }) => from);
  assert.deepEqual(loaders, ['src/node/lazyTransport.ts']);
  assert.match(sources.get('src/node/lazyTransport.ts') ?? '', /\bimport\('\.\/undiciTransport\.ts'\)/);
});

test('no file needs itself, by any way around', () => {
  const next = new Map(
    files.map((file) => [file, imports.filter(({ from, to }) => from === file && sources.has(to)).map(({ to }) => to)]),
  );
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), `a cycle: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const each of next.get(file) ?? []) visit(each, [...way, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
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
    .filter((file) => roomOf(file) === 'core')
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
  for (const [, id = ''] of source.matchAll(/['"`](askModel(?:\.\w+)+)['"`]/g)) used.set(id, path);
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
  for (const room of ['core', 'node', 'webview', 'protocol'])
    assert.ok(
      tests.some((path) => path.startsWith(room)),
      room,
    );
});
