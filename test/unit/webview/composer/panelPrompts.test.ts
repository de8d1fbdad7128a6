import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundView, PanelMessage } from '../../../../src/protocol/protocol.ts';
import { hasBrowser, openPanel, type PanelPage, panelTest } from '../page/panelPage.ts';
import { snapshot } from '../page/samples.ts';

const options = { skip: !hasBrowser };

const list = ({ page }: PanelPage) => page.getByRole('listbox', { name: 'Prompts' });
const textsSent = (posted: readonly PanelMessage[]) =>
  posted.flatMap((message) => (message.type === 'send' ? [message.text] : []));
const chosen = (posted: readonly PanelMessage[]) =>
  posted.flatMap((message) => (message.type === 'addFound' ? [message.id] : []));
const lastRequest = (posted: readonly PanelMessage[]) =>
  posted.flatMap((message) => (message.type === 'findPrompts' ? [message.request] : [])).at(-1) ?? 0;

const fix = { id: 'prompt:fix', kind: 'prompt', label: '/fix', detail: 'Find and fix what is wrong' } as const;
const rows: readonly FoundView[] = [
  { id: 'prompt:explain', kind: 'prompt', label: '/explain', detail: 'Explain the selected code' },
  fix,
];

/** Types `/fix`, and chooses it. */
async function chooseFix(panel: PanelPage): Promise<void> {
  await panel.box.pressSequentially('/fix');
  await panel.send({ type: 'found', request: lastRequest(await panel.posted()), rows: [fix] });
  await panel.box.press('Enter');
  assert.deepEqual(chosen(await panel.posted()), ['prompt:fix']);
}

panelTest('opens a list of prompts after / at the start of the box, and nowhere else', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('/fi');
  const finds = await panel.posted('findPrompts');
  assert.deepEqual(
    finds.map((message) => message.type === 'findPrompts' && message.query),
    ['', 'f', 'fi'],
  );
  await panel.send({ type: 'found', request: lastRequest(finds), rows });
  assert.deepEqual(await list(panel).getByRole('option').allInnerTexts(), [
    '/explain\nExplain the selected code',
    '/fix\nFind and fix what is wrong',
  ]);
  await panel.box.fill('');
  for (const text of [' /fix', 'Why /fix', '\n/fix', '/usr/bin/env fails']) {
    await panel.box.fill(text);
    const posted = await panel.posted();
    assert.ok(
      posted.every(({ type }) => type !== 'findPrompts' && type !== 'findContext'),
      text,
    );
  }
});

panelTest('puts the text of a prompt into the box instead of its name, as one step of undo', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.fill(' Only the rounding.');
  await panel.box.press('ControlOrMeta+Home');
  await chooseFix(panel);
  assert.equal(await panel.box.inputValue(), '/fix Only the rounding.');
  await panel.send({ type: 'prompt', id: fix.id, text: 'Find what is wrong.\nThen see #x' });
  assert.equal(await panel.box.inputValue(), 'Find what is wrong.\nThen see #x Only the rounding.');
  assert.equal(await panel.page.getByRole('option').count(), 0);
  await panel.send({ type: 'notAdded', reason: 'No code is selected.', isNote: true });
  const note = panel.page.getByRole('alert').filter({ hasText: 'No code is selected.' });
  const colour = () => note.evaluate((each) => getComputedStyle(each).color);
  const ofNote = await colour();
  await panel.send({ type: 'notAdded', reason: 'No code is selected. cart.ts no longer exists.' });
  assert.notEqual(await colour(), ofNote, 'a note does not look like an error');
  await panel.box.press('ControlOrMeta+z');
  assert.equal(await panel.box.inputValue(), '/fix Only the rounding.');
});

