import { recordOf, textOf } from '../../base/loose.ts';

const maxChars = 1_000;

/**
 * What a gateway says about a model in sentences. Not a part of `Model`: it is most of what is written in a long list, and
 * read one at a time.
 *
 * @param item what `CurrentList.item` gives; of several items of one id the first that says something counts.
 */
export function modelDescription(item: unknown): string | undefined {
  for (const each of Array.isArray(item) ? item : [item]) {
    const text = textOf(recordOf(each).description);
    if (text !== undefined) {
      return cutText(text, maxChars);
    }
  }
  return undefined;
}

/** Never in the middle of a character. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text;
}
