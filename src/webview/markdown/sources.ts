import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { Source } from '../../core/reply/sources.ts';
import { element } from '../page/dom.ts';
import { replaceMarks } from './marks.ts';

/** Lists the sources below a text that has ended, and makes `[2]` in it a link to the second. */
export function showSources(text: HTMLElement, sources: readonly Source[]): void {
  replaceMarks(text, /\[(\d{1,3})\]/g, ([mark, number]) => {
    const source = sources[Number(number) - 1];
    return source === undefined || source.isAmbiguous ? undefined : sourceLink(source, mark);
  });
  const list = element('ol', 'sources');
  list.setAttribute('aria-label', l10n.t('Sources'));
  for (const [index, source] of sources.entries()) {
    const item = element('li', '', sourceLink(source, nameOf(source)));
    item.value = index + 1;
    list.append(item);
  }
  text.append(list);
}

/** A link to a source, or its name alone if it has no address. */
function sourceLink({ url, title }: Source, name: string): HTMLElement {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return element('span', '', name);
  }
  const link = element('a', '', name);
  link.href = url;
  link.title = title === undefined ? url : `${visibleName(title)}\n${url}`;
  return link;
}

/** With its host, because a title alone doesn't say where the link leads. */
function nameOf({ url, title }: Source): string {
  const host = URL.parse(url)?.host;
  const name = title ?? url.replace(/^https?:\/\//i, '');
  return visibleName(title !== undefined && host ? `${name} (${host})` : name);
}
