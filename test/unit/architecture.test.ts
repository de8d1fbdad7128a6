import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isNode, parseFile, visit } from './syntax.ts';

/** Checks which folders of `src` import each other, and that the manifest and the code have the same ids. */

const root = fileURLToPath(new URL('../..', import.meta.url));

type Import = { readonly from: string; readonly to: string; readonly isType: boolean };

const files = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !path.endsWith('.d.ts'))
  .sort();
const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

/** The folder of a file below `src`. A file directly in `src` counts as a folder of its own. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === 'src' ? path.slice('src/'.length, -'.ts'.length) : folder.slice('src/'.length);
}

/** All imports and re-exports of a file. `isType` is true if nothing of it remains at run time. */
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
/** Whether `extension.ts` has no static import of `app.ts` except of types. */
const isAppLazy = !/^import\s(?!type)[^;]*'\.\/app\.ts'/m.test(sources.get('src/extension.ts') ?? '');

/** What a folder may import besides its own files. The name of a folder does not include its subfolders. */
type AllowedImports = {
  readonly folders?: readonly string[];
  /** Folders from which only types may be imported. */
  readonly types?: readonly string[];
  /** Packages, `vscode` and built-in modules of Node. */
  readonly packages?: RegExp;
  /** Packages from which only types may be imported. */
  readonly typesOf?: RegExp;
};

const zod = /^zod(?:\/|$)/;
const zodAndTexts = /^(?:@vscode\/l10n$|zod(?:\/|$))/;

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

/** A folder of `core`. All of them may import `core/base`. */
function core(folder: string, folders: string, types = '', packages = zodAndTexts): [string, AllowedImports] {
  const allowed = { folders: inFolder('core', `base ${folders}`.trim()), types: inFolder('core', types) };
  return [`core/${folder}`, { ...allowed, packages, typesOf: /^vscode$/ }];
}

const forChats = 'secrets errors connections reply models/list';
const coreFolders: readonly [string, AllowedImports][] = [
  core('base', '', '', /^(?:@vscode\/l10n|jsonrepair|zod\/mini)$/),
  core('secrets', ''),
  core('network', '', '', /^(?:@vscode\/l10n|node:net)$/),
  core('errors', 'secrets network'),
  core('http', 'secrets network errors'),
  core('connections', 'secrets network errors http'),
  core('reply', 'secrets network errors http connections'),
  core('models/list', 'secrets network errors http connections'),
  core('client', 'secrets network errors http connections reply models/list'),
  core('check', 'secrets network errors http connections reply models/list client'),
  core('account', 'secrets network errors http connections reply models/list client'),
  core(
    'usage/prices',
    'errors connections reply models/list account',
    '',
    /^(?:@vscode\/l10n|zod\/mini|@pydantic\/genai-prices)$/,
  ),
  core('usage', 'errors connections reply models/list account usage/prices', 'client'),
  core('usage/receipts', 'errors connections reply account usage/prices usage'),
  core('usage/view', 'errors connections reply models/list account usage/prices usage usage/receipts'),
  core('models/catalogue', 'secrets errors connections models/list'),
  core('chat/prompts', ''),
  core('chat/context', forChats, 'client', /^(?:@vscode\/l10n|zod\/mini)$/),
  core('chat/masking', 'chat/context', 'secrets'),
  core('chat/conversation', `${forChats} chat/context chat/masking`, 'client'),
  core('chat/store', `${forChats} chat/context chat/conversation`, 'client'),
  core('chat/sending', `${forChats} client chat/context chat/masking chat/conversation chat/store usage/prices usage`),
  core('chat/edits', 'chat/context chat/conversation'),
  core('languageModel', 'secrets errors connections reply models/list models/catalogue chat/sending', 'client'),
];
const allCore = coreFolders.map(([folder]) => folder);

/** A folder of `node`. */
function node(folder: string, packages: RegExp, folders = ''): [string, AllowedImports] {
  return [`node/${folder}`, { folders: inFolder('core', `base network ${folders}`.trim()), types: allCore, packages }];
}