panelTest('does not send the name of a prompt when Enter comes before the host has answered', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('/fix');
  await panel.box.press('Enter');
  const request = lastRequest(await panel.posted());
  await panel.send({ type: 'found', request, rows: [fix] });
  await panel.box.press('Enter');
  await panel.page.getByRole('button', { name: 'Send' }).click();
  const waiting = await panel.posted();
  assert.deepEqual([chosen(waiting), textsSent(waiting)], [['prompt:fix'], []]);
  await panel.stopTime();
  await panel.send({ type: 'prompt', id: fix.id, text: 'Fix it.' });
  await panel.box.press('Enter');
  assert.deepEqual(textsSent(await panel.posted()), [], 'this Enter was pressed before the text could be read');
});

panelTest('opens the list again when the focus returns, so that Enter does not send the name', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('/fix');
  await panel.box.blur();
  await panel.posted();
  await panel.send({ type: 'focus' });
  const request = lastRequest(await panel.posted());
  await panel.box.press('Enter');
  await panel.send({ type: 'found', request, rows: [fix] });
  const posted = await panel.posted();
  assert.deepEqual([chosen(posted), textsSent(posted)], [['prompt:fix'], []]);
});

panelTest('sends what is shown after the text of a prompt has come', async (panel) => {
  await panel.send(snapshot([]));
  await chooseFix(panel);
  await panel.send({ type: 'prompt', id: fix.id, text: 'Fix /it @now' });
  await panel.box.press('!');
  await panel.box.press('Enter');
  assert.deepEqual(textsSent(await panel.posted()), ['Fix /it @now!']);
});

panelTest('leaves the box as it is when the person cancels, and opens the list again', async (panel) => {
  await panel.send(snapshot([]));
  await chooseFix(panel);
  await panel.send({ type: 'prompt', id: fix.id });
  assert.equal(await panel.box.inputValue(), '/fix');
  const again = lastRequest(await panel.posted());
  assert.ok(again > 0);
  await panel.send({ type: 'found', request: again, rows: [fix] });
  await list(panel).getByRole('option').click();
  assert.deepEqual(chosen(await panel.posted()), ['prompt:fix']);
});

panelTest('drops the text of a prompt when something else was typed meanwhile', async (panel) => {
  await panel.send(snapshot([]));
  await chooseFix(panel);
  await panel.box.press('e');
  await panel.send({ type: 'prompt', id: fix.id, text: 'Fix it.' });
  assert.equal(await panel.box.inputValue(), '/fixe');
  await panel.box.fill('Why?');
  await panel.box.press('Enter');
  assert.deepEqual(textsSent(await panel.posted()), ['Why?']);
});

panelTest('takes a click on a row of an earlier list while the next one is on its way', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.pressSequentially('/');
  await panel.send({ type: 'found', request: lastRequest(await panel.posted()), rows });
  await panel.box.press('f');
  await list(panel).getByRole('option').nth(1).click();
  await panel.send({ type: 'prompt', id: fix.id, text: 'Fix it.' });
  assert.equal(await panel.box.inputValue(), 'Fix it.');
});

test('puts the longest texts into the box without a noticeable delay', { ...options, timeout: 20_000 }, async () => {
  for (const text of ['A line of the prompt.\n'.repeat(4_500), 'A word '.repeat(14_000), 'One line.\n'.repeat(290)]) {
    const panel = await openPanel();
    await panel.send(snapshot([]));
    await chooseFix(panel);
    await panel.posted();
    await panel.send({ type: 'prompt', id: fix.id, text });
    assert.equal(await panel.box.inputValue(), text);
    const saved = async () => (await panel.nextPosted()).find(({ type }) => type === 'draft');
    assert.deepEqual(await saved(), { type: 'draft', text });
    await panel.close();
  }
});

test('sends a text that begins with / but names no prompt as it was typed', options, async () => {
  for (const text of ['/usr/bin/env fails', '/nothing', '/usr/bin/env']) {
    const panel = await openPanel();
    await panel.send(snapshot([]));
    await panel.box.pressSequentially(text);
    await panel.box.press('Enter');
    const posted = await panel.posted();
    await panel.send({ type: 'found', request: lastRequest(posted), rows: [] });
    assert.deepEqual(textsSent([...posted, ...(await panel.posted())]), [text]);
    await panel.close();
  }
});
