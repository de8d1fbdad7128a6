/**
 * Decodes a character reference with a name, such as `&hellip;`. The browser's parser of subtitles knows all 2,125 names
 * and is no way to run markup; a table of them would add 15 KB to the package. The build gives this to markdown-it in
 * place of the package `entities`.
 *
 * @param reference the whole reference, from `&` to `;`.
 * @returns `reference` itself if the name is unknown.
 */
export function decodeHTMLStrict(reference: string): string {
  const text = new VTTCue(0, 0, reference).getCueAsHTML().textContent ?? '';
  // Old names also count without a semicolon: `&notit;` would become `¬it;`.
  return text.endsWith(';') && reference !== '&semi;' ? reference : text;
}
