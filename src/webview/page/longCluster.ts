/**
 * So many characters may change one letter: the Stream-Safe Text Format of Unicode (UAX #15) allows as many, and no
 * language needs half of them.
 */
const most = 30;

const firstMark = 0x300;
const beyondLatin = /[\u0300-\uFFFF]/;
const tooMany = /[\p{M}\p{Emoji_Modifier}]{31}/u;
const begins = /^[\p{M}\p{Emoji_Modifier}]/u;
const runs = /[\p{M}\p{Emoji_Modifier}]+/gu;

/**
 * Text as it is drawn: without the marks that a letter has too many of. They are drawn over each other, nobody can read
 * them, and the time they take grows with the square of their number.
 *
 * @param text goes on where `before` ends; cut between any characters, the pieces give what the whole would.
 */
export function withoutLongClusters(text: string, before = ''): string {
  const had = before !== '' && text.charCodeAt(0) >= firstMark && begins.test(text) ? marksAtEnd(before) : 0;
  // Nearly every text is short, or of letters that need no marks, and there are a hundred thousand of them in an answer.
  if (had === 0 && (text.length <= most || !beyondLatin.test(text) || !tooMany.test(text))) {
    return text;
  }
  return text.replace(runs, (marks, at: number) => [...marks].slice(0, at === 0 ? most - had : most).join(''));
}

/** Counted one by one: V8 15.6 finds only some of the characters outside the BMP by an expression that ends with `$`. */
function marksAtEnd(text: string): number {
  const last = [...text.slice(-2 * most)].slice(-most);
  return last.length - 1 - last.findLastIndex((character) => !begins.test(character));
}
