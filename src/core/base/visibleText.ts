/**
 * Invisible characters that ordinary text needs: joiners in scripts and emoji that use them, variation selectors of
 * emoji, and the zero-width spaces that we put into `$(` and `](` ourselves.
 */
const needed =
  /(?<=[\u0600-\u109F\u1780-\u18AF])[\u200C\u200D]|(?<=\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)|(?<=[$\]])\u200B(?=\()/u;
/** Characters that are invisible or reverse the order of others: `\u202Egnp.exe` would be shown as `exe.png`. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const either = new RegExp(`(${needed.source})|${invisible.source}`, 'gu');

/** A name, or another text of one line, with invisible characters written as escapes such as `\u{202e}`. */
export function visibleName(name: string): string {
  return visibleText(name).replace(/[\n\r\t]/g, escapeOf);
}

/** Like `visibleName`, for a text that may have several lines. */
export function visibleText(text: string): string {
  return text.replace(either, (character, isNeeded: string | undefined) =>
    isNeeded || /[\n\r\t]/.test(character) ? character : escapeOf(character),
  );
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
