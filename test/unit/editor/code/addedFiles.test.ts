import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type * as vscode from 'vscode';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import type { LiveConversation } from '../../../../src/core/chat/sending/liveConversation.ts';
import type { ContextSources } from '../../../../src/editor/code/contextFinder.ts';
import type { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import type { HostMessage } from '../../../../src/protocol/protocol.ts';
import { until } from '../../../until.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** The files of the disk, by their paths, the text documents that are open, and the tabs. */
const disk = new Map<string, string>();
const documents: vscode.TextDocument[] = [];
const tabs: unknown[] = [];
/** The paths that git or the settings exclude. */
Object.assign(globalThis, { diskOfTest: disk, documentsOfTest: documents, tabsOfTest: tabs });
// The part of VS Code that reads files. As in VS Code, `folder/../file` counts as a file of the folder.
const fakeVscode = `data:text/javascript,
  const { diskOfTest: disk, documentsOfTest: documents, tabsOfTest: tabs } = globalThis;
  export class Uri {
    constructor(scheme, authority, path) { Object.assign(this, { scheme, authority, path }); }
    static parse(text) {
      const [, scheme, authority, path] = /^(\\w[\\w-]*):\\/\\/([^\\/]*)(\\/.*)$/.exec(text) ?? [];
      if (scheme === undefined) { throw new Error('[UriError]: Scheme is missing'); }
      return new Uri(scheme, authority, decodeURIComponent(path));
    }
    with({ scheme, authority }) { return new Uri(scheme, authority, this.path); }
    toString() { return this.scheme + '://' + this.authority + this.path; }
  }
  export class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
  export class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
  export class TabInputText { constructor(uri) { this.uri = uri; } }
  export class TabInputTextDiff {}
  export const FileType = { File: 1, Directory: 2 };
  export const EndOfLine = { LF: 1, CRLF: 2 };
  export class ThemeIcon {}
  export const window = {
    tabGroups: { get all() { return [{ tabs }]; } },
    visibleNotebookEditors: [],
    createQuickPick: () => new FakePick(),
  };
  export const languages = {};
  export const workspace = {
    workspaceFolders: [{ uri: new Uri('file', '', '/shop'), name: 'shop', index: 0 }],
    textDocuments: documents,
    getWorkspaceFolder: ({ scheme, path }) => scheme === 'file' && path.startsWith('/shop/') ? {} : undefined,
    asRelativePath: ({ path }) => path.slice('/shop/'.length),
    fs: { stat: async ({ path }) => {
      if (!disk.has(path)) { throw new Error('no such file'); }
      return { type: path.endsWith('/') ? 2 : 1, size: disk.get(path).length };
    } },
    openTextDocument: async (uri) => {
      const text = disk.get(uri.path);
      return { uri, languageId: 'typescript', lineCount: text.split('\\n').length, getText: () => text };
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { TabInputText, Uri } = await import('vscode');
const { fileContext } = await import('../../../../src/editor/code/fileContexts.ts');
const { filesOf } = await import('../../../../src/editor/code/readFiles.ts');
const { ContextRequests } = await import('../../../../src/editor/panel/contextRequests.ts');

/** A panel whose question has no context yet. */
function openPanel(lastDocument?: vscode.TextDocument) {
  let contexts: readonly CodeContext[] = [];
  const reasons: string[] = [];
  const live = {
    conversation: {},
    get composed() {
      return { text: '', contexts };
    },
    // As when a secret in a piece was masked.
    unmask: (draft: { contexts: readonly CodeContext[] }) => ({
      contexts: draft.contexts.map((each) => ({ ...each, text: each.text.replace('MASKED', 'secret') })),
    }),
    scan: (pieces: readonly CodeContext[]) => [...pieces],
    setDraft: (draft: { contexts: readonly CodeContext[] }) => {
      contexts = draft.contexts;
    },
  };
  const updates = {
    composer: () => undefined,
    postWhenReady: (message: HostMessage) =>
      message.type === 'notAdded' && reasons.push(`${message.reason}${message.isNote ? ' (note)' : ''}`),
  };
  const sources = {
    files: {
      filesIn: async () => [],
      find: async () => ({ files: [], folders: [] }),
      follow: async () => ({ isFile: true, size: 1 }),
    },
    lastEditor: { current: lastDocument && { document: lastDocument } },
    changes: { rows: () => [] },
    terminals: { rows: () => [] },
  };
  const requests = new ContextRequests(
    live as unknown as LiveConversation,
    updates as unknown as PanelUpdates,
    sources as unknown as ContextSources,
    {} as Log,
  );
  return { requests, reasons, paths: () => contexts.map(({ path }) => path), contexts: () => contexts };
}

beforeEach(() => {
  disk.clear();
  documents.length = 0;
  tabs.length = 0;
  for (const [path, text] of [
    ['/shop/a.ts', 'a\n'],
    ['/shop/b c.ts', 'b\n'],
    ['/shop/picture.png', 'P\0'],
    ['/home/me/notes.ts', 'n\n'],
    ['/home/me/key', 'secret'],
  ] as const) {
    disk.set(path, text);
  }
});

test('finds the files in what VS Code passes to a command: selected ones, a tab, changed files', () => {
  const [a, b] = [Uri.parse('file:///shop/a.ts'), Uri.parse('file:///shop/b.ts')];
  const paths = (...args: unknown[]) => filesOf(args).map(({ path }) => path);
  assert.deepEqual(paths(a, [a, b]), ['/shop/a.ts', '/shop/b.ts']);
  assert.deepEqual(paths(a, { groupId: 1, editorIndex: 0 }), ['/shop/a.ts']);
  assert.deepEqual(paths({ resourceUri: b }, { resourceUri: a }), ['/shop/b.ts', '/shop/a.ts']);
  assert.deepEqual(paths(undefined, null, [null], 'file:///shop/a.ts', { resourceUri: 'a' }), []);
});

test('includes dropped files of the workspace and of tabs, also when they are named as remote files', async () => {
  const { requests, reasons, paths } = openPanel();
  tabs.push({ input: new TabInputText(Uri.parse('file:///home/me/notes.ts')) });
  await requests.addDropped([
    'file:///shop/a.ts',
    'vscode-remote://localhost:9000/shop/b%20c.ts',
    'file:///home/me/notes.ts',
    'file:///shop/a.ts',
  ]);
  assert.deepEqual(paths(), ['a.ts', 'b c.ts', 'notes.ts']);
  assert.deepEqual(reasons, []);
});

test('reads no file outside the workspace for the page, however its address is written', async () => {
  const { requests, reasons, contexts } = openPanel();
  for (const address of [
    'file:///home/me/key',
    'file:///shop/../home/me/key',
    'file:///shop/%2e%2e/home/me/key',
    'file:///shop/src/..%5c..%5c..%5chome%5cme/key',
    'vscode-remote://localhost/shop/../home/me/key',
  ]) {
    disk.set(Uri.parse(address).path, 'secret');
    await requests.addDropped([address]);
    assert.deepEqual(reasons.splice(0), ["key isn't in the workspace. Open it in the editor, then add it again."]);
  }
  assert.deepEqual(contexts(), []);
});

test('includes the other files when an address is invalid or a file is refused', async () => {
  const { requests, reasons, paths } = openPanel();
  await requests.addDropped(['', 'no address', 'file:///home/me/key', 'file:///shop/a.ts']);
  assert.deepEqual(paths(), ['a.ts']);
  assert.deepEqual(reasons, ["key isn't in the workspace. Open it in the editor, then add it again."]);
});

test('says for each file why it is not included, and only how many after three', async () => {
  const { requests, reasons, paths } = openPanel();
  const add = (...names: string[]) => requests.addFiles(names.map((name) => Uri.parse(`file:///shop/${name}`)));
  await add('a.ts');
  await add('picture.png', 'a.ts', 'b c.ts');
  assert.deepEqual(paths(), ['a.ts', 'b c.ts']);
  assert.deepEqual(reasons.splice(0), [
    "picture.png can't be included because it isn't a text file. a.ts is already included.",
  ]);
  await add('x1', 'x2', 'x3', 'x4');
  await add('x1', 'x2', 'x3', 'x4', 'x5');
  const three = 'x1 no longer exists. x2 no longer exists. x3 no longer exists.';
  assert.deepEqual(reasons, [
    `${three} Others that aren't included in full: 1.`,
    `${three} Others that aren't included in full: 2.`,
  ]);
});

