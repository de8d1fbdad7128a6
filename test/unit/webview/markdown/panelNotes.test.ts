import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { violations } from '../page/panelRules.ts';
import { snapshot, turn } from '../page/samples.ts';

const text =
  'See it[^1], again[^1] and [^2].\n\n> [!WARNING]\n> Press <kbd>F5</kbd>.\n\n<details>\n<summary>More</summary>\n\nHidden\n\n</details>\n\n[^1]: The first.';

panelTest('footnotes lead to their end and back, each in its own answer (maidr#696, linkcode#243)', async (panel) => {
  await panel.draw(snapshot([turn({ id: 'r1', text }), turn({ id: 'r2', text })]));
  const answer = panel.page.locator('.markdown').nth(1);
  const links = answer.locator('a.mark[href]');
  assert.deepEqual(await links.allTextContents(), ['1', '1', '1']);
  assert.match(await answer.innerText(), /and \[\^2\]\./);
  await links.nth(1).click();
  assert.equal(await links.nth(2).evaluate((one) => one === document.activeElement), true);
  await panel.page.keyboard.press('Enter');
  assert.equal(await links.first().evaluate((one) => one === document.activeElement), true);
  assert.deepEqual(await panel.posted('openLink'), []);
  await answer.locator('summary').click();
  assert.equal(await answer.getByText('Hidden').isVisible(), true);
  assert.deepEqual(await violations(panel.page), []);
});

panelTest('links with their addresses at the end of an answer lead there once it has ended', async (panel) => {
  const text =
    'See [the *docs*][1], [the API][API], [Notes], [1][2] and [3]. `[1]` [no [1]](https://no.example)\n\n' +
    '[1]: https://docs.example/a "Docs"\n[api]: https://api.example\n[notes]: <https://notes.example>\n[3]: src/a.ts';
  await panel.draw(snapshot([turn({ text })]));
  const links = await panel.page
    .locator('.markdown p:first-child a[href]')
    .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]));
  assert.deepEqual(links, [
    ['1', 'https://docs.example/a'],
    ['the API', 'https://api.example/'],
    ['Notes', 'https://notes.example/'],
    ['no [1]', 'https://no.example/'],
  ]);
  assert.match(
    await panel.page.locator('.markdown').innerText(),
    /and \[3\]\. \[1\].*\n+\[1\]: https.*"Docs"\n+\[api\]: /,
  );
});
