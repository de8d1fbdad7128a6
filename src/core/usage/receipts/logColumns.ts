import { amountUpTo } from '../../account/accountValues.ts';
import type { LogEntry } from '../../account/logEntry.ts';
import { mostOfCall, siteUnit } from '../../base/money.ts';
import type { Steps } from '../../base/runInSlices.ts';
import type { Credit } from '../../connections/creditUnit.ts';
import { amountIn, areMost, currencyOf, sampleOf, type TimeFormat, timeFormatOf, timeOf } from './logCells.ts';

/** What columns of a log mean. Numbers are indexes of columns, unless stated otherwise. */
export type ColumnMap = {
  readonly at: number;
  readonly timeFormat: TimeFormat;
  readonly model: number;
  readonly amount: number;
  /** The unit of the amounts, as in `Money`. */
  readonly unit: string;
  /** How many of the column's numbers make one of the unit, such as 500,000 for quota; otherwise 1. Not an index. */
  readonly perUnit: number;
  /** The currency that cells of the amount name, by default the first one. An amount in another one can't be read. */
  readonly currency?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  readonly requestId?: number;
  /** The type of a line: charge, error, refund or something else. */
  readonly kind?: number;
  readonly group?: number;
  /** The name of the key in the console. */
  readonly key?: number;
  /** Only lines of the key with this name are read. Not an index. */
  readonly keyName?: string;
};

type Rows = readonly (readonly string[])[];

/**
 * The names of columns, the most telling first, as in consoles and exports of new-api, one-api, OpenRouter and LiteLLM.
 * Compared in lower case, without spaces, punctuation, symbols and what is in brackets.
 */
const names = {
  at: 'createdat created timestamp time datetime endtime starttime requesttime date 时间 创建时间 请求时间 日期',
  model: 'modelname model modelpermaslug modelslug modelid 模型 模型名称',
  amount: 'quota cost spend amount totalcost costtotal 花费 费用 额度 扣费 消费 金额 消耗额度',
  promptTokens: 'prompttokens tokensprompt inputtokens prompt input 提示 输入 提示tokens 输入tokens 提示词',
  completionTokens: 'completiontokens tokenscompletion outputtokens completion output 补全 输出 补全tokens 输出tokens',
  cachedTokens: 'cachedtokens cachetokens tokenscached cachereadinputtokens 缓存 缓存tokens',
  requestId: 'requestid generationid 请求id',
  kind: 'type logtype 类型',
  group: 'group 分组',
  key: 'tokenname keyname keyalias token key 令牌 令牌名称 密钥',
} as const;
type Field = keyof typeof names;

const isNumber = (cell: string) => amountIn(cell) !== undefined;
/** What most cells of some columns have to be. */
const checks: { readonly [name in Field]?: (cell: string) => boolean } = {
  at: (cell) => timeFormatOf([cell]) !== undefined,
  amount: isNumber,
  promptTokens: isNumber,
  completionTokens: isNumber,
  cachedTokens: isNumber,
};

/** What a line says that isn't a charge; undefined for lines that no call made, such as of a payment. */
const kinds = new Map<string, 'error' | 'refund' | undefined>([
  ...['5', 'error', 'failed', 'failure', '错误', '失败'].map((name) => [name, 'error'] as const),
  ...['6', 'refund', '退款'].map((name) => [name, 'refund'] as const),
  ...['1', '3', '4', '7', 'topup', 'recharge', 'manage', 'system', 'login', '充值', '管理', '系统', '登录'].map(
    (name) => [name, undefined] as const,
  ),
]);

