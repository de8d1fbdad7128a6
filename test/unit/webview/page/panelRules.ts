import type { Page } from 'playwright-core';
import { axeSource } from './panelPage.ts';

type Axe = {
  run(
    context: unknown,
    options: unknown,
  ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }>;
};

/** What axe-core finds against WCAG 2.2 A and AA, one line a rule. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] };
    const { violations } = await axe.run(document, rules);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`,
    );
  });
}

/** Boxes that hold more than their width shows, without those that are made to scroll or to end in dots. */
export function sidewaysScrollers(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('*')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.matches('.unseen, .unseen *'))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible')
        .map((one) => `${one.localName}.${one.className}`)
        .filter((one) => !/^(?:pre\.|div\.table|span\.(?:label|language|request))/.test(one)),
    ),
  ]);
}
