import type { UsageAction, UsageDocument } from '../../../../src/core/usage/view/usageDocument.ts';
import { openPanel, type PanelOptions, type PanelPage } from '../page/panelPage.ts';

/** The page of the usage view alone in a browser; see `PanelPage`. */
export type OpenedUsagePage = Pick<PanelPage, 'page' | 'close' | 'requests'> & {
  show(document: UsageDocument): Promise<void>;
  /** Waits until the page has posted something, and returns it. */
  nextPosted(): Promise<UsageAction[]>;
};

/** @param document what it shows; nothing by default. */
export async function openUsagePage(document?: UsageDocument, options: PanelOptions = {}): Promise<OpenedUsagePage> {
  const opened = await openPanel({ width: 1_040, ...options, file: 'usage' });
  const { page, close, requests } = opened;
  // The messages of the two pages differ, but they come and go the same way.
  const show = (shown: UsageDocument) => opened.send(shown as never);
  const nextPosted = async () => (await opened.nextPosted()) as unknown as UsageAction[];
  await nextPosted();
  await (document && show(document));
  return { page, close, requests, show, nextPosted };
}
