import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { type ConnectedWorkbench, finishedFacts } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('a panel, from its first frame to the second click', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');

  before(async () => {
    writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n\nexport const b = 2;\n');
    connected = await suite.connected({ folder });
    const script = await connected.workbench.page.addInitScript(() => {
      /** Whether an empty conversation was to be seen in any frame of this page. */
      const seen = { frames: 0, empty: 0 };
      Object.assign(window, { seen });
      const look = () => {
        const hint = document.querySelector('.hint');
        if (document.querySelector('.composer') !== null) {
          seen.frames++;
        }
        if (hint?.checkVisibility() === true) {
          seen.empty++;
        }
      };
      // What a page plans for its next frame is forgotten when VS Code writes the panel into it.
      setInterval(() => requestAnimationFrame(look), 4);
    });
    suite.ends(() => script.dispose());
  });

  it('never shows an empty conversation while its first answer is arriving', async () => {
    const { gateway, workbench, ask } = connected;
    gateway.setDelayMs(20);
    for (const question of ['What is one?', 'What is two?', 'What is three?']) {
      const panel = await ask(question);
      const seen = await panel.locator('body').evaluate(() => (window as unknown as { seen: unknown }).seen);
      const { frames, empty } = seen as { frames: number; empty: number };
      assert.ok(frames > 0);
      assert.equal(empty, 0, `in ${empty} of ${frames} frames`);
    }
    gateway.setDelayMs(0);
    await workbench.screenshot('90-first-answer');
  });

  it('takes what is typed after it was opened, and each time it comes to the front', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    const box = async () => (await workbench.webview()).locator('textarea');
    await page.keyboard.type('Typed at once');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once'));
    await workbench.openFile('a.ts');
    await workbench.runCommand('View: Focus Next Editor Group');
    await page.keyboard.type(' and later');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once and later'));
    await (await box()).fill('');
  });

  it('leaves the focus in the editor when a selection is explained', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.openFile('a.ts');
    await workbench.selectLines(1, 1);
    await workbench.runCommand('Ask Model: Explain Selection');
    const tab = page.locator('.tab', { hasText: 'Explain' }).first();
    await tab.waitFor();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    const panel = await (async () => {
      const place = page.locator('iframe.webview.ready').last();
      return place.contentFrame().locator('iframe#active-frame').contentFrame();
    })();
    await finishedFacts(panel).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('x');
    await until(async () => {
      const text = await page.locator('.editor-instance .view-line').first().innerText();
      assert.equal(text.replaceAll('\u00a0', ' '), 'export const a = 1;x');
    });
    await page.keyboard.press('Control+Z');
    await workbench.screenshot('91-explained');
  });

  for (const [name, fault] of [
    ['Ask again', undefined],
    ['Send again', 'cut-mid-stream@chat'],
  ] as const) {
    it(`pays once for a double click on ${name}, however quick the reply`, async () => {
      const { gateway, workbench, ask } = connected;
      const { page } = workbench;
      gateway.setFault(fault);
      const panel = await ask(`When is it quick to ${name}?`);
      const before = gateway.postCount();
      for (const [index, apartMs] of [100, 200, 300].entries()) {
        const button = panel.getByRole('button', { name }).and(panel.locator(':not([aria-disabled])')).first();
        await button.waitFor();
        const at = await button.boundingBox();
        assert.ok(at);
        await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
        await page.mouse.down({ clickCount: 1 });
        await page.mouse.up({ clickCount: 1 });
        // As far apart as the two clicks of a person, whatever has come meanwhile.
        await page.waitForTimeout(apartMs);
        await page.mouse.down({ clickCount: 2 });
        await page.mouse.up({ clickCount: 2 });
        await panel.getByRole('group', { name: `Answer ${index + 2} of ${index + 2}` }).waitFor();
        await button.waitFor();
        await gateway.settled();
        assert.equal(gateway.postCount() - before, index + 1, `clicks ${apartMs} ms apart`);
      }
      await workbench.screenshot(`92-${name.replace(' ', '-')}`);
      gateway.setFault(undefined);
    });
  }
});
