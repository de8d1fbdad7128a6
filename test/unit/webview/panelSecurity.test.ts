import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hostileTexts } from './hostileText.ts';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { news, reply, snapshot, turn } from './samples.ts';

after(closeBrowser);

const allowed =
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol li hr br em strong s code a div table thead tbody tr th td input pre span button svg path';
const attributes =
  'class dir href title start type disabled aria-label aria-hidden aria-pressed role tabindex viewBox d fill-rule';

test('text of a model never becomes markup, a request or a dangerous link', { skip: !hasBrowser }, async () => {
  const panel = await openPanel();
  const whole = hostileTexts.map((text, index) => turn({ id: `w${index}`, text, reasoning: text }));
  const streamed = hostileTexts.map((_, index) => turn({ id: `s${index}`, state: 'streaming' }));
  await panel.tell(snapshot([...whole, ...streamed]));
  for (let piece = 0; piece < 24; piece++) {
    await panel.tell(
      ...hostileTexts.flatMap((text, index) => {
        const size = Math.ceil(text.length / 24);
        const part = text.slice(piece * size, (piece + 1) * size);
        return part === '' ? [] : [{ type: 'delta' as const, replyId: `s${index}`, text: part, reasoning: '' }];
      }),
    );
    await panel.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  await panel.tell(...hostileTexts.map((text, index) => news({ id: `s${index}`, text })));
  await panel.tell(
    snapshot([
      ...whole,
      ...hostileTexts.map((text, index) =>
        turn(
          {
            id: `t${index}`,
            model: text,
            echoedModel: text,
            state: 'failed',
            footer: [text],
            trouble: {
              severity: 'error',
              title: text,
              remedy: text,
              words: text,
              facts: [text],
              actions: [{ action: 'copyReport', label: text }],
            },
          },
          { text, chips: [{ id: 'c', kind: 'selection', label: text, detail: text }] },
        ),
      ),
      ...streamed.map(({ id, question }, index) => ({
        id,
        question,
        reply: reply({ id: `s${index}`, text: hostileTexts[index] ?? '' }),
      })),
    ]),
  );
  await panel.page.locator('details').evaluateAll((all) => {
    for (const one of all) (one as HTMLDetailsElement).open = true;
  });
  await panel.settle();

  const found = await panel.page.evaluate(
    ([tags, names]) => {
      const inText = [...document.querySelectorAll('.markdown, .markdown *')];
      const everywhere = [...document.querySelectorAll('body *')];
      return {
        count: inText.length,
        foreign: inText.map((one) => one.localName).filter((name) => !tags.includes(name)),
        attributes: inText.flatMap((one) => one.getAttributeNames()).filter((name) => !names.includes(name)),
        handlers: everywhere
          .flatMap((one) => one.getAttributeNames())
          .filter((name) => /^on|^style$|^src|^action$/.test(name)),
        dangerous: everywhere
          .map((one) => one.localName)
          .filter((name) => /^(?:img|iframe|object|embed|video|audio|link|meta|base|style|animate|math)$/.test(name)),
        scripts: document.scripts.length,
        links: [...document.querySelectorAll('a')].map((link) => link.protocol),
        pwned: 'pwned' in window,
      };
    },
    [allowed.split(' '), attributes.split(' ')] as const,
  );
  assert.ok(found.count > 400);
  assert.deepEqual(found.foreign, []);
  assert.deepEqual(found.attributes, []);
  assert.deepEqual(
    found.handlers.filter((name) => name !== 'src'),
    [],
  );
  assert.deepEqual(found.dangerous, []);
  assert.equal(found.scripts, 1);
  assert.deepEqual(
    [...new Set(found.links)].filter((protocol) => !/^(?:https?|mailto):$/.test(protocol)),
    [],
  );
  assert.equal(found.pwned, false);
  assert.deepEqual(panel.requests, []);
  assert.deepEqual(panel.problems, []);

  const before = panel.page.url();
  for (const link of (await panel.page.locator('.reply > .markdown a').all()).slice(0, 40)) {
    await link.dispatchEvent('click');
  }
  const heard = await panel.heard();
  assert.ok(
    heard.filter((message) => message.type === 'openLink').every(({ href }) => /^(?:https?|mailto):/.test(href)),
  );
  assert.ok(heard.some((message) => message.type === 'openLink'));
  assert.equal(panel.page.url(), before);
  await panel.close();
});
