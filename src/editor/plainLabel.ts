/** A text from outside as a label that VS Code shows as it is: `$(name)` would become an icon. */
export function plainLabel(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
