import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hostilePayloads } from './hostilePayloads.ts';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { conversation, news, reply, snapshot, turn } from './samples.ts';

after(closeBrowser);

const inText =
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol li hr br em strong s code a div table thead tbody tr th td input pre span button svg path';
const attributes =
  'class dir href title start type disabled aria-label aria-hidden aria-pressed data-does role tabindex viewBox d fill-rule';

/** Counts in the page whatever a script or a markup sink would leave behind. */
const watch = () => {
  const happened: string[] = [];
  Object.assign(window, { happened });
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    happened.push(`policy ${violatedDirective} ${blockedURI}`);
  });
  for (const name of [
    'alert',
    'confirm',
    'prompt',
    'open',
    'print',
    'fetch',
    'EventSource',
    'WebSocket',
    'XMLHttpRequest',
    'Image',
    'Function',
  ]) {
    const real = (window as unknown as Record<string, unknown>)[name];
    Object.defineProperty(window, name, {
      get: () => {
        happened.push(`window.${name}`);
        return real;
      },
    });
  }
  // The one program of the panel's own, which colours code.
  const { Worker } = window;
  let programs = 0;
  window.Worker = class extends Worker {
    constructor(address: string | URL) {
      super(address);
      programs += 1;
      if (programs > 1 || !String(address).startsWith('blob:')) {
        happened.push(`new Worker ${address}`);
      }
    }
  };
  const markup: (readonly [object, string])[] = [
    [Element.prototype, 'innerHTML'],
    [Element.prototype, 'outerHTML'],
    [ShadowRoot.prototype, 'innerHTML'],
    [HTMLIFrameElement.prototype, 'srcdoc'],
  ];
  for (const [prototype, name] of markup) {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    Object.defineProperty(prototype, name, { ...(get && { get }), set: () => happened.push(`set ${name}`) });
  }
  const calls: (readonly [object, string])[] = [
    [Element.prototype, 'insertAdjacentHTML'],
    [Element.prototype, 'setHTMLUnsafe'],
    [Document.prototype, 'write'],
    [Document.prototype, 'execCommand'],
    [DOMParser.prototype, 'parseFromString'],
    [Range.prototype, 'createContextualFragment'],
    [Navigator.prototype, 'sendBeacon'],
  ];
  for (const [prototype, name] of calls) {
    Object.defineProperty(prototype, name, { value: () => happened.push(`call ${name}`) });
  }
};

/** What there is in the page that text could have made. */
const inspect = ([tags, names]: readonly [readonly string[], readonly string[]]) => {
  const text = [...document.querySelectorAll('.markdown, .markdown *')];
  const everywhere = [...document.querySelectorAll('body, body *')];
  const unique = (all: readonly string[]) => [...new Set(all)].sort();
  return {
    elements: text.length,
    foreignInText: unique(text.map(({ localName }) => localName).filter((name) => !tags.includes(name))),
    attributesInText: unique(text.flatMap((one) => one.getAttributeNames()).filter((name) => !names.includes(name))),
    tags: unique(everywhere.map(({ localName }) => localName)),
    attributes: unique(everywhere.flatMap((one) => one.getAttributeNames())),
    ids: unique(everywhere.map(({ id }) => id)),
    classes: unique(everywhere.flatMap((one) => [...one.classList])).filter(
      (name) =>
        !/^(?:token|keyword|literal|number|string|comment|function|type|tag|property|meta|added|removed|heading|strong|emphasis|left|right|center)$/.test(
          name,
        ),
    ),
    styled: everywhere.filter((one) => one.hasAttribute('style')).length,
    types: unique([...document.querySelectorAll('.markdown input')].map((one) => one.getAttribute('type') ?? '')),
    links: [...document.querySelectorAll('a')].map(
      (link) => [link.getAttribute('href') ?? '', link.title, link.closest('.markdown') !== null] as const,
    ),
    undrawn: document.querySelectorAll('.folded').length,
    plain: document.querySelectorAll('.markdown.plain').length,
    scripts: document.scripts.length,
    pwned: 'pwned' in window || 'polluted' in {},
    prototype: Object.getOwnPropertyNames(Object.prototype).length,
    happened: (window as unknown as { happened: string[] }).happened,
  };
};

const limits = [inText.split(' '), attributes.split(' ')] as const;