test('includes at most 100 files at a time, and says so', async () => {
  const { requests, reasons, paths } = openPanel();
  const all = Array.from({ length: 101 }, (_, index) => `/shop/${index}.ts`);
  for (const path of all) {
    disk.set(path, `${path}\n`);
  }
  await requests.addFiles(all.map((path) => Uri.parse(`file://${path}`)));
  assert.equal(paths().length, 100);
  assert.deepEqual(reasons, ['Only the first 100 files are included.']);
});

/** Opens a text document. */
function open(path: string, text: string, scheme = 'file'): vscode.TextDocument {
  const lines = text.split('\n');
  const offset = ({ line, character }: vscode.Position) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, character);
  const document = {
    uri: Uri.parse(`${scheme}://${path}`),
    languageId: 'python',
    eol: text.includes('\r\n') ? 2 : 1,
    getText: (range?: vscode.Range) => (range ? text.slice(offset(range.start), offset(range.end)) : text),
    positionAt: (at: number) => {
      const before = text.slice(0, at).split('\n');
      return { line: before.length - 1, character: before.at(-1)?.length };
    },
  } as unknown as vscode.TextDocument;
  documents.push(document);
  return document;
}

const paste = (text: string) => ({ type: 'addPasted' as const, text, language: 'typescript' });

