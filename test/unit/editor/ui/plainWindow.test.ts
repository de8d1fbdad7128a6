import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const calls: unknown[][] = [];
Object.assign(globalThis, { callsByTest: calls });
// The part of VS Code that the files of `src/editor/ui` use. It records each call and returns its last argument.
const vscode = `data:text/javascript,
  export const window = new Proxy({ createInputBox: () => new FakePick() }, { get: (own, name) => own[name] ?? (async (...all) => {
    globalThis.callsByTest.push([name, ...all]);
    return all.at(-1);
  }) });`;
fakeVSCode(import.meta, vscode);
const { showErrorMessage, showInformationMessage, showWarningMessage, withProgress } = await import(
  '../../../../src/editor/ui/messages.ts'
);
const { askText } = await import('../../../../src/editor/ui/askText.ts');
const { plainItem, showQuickPick } = await import('../../../../src/editor/ui/quickPick.ts');

const hostile = '[Update](command:workbench.action.quit) $(trash)';
const plain = '[Update]\u200b(command:workbench.action.quit) $\u200b(trash)';

test('shows a text without links in a notification, and passes its buttons on', async () => {
  assert.equal(await showInformationMessage(hostile, 'Undo', 'Open'), 'Open');
  const proceed = { title: 'Send' };
  assert.equal(
    await showWarningMessage(hostile, { modal: true, detail: hostile }, { title: 'Cancel' }, proceed),
    proceed,
  );
  await showErrorMessage(hostile);
  await showWarningMessage(hostile, { title: 'Only' });
  assert.deepEqual(calls.splice(0), [
    ['showInformationMessage', plain, {}, 'Undo', 'Open'],
    ['showWarningMessage', plain, { modal: true, detail: plain }, { title: 'Cancel' }, proceed],
    ['showErrorMessage', plain, {}],
    ['showWarningMessage', plain, {}, { title: 'Only' }],
  ]);
});

test('shows a text without links in the title of a progress notification', async () => {
  await withProgress({ location: 15, title: hostile, cancellable: true }, async () => undefined);
  const [[name, options] = []] = calls.splice(0);
  assert.deepEqual([name, options], ['withProgress', { location: 15, title: plain, cancellable: true }]);
});

test('shows the texts of an input box, including the problem with what was typed, without links', async () => {
  const asked = askText({
    title: hostile,
    prompt: () => hostile,
    placeholder: hostile,
    value: hostile,
    read: () => ({ ok: false, reason: hostile }),
    accept: async () => ({ done: undefined }),
  });
  const shown = FakePick.front ?? assert.fail();
  const label = hostile.replace('$(', '$\u200b(');
  assert.deepEqual([shown.title, shown.prompt, shown.placeholder, shown.value], [label, plain, label, hostile]);
  await shown.fire('Accept');
  assert.equal(shown.validationMessage, plain);
  shown.hide();
  assert.deepEqual(await asked, { status: 'cancelled' });
});

test('shows the texts of a quick pick without icons', async () => {
  const item = { label: '$(trash) a', description: '$(x)', detail: 'b\u202Ec', id: '$(trash) a' };
  const shown = { label: '$\u200b(trash) a', description: '$\u200b(x)', detail: 'b\\u{202e}c', id: '$(trash) a' };
  assert.deepEqual(plainItem(item), shown);
  await showQuickPick([item], 'Which $(trash)?');
  assert.deepEqual(calls.splice(0), [['showQuickPick', [shown], { title: 'Which $\u200b(trash)?' }]]);
});
