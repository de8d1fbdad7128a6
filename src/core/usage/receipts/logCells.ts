/** How a log writes times: Unix time, ISO 8601 with a time zone, or date and time of a zone that isn't stated. */
export const timeFormats = ['unixSeconds', 'unixMilliseconds', 'iso', 'local'] as const;
export type TimeFormat = (typeof timeFormats)[number];

/** Longer cells are neither times nor amounts. */
const maxChars = 40;

/** The first cells of a column that aren't blank. */
export function sampleOf(rows: readonly (readonly string[])[], column: number): string[] {
  return rows
    .slice(0, 200)
    .map((row) => row[column]?.trim() ?? '')
    .filter((cell) => cell !== '')
    .slice(0, 20);
}

/** Whether most cells are something; not all have to, because a log may end with a row of sums. */
export function areMost(cells: readonly string[], is: (cell: string) => boolean): boolean {
  return cells.filter(is).length * 2 > cells.length;
}

/** The format in which most of these cells are times. */
export function timeFormatOf(cells: readonly string[]): TimeFormat | undefined {
  return timeFormats.find((format) => areMost(cells, (cell) => timeOf(cell, format) !== undefined));
}

/** @returns Unix milliseconds, for `local` as if the zone were UTC; undefined if the cell isn't a time of that format. */
export function timeOf(cell: string, format: TimeFormat): number | undefined {
  const text = cell.slice(0, maxChars + 1);
  switch (format) {
    case 'unixSeconds':
      return /^\d{9,10}(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1_000) : undefined;
    case 'unixMilliseconds':
      return /^\d{12,13}(?:\.\d+)?$/.test(text) ? Math.round(Number(text)) : undefined;
    case 'iso': {
      const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.* ?(?:Z|UTC|[+-]\d\d:?\d\d)$/.test(text)
        ? Date.parse(text)
        : Number.NaN;
      return Number.isFinite(at) ? at : undefined;
    }
    case 'local':
      return localTime(text);
    default:
      return format satisfies never;
  }
}

/** Such as `2026-11-25 10:00:00`, `2026/11/25 10:00` or `2026年11月25日 10:00`. */
function localTime(text: string): number | undefined {
  const parts = /^(\d{4})[-/.年](\d\d?)[-/.月](\d\d?)日?[T ]*(\d\d?):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    parts?.slice(1).map((part) => Number(part ?? 0)) ?? [];
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return parts !== null && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** A number of a cell, and the currency that the cell names, if any. */
export type Amount = { readonly number: number; readonly currency?: string };

const currencies = new Map([
  ['$', 'USD'],
  ['＄', 'USD'],
  ['US$', 'USD'],
  ['¥', 'CNY'],
  ['￥', 'CNY'],
  ['元', 'CNY'],
  ['RMB', 'CNY'],
  ['€', 'EUR'],
  ['£', 'GBP'],
]);

/** The ISO 4217 code of a currency's symbol, name or code. */
export function currencyOf(text: string): string | undefined {
  return currencies.get(text) ?? /^[A-Z]{3}$/.exec(text)?.[0];
}

/**
 * Such as `0.0123`, `$1,234.50`, `-¥0.2`, `0,02 €` or `1.2e-05`; undefined if the cell is anything else.
 *
 * @param hasDecimalCommas whether `1,234` is less than 2.
 */
export function amountIn(cell: string, hasDecimalCommas = false): Amount | undefined {
  const text = cell.slice(0, maxChars + 1).replace(/\s/g, '');
  const parts = /^([^\d.,+-]{0,8})([+-]?)([^\d.,+-]{0,8})(\d[\d.,]*(?:e[+-]?\d+)?|\.\d+)([^\d.,+-]{0,8})$/i.exec(text);
  if (cell.length > maxChars || parts === null) {
    return undefined;
  }
  const [, before = '', sign = '', between = '', digits = '', after = ''] = parts;
  const isGrouped = !hasDecimalCommas && /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits);
  const isDecimalComma = !isGrouped && /^\d+,\d+$/.test(digits);
  const number = Number(`${sign}${digits.replaceAll(',', isGrouped ? '' : isDecimalComma ? '.' : ',')}`);
  const name = before + between + after;
  const currency = currencyOf(name);
  if (!Number.isFinite(number) || (name !== '' && currency === undefined)) {
    return undefined;
  }
  return { number, currency };
}
