/** What was typed after `#`, `@`, or `/` at the start of the box, and where it begins. */
export type TypedName = { readonly query: string; readonly start: number; readonly isPrompt: boolean };

/**
 * Finds the name that ends at the cursor. A number after `#` alone is the number of an issue. With another slash, what
 * begins with `/` is a path.
 */
export function typedName(box: HTMLTextAreaElement): TypedName | undefined {
  const { value, selectionStart, selectionEnd } = box;
  const before = value.slice(0, selectionStart);
  const [prompt] = /^\/[^\s/]*$/.exec(before) ?? [];
  if (selectionStart !== selectionEnd) {
    return undefined;
  }
  if (prompt !== undefined) {
    return { query: prompt.slice(1), start: 0, isPrompt: true };
  }
  const [, typed, query] = /(?:^|\s)([#@](\S*))$/.exec(before) ?? [];
  if (typed === undefined || query === undefined || /^\d+$/.test(query)) {
    return undefined;
  }
  return { query, start: selectionStart - typed.length, isPrompt: false };
}
