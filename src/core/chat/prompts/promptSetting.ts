import * as l10n from '@vscode/l10n';
import { isRecord } from '../../base/loose.ts';
import { type FoundPrompts, firstLine, isPromptName, type NamedPrompt, promptLimit } from './namedPrompt.ts';

/**
 * Reads the setting with own prompts: an object that has a text for each name, or an object with `prompt` and
 * `description`. An entry that is something else is left out, and a sentence says which.
 */
export function promptsOfSetting(setting: unknown): FoundPrompts {
  const prompts: NamedPrompt[] = [];
  const problems: string[] = [];
  if (!isRecord(setting)) {
    return {
      prompts,
      problems: setting === undefined ? [] : [l10n.t("The setting askModel.prompts isn't an object.")],
    };
  }
  for (const [name, value] of Object.entries(setting)) {
    const { prompt, description } = isRecord(value) ? value : { prompt: value };
    const text = typeof prompt === 'string' ? prompt.trim() : '';
    if (!isPromptName(name)) {
      problems.push(
        l10n.t(
          'The prompt "{0}" of the setting askModel.prompts is left out: a name has 1 to 64 characters and no blanks or slashes.',
          firstLine(name),
        ),
      );
    } else if (text === '' || text.length > promptLimit) {
      problems.push(
        l10n.t(
          'The prompt "{0}" of the setting askModel.prompts is left out: it needs a text of at most 100,000 characters.',
          name,
        ),
      );
    } else {
      prompts.push({ name, description: firstLine(typeof description === 'string' ? description : text), text });
    }
  }
  return { prompts, problems };
}
