import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Axe = {
  run(
    context: unknown,
    options: unknown,
  ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }>;
};

/** axe-core's tags for all of WCAG 2.2 A and AA. */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules that a theme can break. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Makes `axe` available in the page, and the page opaque, because it doesn't check the colours of what is transparent. */
export async function loadAxe(page: Pick<Page, 'evaluate'>): Promise<void> {
  await page.evaluate(axeSource);
  await page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });
}

/** Violations that axe-core finds, one line per rule. */
export async function violations(
  page: Pick<Page, 'evaluate'>,
  runOnly: readonly string[] = allRules,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await loadAxe(page);
  }
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
    );
  }, runOnly);
}

/** Elements with content wider than their box, except compared answers and those that scroll or end in an ellipsis by design. */
export function sidewaysScrollers(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('*')]
        .filter(
          (one) =>
            one.scrollWidth > one.clientWidth + 1 && !one.matches('.unseen, .unseen *, .scroller:has(.sideBySide)'),
        )
        // What is clipped can't be scrolled.
        .filter((one) => !['visible', 'clip'].includes(getComputedStyle(one).overflowX))
        .map((one) => `${one.localName}.${one.className}`)
        .filter((one) => !/^(?:pre\.|div\.table|span\.(?:label|detail|language|fact))/.test(one)),
    ),
  ]);
}
