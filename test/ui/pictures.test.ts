import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import type { ConnectedWorkbench } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('pictures in answers', { timeout: 200_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');

  before(async () => {
    connected = await suite.connected({ folder });
  });

  it('shows the picture of an answer from its file, opens it in an editor, and shows it again after a reload', async () => {
    const { workbench, gateway, ask } = connected;
    gateway.setFault('picture');
    const panel = await ask('Draw a dot');
    const image = panel.locator('.answerPicture img');
    const isDrawn = () =>
      until(async () => assert.equal(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth), 1));
    await isDrawn();
    await workbench.screenshot('72-picture');
    await image.click();
    await workbench.page.locator('.tab.active', { hasText: '.png' }).waitFor();
    await workbench.reload();
    const again = await workbench.webview('Draw a dot');
    await until(async () =>
      assert.equal(
        await again.locator('.answerPicture img').evaluate((shown: HTMLImageElement) => shown.naturalWidth),
        1,
      ),
    );
    assert.equal(gateway.postCount(), 1);
  });
});
