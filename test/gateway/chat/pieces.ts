/** Splits a text into pieces of one to three words. Joined, the pieces are exactly the text, including white space. */
export function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const cut: string[] = [];
  for (let at = 0, turn = 0; at < words.length; turn += 1) {
    const size = 1 + ((turn * 7 + 3) % 3);
    cut.push(words.slice(at, at + size).join(''));
    at += size;
  }
  return cut;
}
