import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/base/manualClock.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code's API for files.
const vscode = `data:text/javascript,
  class Refusal extends Error { constructor(code, message) { super(message); this.code = code; } }
  export const FileSystemError = {
    FileNotFound: () => new Refusal('FileNotFound'), Unavailable: (message) => new Refusal('Unavailable', message),
  };
  export const FileType = { File: 1 };
  export const Uri = { from: (parts) => ({ ...parts, toString: () => parts.path + '?' + parts.query }) };
  export const workspace = {}, languages = {};`;
fakeVSCode(import.meta, vscode);
const { promptFiles } = await import('../../../../src/editor/systemPrompts/promptFiles.ts');
const { ownerOf, promptUri } = await import('../../../../src/editor/systemPrompts/promptOwner.ts');

const bytes = (text: string) => new TextEncoder().encode(text);
const options = { create: false, overwrite: true };

function open() {
  const texts = new Map<string, string>([['connection g', '']]);
  const nameOf = (owner: object) => Object.values(owner).join(' ');
  const files = promptFiles(
    {
      read: async (owner) => texts.get(nameOf(owner)),
      write: async (owner, text) => {
        const isThere = texts.has(nameOf(owner));
        texts.set(nameOf(owner), text ?? '');
        return isThere;
      },
    },
    new ManualClock(),
    (text) => (text.includes('key') ? 'It has a key.' : undefined),
  );
  return { files, texts };
}
const uri = promptUri({ place: 'connection', connection: 'g' }, 'work');

test('finds the owner of a file by its address, which contains nothing of a conversation but its id', () => {
  for (const owner of [
    { place: 'conversation', conversation: 'c-1' },
    { place: 'model', connection: 'g', model: 'vendor/a model?b#c' },
    { place: 'connection', connection: 'g' },
  ] as const) {
    assert.deepEqual(ownerOf(promptUri(owner, 'a/name')), owner);
  }
  assert.equal(
    promptUri({ place: 'conversation', conversation: 'c-1' }, 'Secret').toString().includes('Secret'),
    false,
  );
  assert.equal(promptUri({ place: 'model', connection: 'g', model: 'v/m' }, 'v/m').path, '/System Prompt of v m.md');
  for (const query of ['', 'model g', 'connection ../x', 'other g', 'conversation']) {
    assert.equal(ownerOf({ query } as Parameters<typeof ownerOf>[0]), undefined, query);
  }
});

test('reads and writes a text of many lines exactly, and removes it when it is blank', async () => {
  const { files, texts } = open();
  assert.equal((await files.stat(uri)).size, 0);
  const text = 'Be brief.\r\n\r\n“So”\n';
  await files.writeFile(uri, bytes(text), options);
  assert.equal(texts.get('connection g'), text);
  assert.deepEqual(await files.readFile(uri), bytes(text));
  assert.equal((await files.stat(uri)).size, bytes(text).length);
  await files.writeFile(uri, bytes(' \n'), options);
  assert.equal(texts.get('connection g'), '');
});

test('has another time only after a change, so that VS Code notices what another window saved', async () => {
  const { files, texts } = open();
  const { mtime } = await files.stat(uri);
  assert.equal((await files.stat(uri)).mtime, mtime);
  texts.set('connection g', 'Of another window.');
  const changed = await files.stat(uri);
  assert.ok(changed.mtime > mtime);
  assert.equal((await files.stat(uri)).mtime, changed.mtime);
});

test("refuses a text that can't be a prompt with the reason, and stores nothing of it", async () => {
  const { files, texts } = open();
  texts.set('connection g', 'Before.');
  await assert.rejects(async () => files.writeFile(uri, bytes('a key'), options), { message: 'It has a key.' });
  await assert.rejects(async () => files.writeFile(uri, Uint8Array.of(0xff), options), /UTF-8/);
  assert.equal(texts.get('connection g'), 'Before.');
});

test('has no file for an owner that does not exist', async () => {
  const { files } = open();
  const gone = promptUri({ place: 'conversation', conversation: 'c1' }, '');
  await assert.rejects(async () => files.stat(gone), { code: 'FileNotFound' });
  await assert.rejects(async () => files.readFile(gone), { code: 'FileNotFound' });
  await assert.rejects(async () => files.writeFile(gone, bytes('x'), options), { code: 'FileNotFound' });
});
