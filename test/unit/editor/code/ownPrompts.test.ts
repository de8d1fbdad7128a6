import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type * as VSCode from 'vscode';
import type { LiveConversation } from '../../../../src/core/chat/sending/liveConversation.ts';
import type { ContextSources } from '../../../../src/editor/code/contextFinder.ts';
import type { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import type { HostMessage } from '../../../../src/protocol/protocol.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const settings: Record<string, unknown> = {};
Object.assign(globalThis, { settingsInTest: settings });
// A fake VS Code with the settings of the test and the files of the disk. Files named pipe are never read to an end.
const vscode = `data:text/javascript,
  import { promises as fs } from 'node:fs';
  import { join } from 'node:path';
  const nothing = { dispose: () => undefined };
  const uri = (fsPath) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => 'file://' + fsPath });
  export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
  export const Uri = { file: uri, joinPath: (base, ...parts) => uri(join(base.fsPath, ...parts)) };
  export class EventEmitter { event = () => nothing; fire() {} dispose() {} }
  export const extensions = { getExtension: () => undefined };
  export const window = { createOutputChannel: () => nothing };
  export const workspace = {
    getConfiguration: () => ({ get: (key) => globalThis.settingsInTest[key] }),
    fs: {
      readDirectory: async ({ fsPath }) => (await fs.readdir(fsPath, { withFileTypes: true })).map((each) =>
        [each.name, each.isFile() ? 1 : each.isDirectory() ? 2 : 0]),
      stat: async ({ fsPath }) => {
        const { size } = await fs.stat(fsPath);
        return { size, type: fsPath.endsWith('pipe.prompt.md') ? FileType.Unknown : FileType.File };
      },
      readFile: ({ fsPath }) => (fsPath.endsWith('pipe.prompt.md') ? new Promise(() => {}) : fs.readFile(fsPath)),
    },
  };`;
fakeVSCode(import.meta, vscode);
const { ownPrompts } = await import('../../../../src/editor/code/ownPrompts.ts');
const { ContextRequests } = await import('../../../../src/editor/panel/contextRequests.ts');

const home = { fsPath: tmpdir() } as VSCode.Uri;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ask-model-prompts-'));
  settings['askModel.promptFiles.folder'] = folder;
  settings['askModel.prompts'] = {};
});
afterEach(() => rmSync(folder, { recursive: true }));

function openRequests() {
  const posted: HostMessage[] = [];
  const requests = new ContextRequests(
    { composed: { contexts: [] } } as unknown as LiveConversation,
    { post: (message: HostMessage) => posted.push(message) } as unknown as PanelUpdates,
    { home, lastEditor: { current: undefined } } as unknown as ContextSources,
    { defect: (_: string, error: unknown) => assert.fail(String(error)) } as unknown as Log,
  );
  let request = 0;
  /** What the list shows for the letters after `/`. */
  return async (query: string) => {
    request++;
    await requests.findPrompts({ type: 'findPrompts', request, query });
    const found = posted.findLast((message) => message.type === 'found');
    assert.equal(found?.request, request);
    return found.rows.map(({ label }) => label);
  };
}

test('finds a prompt that was added to the setting or the folder while its name was in the box', async () => {
  const find = openRequests();
  assert.deepEqual(await find(''), [
    '/explain',
    '/fix',
    '/tests',
    '/document',
    '/improve',
    '/review',
    '/review-changes',
    '/explain-changes',
    '/commit',
  ]);
  assert.deepEqual(await find('shorter'), []);
  settings['askModel.prompts'] = { shorter: 'Make it shorter.' };
  assert.deepEqual(await find('shorter'), ['/shorter']);
  writeFileSync(join(folder, 'port.prompt.md'), 'Port it.');
  assert.deepEqual(await find('port'), ['/port']);
});

test('names what is no file instead of waiting for a pipe', {
  timeout: 5_000,
}, async () => {
  writeFileSync(join(folder, 'port.prompt.md'), 'Port it.');
  writeFileSync(join(folder, 'pipe.prompt.md'), '');
  writeFileSync(join(folder, 'binary.prompt.md'), Uint8Array.of(0xff, 0xfe));
  const { prompts, problems } = await ownPrompts(home);
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['port'],
  );
  assert.deepEqual(problems, [
    'The prompt file binary.prompt.md is left out: it must be UTF-8 text of at most 100 KB, with a name without blanks.',
    'The prompt file pipe.prompt.md is left out: it must be UTF-8 text of at most 100 KB, with a name without blanks.',
  ]);
});

test('reads at most 300 prompt files', async () => {
  for (let at = 0; at < 302; at++) {
    writeFileSync(join(folder, `p${String(at).padStart(3, '0')}.prompt.md`), 'Do it.');
  }
  assert.equal((await ownPrompts(home)).prompts.length, 300);
});
