/** The variables that stand for something in the editor. */
const editorVariables = ['selection', 'file', 'problems', 'changes', 'language'] as const;
export type EditorVariable = (typeof editorVariables)[number];

/** A variable of a prompt. `raw` is the variable as it is written, such as `${selection}`. */
export type PromptVariable =
  | { readonly kind: EditorVariable; readonly raw: string }
  /** `${input:name}` or `${input:name:placeholder}`: the person is asked for it. */
  | { readonly kind: 'input'; readonly raw: string; readonly name: string; readonly placeholder: string }
  | { readonly kind: 'unknown'; readonly raw: string };

/** No line breaks and braces in between, so that code in a prompt is rarely taken for a variable. */
const pattern = /\$\{[^{}\r\n]*\}/g;

/** How a variable of the editor is written. */
export function written(name: EditorVariable): string {
  return `\${${name}}`;
}

/** The variables of a prompt, in the order of the text, each way of writing one once. */
export function promptVariables(text: string): readonly PromptVariable[] {
  return [...new Set(text.match(pattern))].map(readVariable);
}

/**
 * Replaces variables with their values, by the way they are written; those without a value stay. The text is read only
 * once, so a variable inside a value is never replaced.
 */
export function filledPrompt(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(pattern, (raw) => values.get(raw) ?? raw);
}

function readVariable(raw: string): PromptVariable {
  const inner = raw.slice(2, -1).trim();
  const kind = editorVariables.find((name) => name === inner);
  if (kind !== undefined) {
    return { kind, raw };
  }
  const [, name, placeholder = ''] = /^input:([^:]+)(?::(.*))?$/.exec(inner) ?? [];
  return name === undefined
    ? { kind: 'unknown', raw }
    : { kind: 'input', raw, name: name.trim(), placeholder: placeholder.trim() };
}
