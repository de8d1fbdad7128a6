import * as l10n from '@vscode/l10n';

/** A prompt that `/name` in the question box runs. */
export type NamedPrompt = {
  /** See `isPromptName`. */
  readonly name: string;
  /** One line about it. */
  readonly description: string;
  /** The question, with variables; see `promptVariables`. */
  readonly text: string;
};

/** Prompts, and a sentence about each one that is left out. */
export type FoundPrompts = { readonly prompts: readonly NamedPrompt[]; readonly problems: readonly string[] };

/** The longest text of a prompt, in UTF-16 units, and the largest prompt file, in bytes. */
export const promptLimit = 100_000;

const maxName = 64;

/** Whether a name can be typed after `/`: 1 to 64 characters without blanks and slashes. */
export function isPromptName(name: string): boolean {
  return name.length <= maxName && /^[^\s/\p{C}]+$/u.test(name);
}

/** All prompts, each name once: those of later lists replace those of earlier ones in their places. */
export function mergedPrompts(...lists: readonly (readonly NamedPrompt[])[]): readonly NamedPrompt[] {
  return [...new Map(lists.flat().map((prompt) => [prompt.name, prompt])).values()];
}

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

/**
 * The prompts that come with the extension.
 *
 * @param hasProblems whether VS Code reports problems in the selected code, which a fix has to consider.
 */
export function builtInPrompts(hasProblems: boolean): readonly NamedPrompt[] {
  const [selection, problems] = [written('selection'), written('problems')];
  const [changes, language] = [written('changes'), written('language')];
  return [
    {
      name: 'explain',
      description: l10n.t('Explain the selected code'),
      text: l10n.t('Explain {0}: what it does, how it works, and what is unusual about it.', selection),
    },
    {
      name: 'fix',
      description: l10n.t('Find and fix what is wrong in the selected code'),
      text: hasProblems
        ? l10n.t(
            'Find what is wrong in {0} and fix it. Consider {1}. Say what was wrong and show the corrected code.',
            selection,
            problems,
          )
        : l10n.t('Find what is wrong in {0} and fix it. Say what was wrong and show the corrected code.', selection),
    },
    {
      name: 'tests',
      description: l10n.t('Write tests for the selected code'),
      text: l10n.t(
        'Write tests for {0} in {1}. Cover the usual cases, the limits and the errors.',
        selection,
        language,
      ),
    },
    {
      name: 'document',
      description: l10n.t('Write documentation comments for the selected code'),
      text: l10n.t(
        'Write documentation comments for {0} as is usual in {1}. Leave the code as it is.',
        selection,
        language,
      ),
    },
    {
      name: 'improve',
      description: l10n.t('Make the selected code simpler and easier to read'),
      text: l10n.t(
        'Improve {0}: make it simpler and easier to read without changing what it does. Say what you changed and why.',
        selection,
      ),
    },
    {
      name: 'review',
      description: l10n.t('Review the selected code'),
      text: l10n.t(
        'Review {0}. List defects, risks and unclear parts, the most important first, each with a suggestion.',
        selection,
      ),
    },
    {
      name: 'review-changes',
      description: l10n.t('Review the uncommitted changes'),
      text: l10n.t(
        'Review {0} for defects and risks.\n\nThe most important findings come first. Write each one as an item of a list: `path:line: severity: text`, then the changed line it is about as inline code. The severity is error, warning or note, and the line is that of the new file. If there is nothing to find, say so.',
        changes,
      ),
    },
    {
      name: 'explain-changes',
      description: l10n.t('Explain the uncommitted changes'),
      text: l10n.t('Explain {0}: what they change, why as far as it can be seen, and what to look out for.', changes),
    },
    {
      name: 'commit',
      description: l10n.t('Write a commit message for the uncommitted changes'),
      text: l10n.t(
        'Write a commit message for {0}: a subject line of at most 72 characters in the imperative, a blank line, then what changed and why.',
        changes,
      ),
    },
  ];
}