/** Everything a gateway, a workspace or a person has a say in, with `text` in its place. */
const filled = (text: string, id: string) =>
  turn(
    {
      id,
      model: text,
      echoedModel: text,
      state: 'streaming',
      footer: [text, text],
      requestId: text,
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
  );

/** All of a family, but a third of the large ones, which are combinations; all of those with `ASK_MODEL_ALL`. */
const chosen = (payloads: readonly string[]) =>
  payloads.length < 150 || process.env.ASK_MODEL_ALL !== undefined
    ? payloads
    : payloads.filter((_, at) => at % 3 === 0);

async function attack(panel: PanelPage, texts: readonly string[]): Promise<void> {
  const id = (index: number) => `r${index}`;
  const chips = texts
    .slice(0, 20)
    .map((label, index) => ({ id: `k${index}`, kind: 'selection' as const, label, detail: label }));
  await panel.tell({
    ...snapshot(
      texts.map((text, index) => filled(text, id(index))),
      { model: texts[0] ?? '', host: texts[1] ?? '', draft: texts[2] ?? '', chips },
    ),
    title: texts[3] ?? '',
  } as ReturnType<typeof snapshot>);
  const steps = 6;
  for (let step = 0; step < steps; step++) {
    await panel.tell(
      ...texts.map((text, index) => {
        // Each is cut in other places, some in no place at all.
        const count = 1 + (index % steps);
        const size = Math.ceil(text.length / count);
        const part = text.slice(step * size, (step + 1) * size);
        return { type: 'delta' as const, replyId: id(index), text: part, reasoning: part };
      }),
    );
    if (step === 1) {
      await panel.page.locator('details').evaluateAll((all) => {
        for (const one of all) {
          (one as HTMLDetailsElement).open = true;
        }
      });
    }
    await panel.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  await panel.tell(
    ...texts.map((text, index) => {
      const { reply: made } = filled(text, id(index));
      return news({ ...made, text, reasoning: text, state: 'complete' });
    }),
    { type: 'notSent', sendId: 's', reason: texts[4] ?? '' },
  );
  await panel.settle();
}

test('nothing a hostile reply, model name, file name or error can say runs, loads or becomes an element', {
  skip: !hasBrowser,
  timeout: 120_000,
}, async (t) => {
  const texts = [...hostilePayloads.values()].flatMap(chosen);
  for (const [family, payloads] of hostilePayloads) {
    t.diagnostic(`${family}: ${payloads.length}`);
  }
  assert.equal(new Set(texts).size >= 500, true);
  assert.equal(hostilePayloads.size, 16);

  const panel = await openPanel();
  await panel.page.evaluate(watch);
  await panel.tell(conversation());
  await panel.settle();
  const harmless = await panel.page.evaluate(inspect, limits);
  assert.deepEqual(harmless.happened, []);
  const address = panel.page.url();

  const seen = { links: 0, opened: 0 };
  for (let from = 0; from < texts.length; from += 300) {
    const batch = texts.slice(from, from + 300);
    await attack(panel, batch);
    const found = await panel.page.evaluate(inspect, limits);
    assert.ok(found.elements > 3 * batch.length, `${found.elements} elements`);
    const { elements: _, links, tags, attributes, classes, types, ...others } = found;
    const beyond = (all: readonly string[], ...known: (readonly string[])[]) =>
      all.filter((name) => !known.some((names) => names.includes(name)));
    assert.deepEqual(others, {
      foreignInText: [],
      attributesInText: [],
      ids: harmless.ids,
      styled: 0,
      undrawn: 0,
      plain: 0,
      scripts: 1,
      pwned: false,
      prototype: harmless.prototype,
      happened: [],
    });
    assert.deepEqual(beyond(tags, harmless.tags, limits[0]), []);
    assert.deepEqual(beyond(attributes, harmless.attributes, limits[1], ['open']), []);
    assert.deepEqual(beyond(classes, harmless.classes, ['skippable', 'hasNews']), []);
    assert.deepEqual(beyond(types, ['checkbox']), []);
    for (const [href, title, isInText] of links) {
      assert.ok(isInText);
      assert.match(href, /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/);
      assert.equal(title, href, 'what the person sees is what would open');
    }
    await panel.heard();
    await panel.page.evaluate(() => {
      for (const link of document.querySelectorAll('a')) {
        link.click();
        link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
      }
    });
    const opened = (await panel.heard()).filter((message) => message.type === 'openLink').map(({ href }) => href);
    assert.deepEqual(
      opened,
      links.flatMap(([href]) => [href, href]),
    );
    seen.links += links.length;
    seen.opened += opened.length;
  }
  assert.ok(seen.links > 500, `${seen.links} links were looked at`);
  assert.equal(panel.page.url(), address);
  assert.deepEqual(panel.requests, []);
  assert.deepEqual(panel.problems, []);
  await panel.close();
});

test('what is copied and what is in the text are the same words, however hostile', {
  skip: !hasBrowser,
  timeout: 60_000,
}, async () => {
  const panel = await openPanel();
  const texts = [...hostilePayloads.values()].flatMap((payloads) => payloads.filter((_, index) => index % 12 === 0));
  await panel.tell(
    snapshot(texts.map((text, index) => ({ ...turn({ id: `r${index}` }), reply: reply({ id: `r${index}`, text }) }))),
  );
  // A long conversation comes a few turns in each frame.
  await panel.settle();
  await panel.page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Copy Answer"]')) {
      button.click();
    }
  });
  const copied = (await panel.heard()).filter((message) => message.type === 'copy').map(({ text }) => text);
  assert.deepEqual(copied, texts);
  await panel.close();
});
