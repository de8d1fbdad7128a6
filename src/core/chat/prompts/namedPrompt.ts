/** A prompt that `/name` in the question box runs. */
export type NamedPrompt = {
  /** See `isPromptName`. */
  readonly name: string;
  /** One line about it. */
  readonly description: string;
  /** The question, with variables; see `promptVariables`. */
  readonly text: string;
  /** The parts of a prompt file that have no effect here, such as `tools`. */
  readonly ignored?: readonly string[];
};

/** Prompts, and a sentence about each one that is left out. */
export type FoundPrompts = { readonly prompts: readonly NamedPrompt[]; readonly problems: readonly string[] };

/** The longest text of a prompt, in UTF-16 units, and the largest prompt file, in bytes. */
export const promptLimit = 100_000;

const maxName = 64;
const maxDescription = 120;

/** Whether a name can be typed after `/`: 1 to 64 characters without blanks and slashes. */
export function isPromptName(name: string): boolean {
  return name.length <= maxName && /^[^\s/\p{C}]+$/u.test(name);
}

/** The description that a prompt gets when it has none: its first line, cut to 120 characters. */
export function firstLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? '';
  return line.length <= maxDescription ? line : `${line.slice(0, maxDescription).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** All prompts, each name once: those of later lists replace those of earlier ones in their places. */
export function mergedPrompts(...lists: readonly (readonly NamedPrompt[])[]): readonly NamedPrompt[] {
  return [...new Map(lists.flat().map((prompt) => [prompt.name, prompt])).values()];
}