/** Proposes what the columns mean, by their names and their cells. The unit of amounts is often left to be asked. */
export function proposeColumns(columns: readonly string[], rows: Rows): Partial<ColumnMap> {
  const plain = columns.map(plainName);
  const find = (field: Field) => {
    const check = checks[field];
    const fits = (index: number) => check === undefined || areMost(sampleOf(rows, index), check);
    const found = names[field]
      .split(' ')
      .flatMap((name) => plain.flatMap((each, index) => (each === name ? [index] : [])));
    return found.find(fits);
  };
  const fields = Object.keys(names) as Field[];
  const found = Object.fromEntries(fields.map((field) => [field, find(field)])) as { [name in Field]?: number };
  const format = (index: number) => timeFormatOf(sampleOf(rows, index));
  const at = found.at ?? columns.findIndex((_, index) => format(index) !== undefined);
  const { amount } = found;
  const cells = amount === undefined ? [] : sampleOf(rows, amount);
  const currency = cells.map((cell) => amountIn(cell)?.currency).find((each) => each !== undefined);
  const header = amount === undefined ? undefined : /usd|cny|rmb|eur|[$¥￥€]|元/i.exec(columns[amount] ?? '')?.[0];
  const unit = currency ?? (header === undefined ? undefined : currencyOf(header.toUpperCase()));
  const facts = { ...found, at, timeFormat: format(at), currency, ...(unit !== undefined && { unit, perUnit: 1 }) };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== -1));
}

/** The map for amounts in dollars of a site, which the person may have stated the worth of. */
export function withCredit(map: ColumnMap, credit: Credit | undefined): ColumnMap {
  return credit && (map.unit === siteUnit || map.unit === 'USD')
    ? { ...map, unit: credit.unit, perUnit: map.perUnit / credit.factor }
    : map;
}

/** Names a header, so that what its columns mean is asked only once. */
export function mapKey(columns: readonly string[]): string {
  return JSON.stringify(columns);
}

/** Reads the calls of a log. Lines of other keys and lines that no call made, such as payments, are left out. */
export function* entriesOf(
  rows: Rows,
  map: ColumnMap,
): Steps<{ readonly entries: readonly LogEntry[]; readonly unreadable: number }> {
  const entries: LogEntry[] = [];
  let unreadable = 0;
  let { currency } = map;
  const hasDecimalCommas = rows.some((row) => /^\D*0,\d/.test(row[map.amount] ?? ''));
  for (const row of rows) {
    yield;
    const cell = (column: number | undefined) => (column === undefined ? '' : (row[column]?.trim() ?? ''));
    const name = plainName(cell(map.kind));
    const kind = kinds.has(name) ? kinds.get(name) : 'charge';
    if (kind === undefined || (map.keyName !== undefined && cell(map.key) !== map.keyName)) {
      continue;
    }
    const at = timeOf(cell(map.at), map.timeFormat);
    const model = cell(map.model);
    const money =
      cell(map.amount) === '' && kind === 'error' ? { number: 0 } : amountIn(cell(map.amount), hasDecimalCommas);
    currency ??= money?.currency;
    const isOther = money?.currency !== undefined && money.currency !== currency;
    const charged = money && (kind === 'refund' ? Math.abs(money.number) : money.number) / map.perUnit;
    const amount = amountUpTo(charged, mostOfCall);
    if (at === undefined || model === '' || amount === undefined || isOther) {
      unreadable++;
      continue;
    }
    const texts = { requestId: cell(map.requestId), group: cell(map.group) };
    const countIn = (column: number | undefined) => amountUpTo(amountIn(cell(column))?.number, mostOfCall);
    const counts = {
      promptTokens: countIn(map.promptTokens),
      completionTokens: countIn(map.completionTokens),
      cachedTokens: countIn(map.cachedTokens),
    };
    const known = Object.entries({ ...texts, ...counts }).filter(([, value]) => value !== '' && value !== undefined);
    entries.push({ at, kind, model, charged: { amount, unit: map.unit }, ...Object.fromEntries(known) });
  }
  return { entries, unreadable };
}

/** In lower case, without what is in brackets, spaces, punctuation and symbols. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\([^()]*\)|（[^（）]*）|[\s\p{P}\p{S}]/gu, '');
}
