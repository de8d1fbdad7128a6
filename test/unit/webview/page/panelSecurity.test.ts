import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byCases } from '../../propertyRuns.ts';
import { hostilePayloads } from './hostilePayloads.ts';
import { hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { conversation, reply, snapshot, turn, update } from './samples.ts';

const inText =
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol li hr br em strong s kbd sub sup mark details summary code a div table thead tbody tr th td input pre span button svg path';
const attributes =
  'class dir href title start type disabled aria-label aria-hidden aria-expanded aria-pressed data-does data-vscode-context role tabindex viewBox d fill-rule';

/** Records in the page everything that a script or a markup sink would do. */
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
  // The panel's own worker, which highlights code, is allowed, and so is starting it again after it took too long.
  const { Worker } = window;
  let allowed: string | undefined;
  window.Worker = class extends Worker {
    constructor(address: string | URL) {
      super(address);
      allowed ??= String(address);
      if (String(address) !== allowed || !allowed.startsWith('blob:')) {
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
    Object.defineProperty(prototype, name, { get, set: () => happened.push(`set ${name}`) });
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

/** Collects everything in the page that text could have created. */
const inspect = ([tags = [], names = [], formulaNames = []]: readonly (readonly string[])[]) => {
  const text = [...document.querySelectorAll('.markdown, .markdown :not(math, math *)')];
  const everywhere = [...document.querySelectorAll('body, body :not(math, math *)')];
  const drawn = [...document.querySelectorAll('math, math *')];
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
    // Without an address, a link leads nowhere.
    links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]:not([href="#"])')].map(
      (link) => [link.getAttribute('href') ?? '', link.title, link.closest('.markdown') !== null] as const,
    ),
    foreignInFormulas: unique(drawn.flatMap((one) => [one.namespaceURI ?? '', ...one.getAttributeNames()])).filter(
      (name) => !formulaNames.includes(name),
    ),
    undrawn: document.querySelectorAll('.folded').length,
    plain: document.querySelectorAll('.markdown.plain').length,
    scripts: document.scripts.length,
    pwned: 'pwned' in window || 'polluted' in {},
    prototype: Object.getOwnPropertyNames(Object.prototype).length,
    happened: (window as unknown as { happened: string[] }).happened,
  };
};

const inFormulas =
  'http://www.w3.org/1998/Math/MathML class style display stretchy fence form lspace rspace separator largeop movablelimits mathvariant width height depth voffset mathbackground displaystyle scriptlevel columnalign rowspacing columnspacing linethickness symmetric minsize maxsize accent accentunder prefix notation';

const limits = [inText.split(' '), attributes.split(' '), inFormulas.split(' ')] as const;

/** A turn with `text` in every field that a gateway, a workspace or a person can control. */
const filled = (text: string, id: string) =>
  turn(
    {
      id,
      model: text,
      echoedModel: text,
      state: 'streaming',
      footer: [text, text],
      details: [text],
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

/** All payloads of a family, or a part of a large one, which consists of combinations; in `npm test` less. */
const chosen = (payloads: readonly string[]) => {
  const step = payloads.length < 150 ? byCases(2, 1, 1) : byCases(18, 6, 1);
  return payloads.filter((_, at) => at % step === 0);
};

async function attack(panel: PanelPage, texts: readonly string[]): Promise<void> {
  const id = (index: number) => `r${index}`;
  const chips = texts
    .slice(0, 20)
    .map((label, index) => ({ id: `k${index}`, kind: 'selection' as const, label, detail: label }));
  await panel.send({
    ...snapshot(
      texts.map((text, index) => filled(text, id(index))),
      {
        model: texts[0] ?? '',
        host: texts[1] ?? '',
        draft: texts[2] ?? '',
        chips,
        calls: { text: texts[5] ?? '', hint: texts[6] ?? '' },
      },
    ),
    title: texts[3] ?? '',
  } as ReturnType<typeof snapshot>);
  const steps = 6;
  for (let step = 0; step < steps; step++) {
    await panel.send(
      ...texts.map((text, index) => {
        // Each text is cut at different places, and some are not cut at all.
        const count = 1 + (index % steps);
        const size = Math.ceil(text.length / count);
        const part = text.slice(step * size, (step + 1) * size);
        return { type: 'delta' as const, replyId: id(index), text: part, reasoning: part };
      }),
    );
    if (step === 1) {
      await panel.page.locator('details:not(.markdown *)').evaluateAll((all) => {
        for (const one of all) {
          (one as HTMLDetailsElement).open = true;
        }
      });
    }
    await panel.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  }
  await panel.draw(
    ...texts.map((text, index) => {
      const { reply: made } = filled(text, id(index));
      return update({ ...made, text, reasoning: text, state: 'complete' });
    }),
    { type: 'notSent', sendId: 's', reason: texts[4] ?? '' },
  );
}

test('a hostile reply, model name, file name or error never runs, loads or creates anything', {
  skip: !hasBrowser,
  timeout: 120_000,
}, async (t) => {
  const texts = [...hostilePayloads.values()].flatMap(chosen);
  for (const [family, payloads] of hostilePayloads) {
    t.diagnostic(`${family}: ${payloads.length}`);
  }
  assert.ok(new Set(texts).size >= byCases(200, 300, 300));
  assert.equal(hostilePayloads.size, 17);

  const panel = await openPanel();
  await panel.page.evaluate(watch);
  await panel.draw(conversation());
  const harmless = await panel.page.evaluate(inspect, limits);
  assert.deepEqual(harmless.happened, []);
  const address = panel.page.url();

  const totals = { links: 0, opened: 0 };
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
      foreignInFormulas: [],
      undrawn: 0,
      plain: 0,
      scripts: 1,
      pwned: false,
      prototype: harmless.prototype,
      happened: [],
    });
    assert.deepEqual(beyond(tags, harmless.tags, limits[0]), []);
    // The attack opens the reasoning and the details of each answer.
    assert.deepEqual(beyond(attributes, harmless.attributes, limits[1], ['open']), []);
    assert.deepEqual(
      beyond(classes, harmless.classes, [
        'skippable',
        'hasNewText',
        'footnote',
        'mark',
        'formula',
        'displayed',
        'drawn',
        'source',
        'callout',
        'kind',
        'info',
        'lightbulb',
      ]),
      [],
    );
    assert.deepEqual(beyond(types, ['checkbox']), []);
    for (const [href, title, isInText] of links) {
      assert.ok(isInText);
      assert.match(href, /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/);
      assert.equal(title?.split('\n')[0], href, 'the address that is shown first is the one that opens');
    }
    await panel.posted();
    await panel.page.evaluate(() => {
      for (const link of document.querySelectorAll('a')) {
        link.click();
        link.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
      }
    });
    const opened = (await panel.posted('openLink')).map(({ href }) => href);
    assert.deepEqual(
      opened,
      links.flatMap(([href]) => [href, href]),
    );
    totals.links += links.length;
    totals.opened += opened.length;
  }
  assert.ok(totals.links > byCases(150, 250, 250), `${totals.links} links were checked`);
  assert.equal(panel.page.url(), address);
  assert.deepEqual(panel.requests, []);
  assert.deepEqual(panel.problems, []);
  await panel.close();
});

test('copies exactly the text of an answer, however hostile it is', {
  skip: !hasBrowser,
  timeout: 60_000,
}, async () => {
  const panel = await openPanel();
  const texts = [...hostilePayloads.values()].flatMap((payloads) => payloads.filter((_, index) => index % 12 === 0));
  await panel.send(
    snapshot(texts.map((text, index) => ({ ...turn({ id: `r${index}` }), reply: reply({ id: `r${index}`, text }) }))),
  );
  // A long conversation is built a few turns per frame.
  await panel.settle();
  await panel.page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('[aria-label="Copy Answer"]')) {
      button.click();
    }
  });
  const copied = (await panel.posted('copy')).map(({ text }) => text);
  assert.deepEqual(copied, texts);
  await panel.close();
});
