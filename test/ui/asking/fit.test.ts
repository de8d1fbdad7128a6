import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { type ConnectedWorkbench, finishedFacts } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const long = 'Why does the cart round the amount of each line? '.repeat(220);

describe('a question that does not fit into the context window', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;
  let view: FrameLocator;

  const lastMessages = (): { role: string; content: string }[] => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    return JSON.parse(request?.body ?? assert.fail('nothing was sent')).messages;
  };
  const estimate = () => view.locator('.estimate');
  const listTitle = () => connected.workbench.page.locator('.quick-input-widget:visible .quick-input-title');
  const box = () => view.locator('textarea');
  const ok = () =>
    connected.workbench.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK', exact: true });
  const openList = async () => {
    await pressEnter(box());
    await listTitle().filter({ hasText: 'Choose What to Send: ≈' }).waitFor();
  };

  before(async () => {
    const lines = Array.from({ length: 2_310 }, (_, index) => `export const value${index} = round(${index} * 1.19);\n`);
    writeFileSync(join(folder, 'cart.ts'), lines.join(''));
    connected = await suite.connected({ folder, gateway: { contextTokens: 8_192 } });
  });

  it('says when a question does not fit, sends with one call what is checked, and says what was left out', async () => {
    const { workbench, gateway } = connected;
    view = await connected.ask('What is a cart?');
    await box().fill('And?');
    await estimate().filter({ hasText: '% of 8K' }).waitFor();
    await workbench.screenshot('49-fit-share');
    await box().fill(`First: ${long}`);
    await pressEnter(box());
    await until(() => assert.equal(connected.gateway.postCount(), 2));
    await finishedFacts(view).waitFor();
    await box().pressSequentially('#cart.ts');
    await view.getByRole('option').filter({ hasText: 'cart.ts' }).first().waitFor();
    await box().press('Tab');
    await view.locator('.composer li.chip', { hasText: 'cart.ts' }).waitFor();
    await box().fill('Is the rounding right?');
    await estimate().filter({ hasText: "doesn't fit" }).waitFor();
    await openList();
    await workbench.screenshot('49-fit-list');
    await workbench.page.keyboard.press('Escape');
    await view.getByRole('alert').filter({ hasText: 'Nothing was sent.' }).waitFor();
    assert.equal(await box().inputValue(), 'Is the rounding right?');
    assert.equal(gateway.postCount(), 2);
    await openList();
    const rows = workbench.quickPicks;
    const first = rows.filter({ hasText: 'First: Why does the cart' });
    const title = await listTitle().innerText();
    assert.doesNotMatch(title, /doesn't fit/);
    await first.click();
    await until(async () => assert.notEqual(await listTitle().innerText(), title));
    await workbench.screenshot('49-fit-list-changed');
    if ((await listTitle().innerText()).includes("doesn't fit")) {
      await first.click();
    }
    await ok().click();
    await finishedFacts(view).waitFor();
    await until(() => assert.equal(gateway.postCount(), 3));
    const sent = lastMessages().at(-1)?.content ?? '';
    const last = /^Is the rounding right\?\n\nFrom `cart\.ts`, lines 1–(\d+) of 2310:/.exec(sent)?.[1];
    assert.ok(last !== undefined, sent.slice(0, 200));
    const said = view.locator('.reply').last().locator('.note');
    await said.filter({ hasText: /^Left out: .*cart\.ts except lines 1–/ }).waitFor();
    await view.locator('.question .chip', { hasText: `lines 1–${last} of 2310` }).waitFor();
    await workbench.screenshot('49-fit-left-out');
  });
});