/** A folder of `editor`. */
function editor(folder: string, folders = '', types = ''): [string, AllowedImports] {
  const others = inFolder('editor', `ui ${folders}`.trim());
  const packages = /^(?:vscode$|@vscode\/l10n$|zod(?:\/|$))/;
  return [
    `editor/${folder}`,
    { folders: ['protocol', ...allCore, ...others], types: inFolder('editor', types), packages },
  ];
}

/** A folder of the panel's page. From `core` it may import only `core/base`, and types. */
function page(folder: string, folders = ''): [string, AllowedImports] {
  const packages = /^(?:@vscode\/(?:codicons|l10n)|highlight\.js|markdown-it(?:-cjk-friendly)?)(?:\/|$)/;
  return [
    folder,
    {
      folders: ['core/base', ...inFolder('webview', folders)],
      types: ['protocol', ...allCore],
      packages,
      typesOf: /^temml$/,
    },
  ];
}

/** The allowed imports of each folder; all others are forbidden. */
const mayImport: ReadonlyMap<string, AllowedImports> = new Map([
  // `extension.ts` loads `app.ts` with `import()` on first use, and imports only types statically.
  ['extension', { folders: ['core/base', 'editor/ui'], types: ['app', 'editor/actions'], packages: /^vscode$/ }],
  [
    'app',
    {
      folders: [
        ...allCore,
        ...inFolder('editor', 'ui code connections models panel conversations languageModels usage actions'),
        ...inFolder('node', 'network files system'),
      ],
      packages: /^vscode$/,
    },
  ],
  ['protocol', { folders: ['core/errors'], types: allCore, packages: zod }],
  ...coreFolders,
  node('network', /^(?:node:|undici(?:\/|$))/),
  // The formats of the files are defined where they are parsed.
  node('files', /^node:/, 'chat/store models/catalogue'),
  node('system', /^node:/),
  [
    'editor/ui',
    { folders: ['core/base', 'core/secrets'], packages: /^(?:vscode|@vscode\/l10n)$/, typesOf: /^package\.nls\.json$/ },
  ],
  editor('code'),
  editor('connections'),
  editor('models'),
  editor('sending', 'code models'),
  editor('panel', 'code sending settingFiles'),
  editor('settingFiles'),
  editor('conversations', '', 'panel'),
  editor('languageModels'),
  editor('usage'),
  editor('actions', 'code models sending', 'connections panel conversations usage'),
  page('webview/page'),
  page('webview/code', 'page'),
  page('webview/usage', 'page'),
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
  const isLazyApp = from === 'src/extension.ts' && to === 'src/app.ts' && isAppLazy;
  return folder === folderOf(from) || folders.includes(folder) || (isType && types.includes(folder)) || isLazyApp;
}

test('the table of allowed imports names every folder of src', () => {
  assert.deepEqual([...new Set(files.map(folderOf))].sort(), [...mayImport.keys()].sort());
  assert.ok(imports.length > 100);
  const [from, to] = ['src/app.ts', 'src/node/network/undiciTransport.ts'];
  assert.ok(
    imports.some((each) => each.from === from && each.to === to),
    'finds dynamic imports too',
  );
});

for (const [top, folders] of group(mayImport.keys(), (folder) => folder.replace(/\/.*/, ''))) {
  test(`${top} has only allowed imports`, () => {
    const wrong = imports.filter((each) => folders.includes(folderOf(each.from)) && !isAllowed(each));
    assert.deepEqual(
      wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'the types of ' : ''}${to}`),
      [],
    );
  });
}

/** The name behind the dot or in the brackets of an expression such as `client.chat`. */
function memberOf(expression: unknown): unknown {
  const property = isNode(expression) && expression.type === 'MemberExpression' ? expression.property : undefined;
  return isNode(property) ? (property.name ?? property.value) : undefined;
}

test('only the gate of paid calls sends one', () => {
  const senders: string[] = [];
  const posts: string[] = [];
  const clients: string[] = [];
  for (const file of files) {
    visit(parseFile(join(root, file)).program, (node) => {
      const { callee, key, value } = node;
      // Also `client.chat.call(…)` and its like.
      const isBound = /^(?:call|apply|bind)$/.test(String(memberOf(callee)));
      const called = isBound && isNode(callee) ? callee.object : callee;
      if (node.type === 'CallExpression' && memberOf(called) === 'chat') {
        senders.push(file);
      }
      if (node.type === 'Property' && isNode(key) && isNode(value) && key.name === 'method' && value.value === 'POST') {
        posts.push(file);
      }
      if (node.type === 'NewExpression' && isNode(callee) && callee.name === 'GatewayClient') {
        clients.push(file);
      }
    });
  }
  assert.deepEqual(senders, ['src/core/chat/sending/callGate.ts']);
  assert.deepEqual(posts, ['src/core/client/gatewayClient.ts']);
  assert.deepEqual(clients, ['src/editor/connections/openConnections.ts']);
});

/** @throws when there is a cycle. */
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

/** Maps the `nameOf` each file to that of the files it imports, including imports of types. */
function importsBy(nameOf: (path: string) => string): Map<string, string[]> {
  const own = imports.filter(({ from, to }) => sources.has(to) && nameOf(from) !== nameOf(to));
  const names = group(own, ({ from }) => nameOf(from));
  return new Map([...names].map(([name, all]) => [name, all.map(({ to }) => nameOf(to))]));
}

test('no files import each other in a cycle', () => {
  assertNoCycle(importsBy((path) => path));
});

test('no folders import each other in a cycle', () => {
  assertNoCycle(importsBy(folderOf));
});

const manifest = readFileSync(join(root, 'package.json'), 'utf8');
const contributes = JSON.parse(manifest).contributes;
/** The manifest with its texts in all languages. */
const manifestTexts = globSync('package*.json', { cwd: root, exclude: ['package-lock.json'] })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
/** The ids in the manifest, including those in `when` clauses and links. */
const declared = new Set(manifestTexts.match(/\baskModel(?:\.\w+)+/g));
/**
 * A key in VS Code's storage, a command that VS Code creates for each view, the status bar item, a settings group, and a
 * setting of earlier versions.
 */
const undeclared: ReadonlySet<string> = new Set([
  'askModel.installation',
  'askModel.models.focus',
  'askModel.model',
  'askModel.network',
  'askModel.languageModels.allowedExtensions',
]);
/** The ids in code: whole string literals. A literal that ends with a dot is the prefix of a storage key. */
const used = new Map<string, string>();
for (const [path, source] of sources) {
  for (const [, id = ''] of source.matchAll(/['"`](askModel(?:\.\w+)+)['"`]/g)) {
    used.set(id, path);
  }
}

test('the code uses every id of the manifest', () => {
  assert.deepEqual(
    [...declared].filter((id) => !used.has(id)),
    [],
  );
});

test('the manifest declares every id in the code', () => {
  assert.deepEqual(
    [...used].filter(([id]) => !declared.has(id) && !undeclared.has(id)).map(([id, path]) => `${path}: ${id}`),
    [],
  );
});

test('a workspace can add to what is not suggested as context, and change no other setting', () => {
  const groups: { properties: Record<string, { scope: string }> }[] = contributes.configuration;
  const settings = groups.flatMap(({ properties }) => Object.entries(properties));
  assert.deepEqual(
    settings.filter(([, { scope }]) => scope !== 'application').map(([name]) => name),
    ['askModel.context.exclude'],
  );
});

test('every menu entry and link in the manifest names an existing command', () => {
  const commands = new Set<string>(contributes.commands.map(({ command }: { command: string }) => command));
  const entries = Object.values<{ command?: string }[]>(contributes.menus)
    .flat()
    .flatMap(({ command }) => (command ? [command] : []));
  const links = [...manifestTexts.matchAll(/\(command:([\w.]+)/g)].map(([, command = '']) => command);
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
