import { recordOf, textOf } from '../../base/loose.ts';

const maxChars = 1_000;

/**
 * Reads the gateway's description of a model, cut to 1,000 characters. It is not a field of `Model`: descriptions make
 * up most of a long list, and only one is shown at a time.
 *
 * @param item the gateway's item, from `CurrentList.item`.
 */
export function modelDescription(item: unknown): string | undefined {
  const text = textOf(recordOf(item).description);
  return text === undefined ? undefined : cutText(text, maxChars);
}

/** Cuts a text to `maxLength` UTF-16 units or one less, so as not to split a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text;
}
