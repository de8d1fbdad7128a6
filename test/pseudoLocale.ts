/** A language that is made of the English texts, which shows what can be translated and whether there is enough room. */

/** VS Code's name of it. */
export const pseudoLanguage = 'qps-ploc';

/** A text as a longer language could have it: in brackets, by which a translated text is known, and 40 % longer. */
export function pseudoText(english: string): string {
  const more = 'ë'.repeat(Math.ceil(english.length * 0.4)).replaceAll(/.{8}(?=.)/g, '$& ');
  return `［${english}${more}］`;
}

/** The translations for an extracted bundle, or for a `package.nls.json`. */
export function pseudoTexts(bundle: Readonly<Record<string, string | { message: string }>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(bundle).map(([key, entry]) => [key, pseudoText(typeof entry === 'string' ? entry : entry.message)]),
  );
}

/** What is left of a text without its translated parts; they may contain others. */
export function withoutTranslated(text: string): string {
  for (let rest = text; ; ) {
    const next = rest.replaceAll(/［[^［］]*］/g, '');
    if (next === rest) {
      return rest;
    }
    rest = next;
  }
}
