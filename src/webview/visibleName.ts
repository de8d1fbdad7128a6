/** Letters that are not seen and may turn the order of others round: `\u202Egnp.exe` would look like a picture. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The name of a file or a language with every letter of it to be seen. */
export function visibleName(name: string): string {
  return name.replace(unseen, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`);
}
