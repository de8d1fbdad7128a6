/**
 * Text in which words are searched: in lower case, without the accents of Latin, Greek and Cyrillic letters, with other
 * letters and their marks composed, which text from macOS and from PDF files has apart, and with plain characters for
 * full-width ones, as Chinese keyboards enter them.
 */
export function searchable(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');
  return plain.normalize('NFC').toLowerCase();
}
