import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import { conversationOf } from '../../core/chat/conversation/storedFixture.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const host = {
  isTrusted: true,
  isOffered: undefined as boolean | undefined,
  files: {} as Record<string, string | undefined>,
  stats: 0,
  listeners: [] as (() => void)[],
};
Object.assign(globalThis, { hostOfInstructions: host });
// A fake VS Code with a workspace of one folder. A file with the text "folder" is a folder.
const vscode = `data:text/javascript,
  const host = globalThis.hostOfInstructions;
  const listen = (listener) => (host.listeners.push(listener), { dispose: () => undefined });
  const uri = (path) => ({ scheme: 'file', path, toString: () => 'file://' + path });
  export const FileType = { File: 1, Directory: 2 };
  export const Uri = { joinPath: (base, name) => uri(base.path + '/' + name) };
  export const workspace = {
    get isTrusted() { return host.isTrusted; },
    workspaceFolders: [{ uri: uri('/w') }],
    onDidGrantWorkspaceTrust: listen, onDidChangeWorkspaceFolders: listen,
    onDidChangeConfiguration: (listener) => listen(() => listener({ affectsConfiguration: () => true })),
    getConfiguration: () => ({ get: () => host.isOffered }),
    textDocuments: [],
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(3),
    openTextDocument: async (uri) => ({
      uri, languageId: 'markdown', lineCount: 2, getText: () => host.files[uri.path.slice(3)],
    }),
    fs: { stat: async ({ path }) => {
      host.stats++;
      const text = host.files[path.slice(3)];
      if (text === undefined) throw new Error('missing');
      return { type: text === 'folder' ? 2 : 1, size: text.length };
    } },
  };`;
fakeVSCode(import.meta, vscode);
const { InstructionFiles } = await import('../../../../src/editor/panel/instructionFiles.ts');

const files = { follow: async () => ({ isFile: true, size: 1 }) };
const empty = conversationOf({ turns: [] });
async function open(files: typeof host.files, isTrusted = true) {
  Object.assign(host, { files, isTrusted, stats: 0, listeners: [] });
  const instructions = new InstructionFiles();
  let changes = 0;
  instructions.onDidChange(() => changes++);
  instructions.refresh();
  await turn();
  return { instructions, changes: () => changes };
}
const labels = ({ instructions }: Awaited<ReturnType<typeof open>>, conversation = empty) =>
  instructions.offers(conversation).map(({ label }) => label);

test('offers the files of a trusted workspace that have a text', async () => {
  const opened = await open({ 'AGENTS.md': 'Use tabs.', '.github/copilot-instructions.md': 'x' });
  assert.deepEqual(labels(opened), ['AGENTS.md', '.github/copilot-instructions.md']);
  assert.equal(opened.changes(), 1);
  opened.instructions.refresh();
  await turn();
  assert.equal(opened.changes(), 1, 'nothing has changed');
  assert.deepEqual(labels(await open({ 'AGENTS.md': '', '.github/copilot-instructions.md': 'folder' })), []);
});

test('looks at no file of a workspace that is not trusted, and offers them once it is', async () => {
  const opened = await open({ 'AGENTS.md': 'Use tabs.' }, false);
  assert.deepEqual(labels(opened), []);
  assert.equal(host.stats, 0);
  assert.deepEqual(await opened.instructions.read('file:///w/AGENTS.md', files), { pieces: [] });
  host.isTrusted = true;
  host.listeners[0]?.();
  await turn();
  assert.deepEqual(labels(opened), ['AGENTS.md']);
});

test('offers and reads no file while the setting is off, and follows its changes', async () => {
  const opened = await open({ 'AGENTS.md': 'Use tabs.' });
  const change = async (isOffered: boolean) => {
    host.isOffered = isOffered;
    for (const listener of host.listeners) {
      listener();
    }
    await turn();
  };
  await change(false);
  assert.deepEqual(labels(opened), []);
  assert.deepEqual(await opened.instructions.read('file:///w/AGENTS.md', files), { pieces: [] });
  await change(true);
  assert.deepEqual(labels(opened), ['AGENTS.md']);
  assert.equal(opened.changes(), 3);
});

test('reads only a file that is offered', async () => {
  const { instructions } = await open({ 'AGENTS.md': 'Use tabs.\n', 'other.md': 'x' });
  assert.deepEqual(await instructions.read('file:///w/other.md', files), { pieces: [] });
  const { pieces } = await instructions.read('file:///w/AGENTS.md', files);
  assert.deepEqual(
    pieces.map(({ kind, path, text }) => ({ kind, path, text })),
    [{ kind: 'instructions', path: 'AGENTS.md', text: 'Use tabs.\n' }],
  );
});

test('does not offer what the question or the conversation before it includes', async () => {
  const opened = await open({ 'AGENTS.md': 'Use tabs.' });
  const included: CodeContext = {
    kind: 'instructions',
    id: 'i',
    path: 'AGENTS.md',
    languageId: 'markdown',
    startLine: 1,
    endLine: 1,
    text: 'Use tabs.',
  };
  assert.deepEqual(labels(opened, { ...empty, draft: { text: '', contexts: [included] } }), []);
  const asked = conversationOf();
  const [first] = asked.turns;
  assert.ok(first);
  const sent = { ...first, contexts: [included] };
  assert.deepEqual(labels(opened, { ...asked, turns: [sent] }), []);
  const edit = { turnId: first.id, text: '', contexts: [] };
  assert.deepEqual(labels(opened, { ...asked, turns: [sent], edit }), ['AGENTS.md'], 'not in what is sent before it');
  const unanswered = { ...sent, replies: sent.replies.map((reply) => ({ ...reply, text: '' })) };
  assert.deepEqual(labels(opened, { ...asked, turns: [unanswered] }), ['AGENTS.md'], 'it would not be sent again');
});
