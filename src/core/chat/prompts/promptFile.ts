import { isRecord, recordOf } from '../../base/loose.ts';
import { shortLine } from '../../base/shortLine.ts';
import { isPromptName, type NamedPrompt, promptLimit } from './namedPrompt.ts';

/** The end of the names of prompt files. */
export const promptFileEnd = '.prompt.md';
const maxDescription = 120;

/**
 * The folder of prompt files that a path means: a full path, or one that begins with `~`, the home folder. Undefined for
 * any other, which would depend on the workspace.
 */
export function promptFolder(path: string, home: string): string | undefined {
  const [inHome, below = ''] = /^~(?:[/\\](.*))?$/.exec(path) ?? [];
  if (inHome !== undefined) {
    return `${home}/${below}`;
  }
  return /^(?:[/\\]|[a-z]:[/\\])/i.test(path) ? path : undefined;
}

/**
 * Reads a prompt file in VS Code's format: a head between two lines `---`, then the prompt. The head is not read as
 * YAML: each line `key: value` counts, with or without quotes, and all other lines are skipped, so a value can't extend
 * over several lines. A name that can't be typed after `/` is replaced by that of the file.
 *
 * @param fileName ends with `promptFileEnd`.
 * @returns undefined when the file has no prompt, or the name of the file can't be typed.
 */
export function readPromptFile(fileName: string, content: string): NamedPrompt | undefined {
  const [, head = '', body = ''] = /^---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n(.*))?$/s.exec(content) ?? [
    content,
    '',
    content,
  ];
  const values = headValues(head);
  const text = body.trim().replaceAll('\r\n', '\n');
  const given = values.get('name') ?? '';
  const name = isPromptName(given) ? given : fileName.slice(0, -promptFileEnd.length).trim().replace(/\s+/g, '-');
  if (text === '' || !isPromptName(name)) {
    return undefined;
  }
  return { name, description: shortLine(values.get('description') || text, maxDescription), text };
}

function headValues(head: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      values.set(key, plainValue(value.trim()));
    }
  }
  return values;
}

/** A value without its quotes, or without the comment after it. The signs of a value of several lines are no value. */
function plainValue(value: string): string {
  const [, , quoted] = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value) ?? [];
  return quoted ?? (/^[|>]/.test(value) ? '' : value.replace(/(?:^|\s)#.*$/, '').trimEnd());
}

/**
 * Reads the setting with own prompts: an object that has a text for each name, or an object with `prompt` and
 * `description`. An entry that is something else is left out; VS Code underlines it in the settings.
 */
export function promptsOfSetting(setting: unknown): readonly NamedPrompt[] {
  return Object.entries(recordOf(setting)).flatMap(([name, value]) => {
    const { prompt, description } = isRecord(value) ? value : { prompt: value };
    const text = typeof prompt === 'string' ? prompt.trim() : '';
    return !isPromptName(name) || text === '' || text.length > promptLimit
      ? []
      : [{ name, description: shortLine(typeof description === 'string' ? description : text, maxDescription), text }];
  });
}
