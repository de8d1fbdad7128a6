import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { type ConnectedWorkbench, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('answers that public reports are about', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let view: FrameLocator;

  /** Asks, with the stream of a report for an answer, and returns the reply when it has ended. */
  const ask = async (report: string): Promise<Locator> => {
    connected.gateway.setFault(`report:${report}`);
    const count = await view.locator('.turn').count();
    await typeQuestion(view, `What about ${report}?`);
    const reply = view.locator('.turn').nth(count).locator('.reply');
    await reply.locator('.facts', { hasText: / in ·|not reported/ }).waitFor();
    return reply;
  };
  const picture = (name: string) => connected.workbench.screenshot(`50-report-${name}`);

  before(async () => {
    connected = await suite.connected({ folder: suite.folder('workspace'), viewport: { width: 1200, height: 900 } });
    view = await connected.ask('What is a cart?');
  });

  it('open-webui#16377 shows all of a text with pauses after finish reasons, without a card', async () => {
    const reply = await ask('01-finish-reason-on-every-chunk');
    assert.equal(
      await reply.locator('.markdown').last().innerText(),
      'First half of the answer, second half, and the end.',
    );
    assert.equal(await reply.locator('.trouble').count(), 0);
    await picture('whole');
  });

  it('openclaw#14321 says that a part could not be read, and shows what came', async () => {
    const reply = await ask('02-unreadable-event');
    await reply.locator('.markdown', { hasText: 'The result is 42 metres.' }).waitFor();
    await reply.getByText("A part of this answer couldn't be read").waitFor();
    await picture('unread');
    await reply.getByRole('button', { name: 'Show Raw Data' }).click();
    await connected.workbench.page.locator('.monaco-editor .view-line', { hasText: 'kilo' }).first().waitFor();
    await picture('raw');
    await connected.workbench.runCommand('View: Revert and Close Editor');
    view = await connected.workbench.webview('What is a cart?');
  });

  it('gaia#3945 and Zoo-Code#324 tell reasoning from the answer', async () => {
    const reply = await ask('06-closing-think-tag-only');
    assert.equal(await reply.locator('.markdown').last().innerText(), 'Hi! What can I do?');
    await reply.locator('summary').click();
    await reply.locator('details', { hasText: 'The user greets me. I should answer briefly.' }).waitFor();
    const open = await ask('08-think-never-closed');
    await open.locator('.markdown', { hasText: 'Hello! How can I help you today?' }).waitFor();
    assert.equal(await open.locator('.trouble').count(), 0);
    await picture('reasoning');
  });

  it('LibreChat#9514 says that an answer is a picture, and not that it is empty', async () => {
    const reply = await ask('100a-image-only');
    await reply.locator('.note', { hasText: "This answer is a picture, which Ask Model can't show yet." }).waitFor();
    assert.equal(await reply.locator('.trouble').count(), 0);
    await picture('picture');
  });

  it('turnstone#1162 offers to continue at a limit, and ravendb#22997 shows a refusal after text', async () => {
    const reply = await ask('15-finish-reason-max_tokens');
    await reply.getByRole('button', { name: 'Continue' }).waitFor();
    await picture('limit');
    const refused = await ask('108a-refusal-after-text');
    await refused.locator('.markdown', { hasText: 'Sure,' }).waitFor();
    await refused.getByText("I can't help with that part.").waitFor();
    await picture('refusal');
    await connected.workbench.setTheme('light');
    await picture('refusal-light');
  });
});
