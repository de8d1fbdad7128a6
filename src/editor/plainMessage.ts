/** A text from outside as part of a notification that VS Code shows as it is: `[label](command:…)` would become a link. */
export function plainMessage(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}
