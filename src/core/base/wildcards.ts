/** Whether a text matches a pattern, in which `*` stands for any characters. In a regular expression, many would take long. */
export function matchesWildcards(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) {
    return text === pattern;
  }
  let at = first.length;
  for (const part of others) {
    at = text.indexOf(part, at) + part.length;
    if (at < part.length) {
      return false;
    }
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}
