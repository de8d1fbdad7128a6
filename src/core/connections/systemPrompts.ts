import * as l10n from '@vscode/l10n';
import { numberText } from '../base/localization.ts';
import { isRecord } from '../base/loose.ts';
import { holdsKey } from '../secrets/redact.ts';

/** The system prompts that a person set for a connection. Those of other extensions' requests are their own. */
export type SystemPrompts = {
  /** Sent with each question to a model that has none of its own. Never blank. */
  readonly systemPrompt?: string;
  /** By the exact id of the model. Never blank. */
  readonly modelSystemPrompts?: ReadonlyMap<string, string>;
};

/** The most UTF-16 units of a system prompt, and the most models of a connection that have one. */
const systemPromptLimits = { chars: 32_000, models: 200 } as const;

/** Why a text can't be a system prompt, as a sentence; undefined when it can. */
export function systemPromptProblem(text: string, hasKey: (text: string) => boolean = holdsKey): string | undefined {
  if (text.length > systemPromptLimits.chars) {
    return l10n.t(
      'A system prompt can have at most {0} characters, and this one has {1}.',
      numberText(systemPromptLimits.chars),
      numberText(text.length),
    );
  }
  return hasKey(text)
    ? l10n.t('This system prompt contains a key, or what looks like one. It would be saved as plain text and sent.')
    : undefined;
}

/** Reads the system prompts of an entry in the settings. Reports and leaves out those that can't be used. */
export function readSystemPrompts(
  { systemPrompt, modelSystemPrompts }: Readonly<Record<string, unknown>>,
  report: (problem: string) => void,
): SystemPrompts {
  const own = readPrompt('systemPrompt', systemPrompt, report);
  if (modelSystemPrompts !== undefined && !isRecord(modelSystemPrompts)) {
    report(l10n.t('{0} must be an object.', 'modelSystemPrompts'));
  }
  const ofModels = new Map<string, string>();
  for (const [model, value] of isRecord(modelSystemPrompts) ? Object.entries(modelSystemPrompts) : []) {
    const text = readPrompt('modelSystemPrompts', value, report);
    if (text !== undefined && ofModels.size < systemPromptLimits.models) {
      ofModels.set(model, text);
    }
  }
  return {
    ...(own !== undefined && { systemPrompt: own }),
    ...(ofModels.size > 0 && { modelSystemPrompts: ofModels }),
  };
}

function readPrompt(property: string, value: unknown, report: (problem: string) => void): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const problem = typeof value === 'string' ? systemPromptProblem(value) : l10n.t('{0} must be text.', property);
  if (problem !== undefined) {
    report(problem);
  }
  return typeof value === 'string' && problem === undefined && value.trim() !== '' ? value : undefined;
}
