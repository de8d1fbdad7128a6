import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn, update } from '../page/samples.ts';

const sources = [
  { url: 'https://docs.example.org/limits', title: 'Limits' },
  { url: 'https://blog.example.net/2026/limits' },
  { url: 'javascript:alert(1)', title: 'No address' },
];
const text =
  'Small [1], raised in May[2][1]. `a[1]` of [a list [2]](https://list.example), [3] and [4].\n\n```\nb[1]\n```';

panelTest('lists the sources of an answer at its end, and leads from their numbers to them', async (panel) => {
  const links = panel.page.locator('.markdown a[href]');
  await panel.send(snapshot([turn({ id: 'r1', state: 'streaming', text: '' })]));
  await panel.draw({ type: 'delta', replyId: 'r1', text, reasoning: '' });
  assert.equal(await links.count(), 1);
  await panel.draw(update({ id: 'r1', text, sources }));
  assert.deepEqual(await links.allInnerTexts(), [
    '[1]',
    '[2]',
    '[1]',
    'a list [2]',
    'Limits (docs.example.org)',
    'blog.example.net/2026/limits',
  ]);
  assert.equal(await links.first().getAttribute('title'), 'Limits\nhttps://docs.example.org/limits');
  assert.equal(await panel.page.locator('.sources').getAttribute('aria-label'), 'Sources');
  assert.deepEqual(await panel.page.locator('.sources > li').allInnerTexts(), [
    'Limits (docs.example.org)',
    'blog.example.net/2026/limits',
    'No address',
  ]);
  await panel.posted();
  await links.nth(1).focus();
  await panel.page.keyboard.press('Enter');
  await links.nth(4).click();
  const opened = await panel.posted('openLink');
  assert.deepEqual(opened, [
    { type: 'openLink', href: 'https://blog.example.net/2026/limits' },
    { type: 'openLink', href: 'https://docs.example.org/limits' },
  ]);
  await panel.draw(update({ id: 'r1', text, sources }));
  assert.equal(await links.count(), 6, 'an update changes nothing');
});

panelTest('lists the sources of an answer that is shown again', async (panel) => {
  const [first, ...others] = sources;
  // A part of the answer has another first source.
  const ambiguous = { url: first?.url ?? '', isAmbiguous: true as const };
  await panel.draw(snapshot([turn({ text: 'See [1] and [2].', sources: [ambiguous, ...others] })]));
  assert.equal(await panel.page.locator('.sources > li').count(), 3);
  assert.equal(await panel.page.locator('.markdown p a[href]').innerText(), '[2]');
});
