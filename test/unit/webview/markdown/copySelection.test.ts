import assert from 'node:assert/strict';
import { type PanelPage, panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

/** What is copied of a selection from a text, or its second letter, to the end of another. */
async function copied(panel: PanelPage, from: string, to: string, letter = 0): Promise<readonly string[]> {
  await panel.page.locator('.markdown').evaluate(
    (answer, [from, to, letter]) => {
      const texts = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (text.textContent === from) {
          range.setStart(text, letter);
        }
        if (text.textContent === to) {
          range.setEnd(text, to.length);
        }
      }
      document.getSelection()?.removeAllRanges();
      document.getSelection()?.addRange(range);
    },
    [from, to, letter] as const,
  );
  return copiedNow(panel);
}

/** What is copied as text, without blank lines, and as HTML; both are empty if that is left to the browser. */
const copiedNow = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const data = new DataTransfer();
    document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, cancelable: true }));
    return [data.getData('text/plain').replaceAll(/\n+/g, '\n'), data.getData('text/html')];
  });

panelTest(
  'copies lists with their bullets and numbers, and code without its header (Mintplex-Labs/anything-llm#3782, getpaseo/paseo#2667)',
  async (panel) => {
    const boxes = '- [x] done\n- [ ] open';
    const items = `- one\n- two\n   - inner\n\n3. third\n\n   more\n4. fourth\n\n${boxes}`;
    await panel.draw(snapshot([turn({ text: `Intro\n\n${items}\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\nEnd` })]));
    const before = await panel.page.locator('.markdown').innerHTML();
    const [text, html = ''] = await copied(panel, 'Intro', 'End');
    assert.equal(
      text,
      'Intro\n- one\n- two\n   - inner\n3. third\nmore\n4. fourth\n- [x] done\n- [ ] open\nconst a = 1;\nEnd',
    );
    assert.match(html, /^<p>Intro<\/p><ul><li>one<\/li><li>two<ul><li>inner<\/li>.*<pre>.*<p>End<\/p>$/s);
    assert.doesNotMatch(html, /class|style|TypeScript|button/);
    assert.deepEqual(await copied(panel, 'one', 'inner'), [
      '- one\n- two\n   - inner',
      '<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul>',
    ]);
    assert.equal((await copied(panel, 'one', 'two', 1))[0], 'ne\n- two', 'from the middle of an item');
    assert.equal((await copied(panel, 'one', 'one'))[0], 'one', 'inside one item');
    await panel.page.getByText('one', { exact: true }).click({ clickCount: 3 });
    assert.equal((await copiedNow(panel))[0]?.trim(), 'one', 'an item that was clicked three times');
    assert.equal((await copied(panel, 'fourth', ' open'))[0], `4. fourth\n${boxes}`);
    assert.deepEqual(await copied(panel, 'Intro', 'Intro'), ['', ''], 'left to the browser');
    assert.equal(await panel.page.locator('.markdown').innerHTML(), before);
    await panel.page.evaluate(() => document.getSelection()?.selectAllChildren(document.body));
    const [everything = '', hidden] = await copiedNow(panel);
    assert.match(everything, /\nIntro\n- one\n/);
    assert.equal(hidden, '', 'no HTML with what the panel hides');
    await panel.page.getByText('one', { exact: true }).click();
    const isLeft = await panel.page.evaluate(() =>
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: new DataTransfer(), cancelable: true })),
    );
    assert.ok(isLeft, 'without a selection, what was copied before stays');
  },
);

panelTest('copies the lines of a paragraph, and of code in a list, as lines', async (panel) => {
  const text = 'Time\nSpace\n\n- Run:\n\n  ```\n  cd a\n  ls\n  ```\n\n- End';
  await panel.draw(snapshot([turn({ text })]));
  const [, html = ''] = await copied(panel, 'Time\nSpace', 'Run:');
  assert.match(html, /^<p>Time<br>Space<\/p><ul>/);
  await panel.page.locator('.markdown pre code').selectText();
  const [, code = ''] = await copiedNow(panel);
  assert.match(code.replaceAll(/<\/?span>/g, ''), /^<pre>cd a\nls\n?<\/pre>$/);
});
