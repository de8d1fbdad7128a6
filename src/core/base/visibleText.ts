/** What an ordinary text needs of them: joiners in scripts that are joined and in emoji, emoji's own form, our own blank. */
const needed =
  /(?<=[\u0600-\u109F\u1780-\u18AF])[\u200C\u200D]|(?<=\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)|(?<=[$\]])\u200B(?=\()/u;
/** Letters that are not seen, or turn the order of others round: `\u202Egnp.exe` would look like a picture. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const either = new RegExp(`(${needed.source})|${unseen.source}`, 'gu');

/** A name or another text of one line with every letter of it to be seen. */
export function visibleName(name: string): string {
  return name.replace(either, (letter, isNeeded: string | undefined) => (isNeeded ? letter : written(letter)));
}

/** The same for a text that may have several lines. */
export function visibleText(text: string): string {
  return text.replace(either, (letter, isNeeded: string | undefined) =>
    isNeeded || /[\n\r\t]/.test(letter) ? letter : written(letter),
  );
}

function written(letter: string): string {
  return `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`;
}
