import assert from 'node:assert/strict';
import themes from '../../../fixtures/themes.json' with { type: 'json' };
import { byCases } from '../../propertyRuns.ts';
import { type PanelPage, panelTest } from './panelPage.ts';
import { colourRules, sidewaysScrollers, violations } from './panelRules.ts';
import { leadTo, panelStates } from './panelStates.ts';
import { conversation } from './samples.ts';

/** Usually all states in light, and a fourth of them in each other theme, which differs only in colours; or an eighth. */
const statesIn = (theme: keyof typeof themes) =>
  Object.entries(panelStates).filter(
    (_, index) =>
      byCases(false, theme === 'light', true) || index % byCases(8, 4, 4) === Object.keys(themes).indexOf(theme),
  );

for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
  panelTest(
    `has no accessibility violation in any state, and only code scrolls sideways: ${theme}`,
    { theme, width: 320 },
    async (panel) => {
      for (const [name, state] of statesIn(theme)) {
        await leadTo(panel, state);
        assert.deepEqual(await violations(panel.page, theme === 'light' ? undefined : colourRules), [], name);
        assert.deepEqual(await sidewaysScrollers(panel.page), [], name);
      }
    },
  );
}

panelTest(
  "has the font of VS Code's own chat, in which only code scrolls sideways (openai/codex#14738, anthropics/claude-code#11651)",
  { width: 320 },
  async (panel) => {
    const fonts = () =>
      panel.page.evaluate(() =>
        ['.question .text', '.markdown p', 'textarea'].map((part) => {
          const { fontSize, fontFamily, lineHeight } = getComputedStyle(document.querySelector(part) ?? document.body);
          return `${fontSize} ${lineHeight} ${fontFamily.split(',', 1).join()}`;
        }),
      );
    await panel.draw({ type: 'font', size: 24, family: 'serif' }, conversation());
    assert.deepEqual(await fonts(), Array<string>(3).fill('24px 36px serif'));
    assert.deepEqual(await sidewaysScrollers(panel.page), []);
    await panel.draw({ type: 'font', size: 13 });
    assert.deepEqual(await fonts(), Array<string>(3).fill('13px 20px system-ui'));
  },
);

const options = { theme: 'dark', width: 500 } as const;

panelTest(
  'every control in every state is reachable by keyboard, has a name and shows its focus',
  options,
  async (panel) => {
    await recordFocus(panel);
    // Usually states with controls of the same kinds as those before are left out.
    const walked = new Set<string>();
    for (const [name, state] of Object.entries(panelStates).filter((_, index) => index % byCases(4, 1, 1) === 0)) {
      await leadTo(panel, state);
      await panel.settle();
      if (await panel.page.locator('.found').isVisible()) {
        // While the list is open, Tab includes a row.
        await panel.page.keyboard.press('Escape');
      }
      const controls = await markControls(panel);
      assert.ok(controls.length > 1, name);
      if (byCases(true, true, false) && controls.every(({ kind }) => walked.has(kind))) {
        continue;
      }
      for (const { kind } of controls) {
        walked.add(kind);
      }
      const reached = new Map<string, Stop>();
      const missed = async () => {
        for (const [id, stop] of await walk(panel, controls.length)) {
          reached.set(id, stop);
        }
        // The jump button disappears where the end is visible.
        return stillThere(
          panel,
          controls.filter(({ id }) => !reached.has(id)),
        );
      };
      // A key can be lost on a busy machine. What can't be reached is missed again.
      if ((await missed()).length > 0) {
        assert.deepEqual(await missed(), [], `${name}: not reachable by keyboard`);
      }
      for (const { id, what } of controls) {
        const stop = reached.get(id);
        if (stop === undefined) {
          continue;
        }
        assert.ok(stop.isVisible, `${name}: the focus on ${what} is not visible`);
        assert.notEqual(stop.name, '', `${name}: ${what} has no name`);
      }
    }
  },
);

/** Marks the controls that can be used now. Disabled ones, and those that are not laid out, are left out. */
function markControls({ page }: PanelPage): Promise<{ id: string; what: string; kind: string }[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], textarea, input, select, summary, [role=button]')]
      .filter((each) => !(each as HTMLButtonElement).disabled && each.checkVisibility({ contentVisibilityAuto: false }))
      .map((each, index) => {
        each.dataset.control = String(index);
        const kind = `${each.parentElement?.className} ${each.localName} ${each.className}`;
        return { id: String(index), what: each.outerHTML.slice(0, 160), kind };
      }),
  );
}

async function stillThere({ page }: PanelPage, controls: { id: string; what: string }[]): Promise<string[]> {
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-control]')]
      .filter((each) => each.checkVisibility())
      .map(({ dataset }) => dataset.control),
  );
  return controls.filter(({ id }) => ids.includes(id)).map(({ what }) => what);
}

type Stop = { id: string; name: string; isVisible: boolean };

/** Records in the page which controls get the focus, because asking it after every key takes most of the time. */
function recordFocus({ page }: PanelPage): Promise<void> {
  return page.evaluate(() => {
    const shared = window as unknown as { stops: Stop[] };
    addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.control !== undefined) {
        const { outlineStyle, outlineWidth } = getComputedStyle(target);
        // The question box shows its focus on the frame around it.
        const isFramed = target.matches('textarea') && target.closest('.frame')?.matches(':focus-within') === true;
        shared.stops.push({
          id: target.dataset.control,
          name: (target.getAttribute('aria-label') ?? target.textContent ?? '').trim(),
          isVisible: isFramed || (outlineStyle !== 'none' && outlineWidth !== '0px'),
        });
      }
    });
  });
}

/** Moves through the page with Tab, and through each toolbar with the arrow keys. */
async function walk({ page }: PanelPage, count: number): Promise<Map<string, Stop>> {
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    document.getSelection()?.removeAllRanges();
    (window as unknown as { stops: Stop[] }).stops = [];
  });
  const reached = async () =>
    new Map((await page.evaluate(() => (window as unknown as { stops: Stop[] }).stops)).map((stop) => [stop.id, stop]));
  const press = (key: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => page.keyboard.press(key)));
  for (const toolbar of await page.locator('[role=toolbar]').all()) {
    const buttons = toolbar.locator('[data-control]');
    if ((await buttons.count()) > 0) {
      await buttons.first().focus();
      await press('ArrowRight', (await buttons.count()) - 1);
      await press('Home', 1);
      // Tab has to reach the first one.
      await buttons.first().evaluate(({ dataset }) => {
        const shared = window as unknown as { stops: Stop[] };
        shared.stops = shared.stops.filter(({ id }) => id !== dataset.control);
      });
    }
  }
  await press('Tab', count + 10);
  return reached();
}