test('includes pasted code with its place if exactly one open document has it', async () => {
  open('/shop/one.py', 'a = 1\n  b = 2\n  c = 3\nd = 4\n');
  open('/shop/one.py', 'a = 1\n  b = 2\n  c = 3\n', 'git');
  const { requests, contexts } = openPanel();
  await requests.addPasted(paste('b = 2\n  c = 3\n'));
  const [{ id: _, ...piece } = { id: '' }] = contexts();
  assert.deepEqual(piece, {
    kind: 'selection',
    path: 'one.py',
    uri: 'file:///shop/one.py',
    languageId: 'python',
    startLine: 2,
    endLine: 3,
    text: 'b = 2\n  c = 3\n',
  });
});

test('says of what is picked in Add Context that it is included already', async () => {
  tabs.push(...['a.ts', 'b c.ts'].map((name) => ({ input: new TabInputText(Uri.parse(`file:///shop/${name}`)) })));
  const { requests, reasons, paths } = openPanel();
  const pick = async (...names: string[]) => {
    const picking = requests.pick();
    await until(() => FakePick.front?.items.length === 2);
    const { front } = FakePick;
    front?.check(front.items.filter(({ label }) => names.includes(label)));
    front?.accept();
    await picking;
    return paths();
  };
  assert.deepEqual(await pick('a.ts'), ['a.ts']);
  assert.deepEqual(reasons, []);
  assert.deepEqual(await pick('a.ts'), ['a.ts']);
  assert.deepEqual(reasons.splice(0), ['a.ts is already included. (note)']);
  assert.deepEqual(await pick('a.ts', 'b c.ts'), ['a.ts', 'b c.ts']);
  assert.deepEqual(reasons, ['a.ts is already included. (note)']);
});

test('includes pasted code without a place if no document or several have it, each text once', async () => {
  open('/shop/one.py', 'a\nb\na\nb\n');
  const { requests, reasons, contexts } = openPanel();
  for (const text of ['a\nb\n', 'x\r\ny\r\nz', 'x\ny\nz', 'x\ny\nz\n']) {
    await requests.addPasted(paste(text));
  }
  assert.deepEqual(
    contexts().map(({ kind, path, languageId, endLine, text }) => [kind, path, languageId, endLine, text]),
    [
      ['pasted', '', 'typescript', 2, 'a\nb\n'],
      ['pasted', '', 'typescript', 3, 'x\ny\nz'],
    ],
  );
  const again = 'The pasted code is already included. (note)';
  assert.deepEqual(reasons.splice(0), [again, again]);
  open('/shop/two.py', 'w\nx\ny\nz\n');
  await requests.addPasted(paste('x\ny\nz'));
  assert.deepEqual(reasons, ['two.py 2–4 is already included. (note)'], 'also when its place is known now');
  assert.equal(contexts().length, 2);
});

test('prefers the last editor for pasted code, and includes the same lines of it only once', async () => {
  const last = open('/shop/last.py', 'a\r\nb\r\nc\r\n');
  open('/shop/other.py', 'a\nb\n');
  const { requests, reasons, contexts } = openPanel(last);
  await requests.addPasted(paste('a\r\nb'));
  await requests.addPasted(paste('a\nb'));
  assert.deepEqual(
    contexts().map(({ kind, path, startLine, endLine, text }) => [kind, path, startLine, endLine, text]),
    [['selection', 'last.py', 1, 2, 'a\r\nb']],
    'with the line breaks of the file, as a selection of it has them',
  );
  assert.deepEqual(reasons, ['last.py 1–2 is already included. (note)']);
});

test('adds no second copy of pasted lines that a piece of context has, and says which lines', async () => {
  open('/shop/a.py', 'one = 1\n  two = secret\n  three = 3\n');
  open('/shop/b.py', 'one = 1\n  two = secret\n  four = 4\n');
  const { requests, reasons, contexts } = openPanel();
  const file = { kind: 'file', languageId: 'python', startLine: 1, endLine: 3 } as const;
  const text = 'one = 1\n  two = MASKED\n  three = 3\n';
  await requests.add(async () => [{ ...file, id: 'a', path: 'a.py', text }]);
  await requests.addPasted(paste('two = secret\r\n  three = 3\r\n'));
  assert.deepEqual(
    contexts().map(({ id }) => id),
    ['a'],
  );
  assert.deepEqual(reasons, ['a.py 2–3 is already included. (note)']);
  await requests.addPasted(paste('  two = secret\n  four = 4'));
  assert.equal(contexts().length, 2, 'lines of another file are added');
});

test('gives the code of an unsaved document no address, by which another one would never be searched for secrets', () => {
  const document = { languageId: 'python', lineCount: 1, getText: () => 'a = 1' };
  const uriOf = (address: string) => fileContext({ ...document, uri: Uri.parse(address) } as vscode.TextDocument).uri;
  assert.deepEqual([uriOf('untitled:///Untitled-1'), uriOf('file:///shop/a.py')], [undefined, 'file:///shop/a.py']);
});
