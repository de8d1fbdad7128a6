import type { Page } from 'playwright-core';
import { axeSource } from './panelPage.ts';

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

/** Violations that axe-core finds, one line per rule. */
export async function violations(
  page: Pick<Page, 'evaluate'>,
  runOnly: readonly string[] = allRules,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axeSource);
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
