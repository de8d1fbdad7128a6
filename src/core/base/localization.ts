/**
 * The language of the texts. A text is `l10n.t('…')` with a literal, called when it is shown and never while a module
 * loads, because the translations are set afterwards. Text that a person doesn't read stays as it is: the log, and the
 * part of a prompt that only the model reads.
 */
import * as l10n from '@vscode/l10n';
import { once } from './once.ts';

/** What VS Code gives an extension: its display language, and the translations for it, if the extension has them. */
export type Localization = {
  /** A language tag such as `zh-cn`. */
  readonly language: string;
  /** A bundle in `l10n/`: texts by English texts, with comments behind a slash. Without translations, texts are English. */
  readonly texts?: Readonly<Record<string, string>>;
};

/** The last millisecond that a `Date` can hold, in ECMAScript. */
const maxTime = 8.64e15;

let current: Localization & ReturnType<typeof formatsOf> = formatsOf('en');

/** Sets the language of all texts, numbers and dates of this program. */
export function configureLocalization({ language, texts }: Localization): void {
  l10n.config({ contents: texts ?? {} });
  // Without translations the texts are English, so numbers and dates have to be as well.
  current = { texts, ...formatsOf(texts === undefined ? 'en' : language) };
}

/** The language of the texts, and the translations for it. */
export function localization(): Localization {
  return { language: current.language, texts: current.texts };
}

/**
 * A text with a number, in its form for this number: `one` only for what a language counts as singular, which in English
 * is 1 alone. The number takes the place of `{0}`.
 */
export function plural(count: number, one: string, other: string): string {
  return (current.plurals().select(count) === 'one' ? one : other).replace('{0}', numberText(count));
}

/** A number with separators between thousands; by default with at most three decimal places. */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}): string {
  return current.numbers(options).format(value);
}

/** A date and time in Unix milliseconds, by default as date with the time to the minute; empty if there is no such date. */
export function dateText(
  time: number,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  return Math.abs(time) <= maxTime ? current.dates(options).format(time) : '';
}

/** How long ago something was, such as “3 days ago”. */
export function ageText(count: number, unit: 'minute' | 'hour' | 'day'): string {
  return current.ages().format(-count, unit);
}

/** A list in a sentence, such as “a, b, and c”. */
export function listText(items: readonly string[]): string {
  return current.lists().format(items);
}

/** Joins short facts to one line, such as “function · src/cart.ts”; leaves out those that are not there. */
export function factsText(...facts: readonly (string | false | undefined)[]): string {
  return facts.filter(Boolean).join(' · ');
}

/** An estimate of tokens, such as “≈ 1,200 tokens”. */
export function estimatedTokensText(count: number): string {
  return plural(count, l10n.t('≈ {0} token'), l10n.t('≈ {0} tokens'));
}

/** Joins whole sentences, each with its full stop, to one text; leaves out those that are not there. */
export function sentences(...all: readonly (string | undefined | false)[]): string {
  let text = '';
  for (const each of all) {
    if (each) {
      text = text === '' ? each : l10n.t({ message: '{0} {1}', args: [text, each], comment: ['Two sentences'] });
    }
  }
  return text;
}

/** Formats of `Intl` take up to a millisecond to create, so each is created once, when it is first needed. */
function formatsOf(language: string) {
  return {
    language,
    plurals: once(() => new Intl.PluralRules(language)),
    // In Chinese only with 、 between the items: 和 would stick to names in Latin letters.
    lists: once(() => new Intl.ListFormat(language, { style: language.startsWith('zh') ? 'narrow' : 'long' })),
    ages: once(() => new Intl.RelativeTimeFormat(language)),
    numbers: byOptions((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options)),
    dates: byOptions((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)),
  };
}

/** Stores a format for each of its options, because a list may show thousands of numbers and dates. */
function byOptions<Options, Format>(create: (options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>();
  return (options) => {
    const name = JSON.stringify(options);
    const format = formats.get(name) ?? create(options);
    formats.set(name, format);
    return format;
  };
}
