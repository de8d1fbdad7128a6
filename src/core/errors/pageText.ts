/** UTF-16 units of a page that are looked at; what it is stands at its beginning. */
const maxLookedAt = 40_000;

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** The start of a page, with its character references resolved: block pages hide their numbers in them. */
export function readablePage(html: string): string {
  return html
    .slice(0, maxLookedAt)
    .replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) =>
        name === undefined
          ? character(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
          : (named.get(name.toLowerCase()) ?? whole),
    );
}

function character(point: number): string {
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/** @returns the title in one line; undefined when there is none. */
export function pageTitle(page: string): string | undefined {
  const start = page.search(/<title\b/i);
  const text = start < 0 ? undefined : /^<title[^>]{0,200}>([^<]{1,2000})/i.exec(page.slice(start, start + 2_500))?.[1];
  return text?.replace(/\s+/g, ' ').trim() || undefined;
}
