/**
 * Maximum number of combining marks on one letter. Unicode's Stream-Safe Text Format (UAX #15) has the same limit, and
 * no language needs half of it.
 */
const maxMarks = 30;

const firstMark = 0x300;
const beyondLatin = /[\u0300-\uFFFF]/;
const tooMany = /[\p{M}\p{Emoji_Modifier}]{31}/u;
const startsWithMark = /^[\p{M}\p{Emoji_Modifier}]/u;
const markRuns = /[\p{M}\p{Emoji_Modifier}]+/gu;

/**
 * Removes the marks beyond the limit for one letter. They overlap and cannot be read, and drawing them takes time that
 * grows with the square of their number.
 *
 * @param before the text that comes before `text`. A text passed in pieces gives the same result as the whole text, as
 * long as no character is split.
 */
export function withoutLongClusters(text: string, before = ''): string {
  const marksBefore =
    before !== '' && text.charCodeAt(0) >= firstMark && startsWithMark.test(text) ? marksAtEnd(before) : 0;
  // An answer can have a hundred thousand texts; nearly all of them are short or contain no marks.
  if (marksBefore === 0 && (text.length <= maxMarks || !beyondLatin.test(text) || !tooMany.test(text))) {
    return text;
  }
  return text.replace(markRuns, (marks, at: number) =>
    [...marks].slice(0, at === 0 ? maxMarks - marksBefore : maxMarks).join(''),
  );
}

/** Counts one by one: in V8 15.6 an expression that ends with `$` misses some characters outside the BMP. */
function marksAtEnd(text: string): number {
  const last = [...text.slice(-2 * maxMarks)].slice(-maxMarks);
  return last.length - 1 - last.findLastIndex((character) => !startsWithMark.test(character));
}
