/** The longest code that is included as context; longer text stays in the box. */
const mostUnits = 400_000;

/** The languages of documents without code. */
const prose: readonly string[] = ['plaintext', 'markdown'];

/** Code that was copied from an editor of VS Code. */
export type PastedCode = { readonly text: string; readonly language: string };

/** How long code waits for the host to include it, before it's inserted as text: longer than a busy host needs. */
const answerMs = 3_000;

/** Includes code as context that is pasted into the question box. */
export class PastedCodes {
  /** Of the codes that the host has not answered yet. */
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(box: HTMLTextAreaElement, add: (code: PastedCode) => void) {
    box.addEventListener('paste', (event) => {
      const code = box.readOnly ? undefined : pastedCode(event);
      if (code !== undefined) {
        event.preventDefault();
        add(code);
        this.#timers.add(setTimeout(() => insert(box, code.text), answerMs));
      }
    });
  }

  /** Call this when the host has answered, which it does in the order of the questions. */
  noteAnswer(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }
}

function insert(box: HTMLTextAreaElement, text: string): void {
  box.focus();
  // Deprecated, but nothing else in a text field can be undone.
  document.execCommand('insertText', false, text);
}

/**
 * The code in the clipboard if it is several lines that were copied from an editor of VS Code, which adds its language.
 * Everything else is text for the question: what the person pastes as plain text, and prose, which may be a question that
 * was written in an editor.
 */
function pastedCode({ clipboardData }: ClipboardEvent): PastedCode | undefined {
  const facts = clipboardData?.getData('vscode-editor-data') ?? '';
  const text = clipboardData?.getData('text/plain') ?? '';
  if (facts === '' || text.length > mostUnits || !text.trim().includes('\n')) {
    return undefined;
  }
  const language = languageOf(facts);
  return prose.includes(language) ? undefined : { text, language };
}

function languageOf(facts: string): string {
  try {
    const { mode }: { mode?: unknown } = JSON.parse(facts);
    return typeof mode === 'string' ? mode.slice(0, 100) : '';
  } catch {
    return '';
  }
}
