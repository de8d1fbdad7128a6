/** The longest code that is included as context; longer text stays in the box. */
const mostUnits = 400_000;

/** Code that was copied from an editor of VS Code. */
export type PastedCode = { readonly text: string; readonly language: string };

/**
 * The code in the clipboard if it is several lines that were copied from an editor of VS Code, which adds its language.
 * Everything else is text for the question, and so is what the person pastes as plain text.
 */
export function pastedCode({ clipboardData }: ClipboardEvent): PastedCode | undefined {
  const facts = clipboardData?.getData('vscode-editor-data') ?? '';
  const text = clipboardData?.getData('text/plain') ?? '';
  if (facts === '' || text.length > mostUnits || !text.trim().includes('\n')) {
    return undefined;
  }
  return { text, language: languageOf(facts) };
}

function languageOf(facts: string): string {
  try {
    const { mode }: { mode?: unknown } = JSON.parse(facts);
    return typeof mode === 'string' ? mode.slice(0, 100) : '';
  } catch {
    return '';
  }
}
