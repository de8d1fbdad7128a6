/**
 * Text in which words are searched: in lower case, with letters and their marks composed, which text from macOS and from
 * PDF files has apart, and with plain characters for full-width ones, as Chinese keyboards enter them.
 */
export function searchable(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
