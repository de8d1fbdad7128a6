import { amountOf, isRecord, type LooseRecord, recordOf, textOf } from '../../base/loose.ts';
import type { Model, ModelAbility, ModelKind } from './model.ts';
import { cutText } from './modelDescription.ts';
import { statedKind } from './modelKind.ts';
import { readPrices } from './modelPrices.ts';

/** What one item of a list states. The vendor is found later, because that takes the whole list. */
export type ReadModel = {
  readonly id: string;
  readonly facts: Omit<Model, 'id' | 'vendor' | 'kind' | 'isForChat'>;
  readonly kind?: ModelKind;
  /** The organization, owner or provider as the gateway writes it. */
  readonly owner?: string;
  /** Whether `created` is the constant of one-api and new-api, whose owners are channel types (wire 1.1). */
  readonly isRelayed: boolean;
};

/** The `created` of every model on one-api and new-api. */
const relayCreated = 1_626_777_600;
const maxTitleChars = 200;

/** Where gateways state the context size, the most telling first (wire 1.1). */
const contextPaths = [
  'context_length',
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_context_window',
  'contextLength',
  'capabilities.limits.max_context_window_tokens',
  'limits.max_context_window_tokens',
  'limit.context',
  'inputTokenLimit',
  'max_input_tokens',
  'model_info.max_input_tokens',
  'metadata.context_length',
  'top_provider.context_length',
  'meta.n_ctx',
  'capabilities.limits.max_prompt_tokens',
];
/** Where they state the longest reply. */
const outputPaths = [
  'top_provider.max_completion_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'outputTokenLimit',
  'capabilities.limits.max_output_tokens',
  'limits.max_output_tokens',
  'limit.output',
  'model_info.max_output_tokens',
];
const maxTokensPaths = ['max_tokens', 'metadata.max_tokens'];

/** The words for each ability, as `plainWord` makes them. */
const abilityWords: Readonly<Record<ModelAbility, readonly string[]>> = {
  vision: ['vision', 'imagein', 'imageinput'],
  tools: ['tools', 'tooluse', 'toolcall', 'toolcalls', 'toolcalling', 'functioncalling'],
  reasoning: ['reasoning', 'thinking'],
  audio: ['audio', 'audioin', 'audioinput'],
  video: ['videoin', 'videoinput'],
  files: ['filein', 'fileinput', 'pdfin', 'pdfinput', 'attachment'],
};
const modelAbilities = Object.keys(abilityWords) as ModelAbility[];

/**
 * Reads one item in any of the dialects of wire 1.1. Only the id is guaranteed (service section 2); every other field
 * may be missing or of any type. It uses no schema, because a list can have tens of thousands of items.
 *
 * @returns undefined when the item has no usable id.
 */
export function readModel(item: unknown): ReadModel | undefined {
  if (typeof item === 'string') {
    return item.trim() === '' ? undefined : { id: item, facts: {}, isRelayed: false };
  }
  if (!isRecord(item)) {
    return undefined;
  }
  const id = idOf(item);
  if (id === undefined) {
    return undefined;
  }
  const kind = statedKind(id, item);
  const owner = ownerOf(item);
  return {
    id,
    facts: factsOf(id, item),
    ...(kind && { kind }),
    ...(owner && { owner }),
    isRelayed: item.created === relayCreated,
  };
}

/** A number counts as an id too. Gemini has `name` in place of `id`. */
function idOf(item: LooseRecord): string | undefined {
  const id = item.id ?? item.name;
  return typeof id === 'string' || typeof id === 'number' ? textOf(id) : undefined;
}

function ownerOf({ organization, owned_by, provider }: LooseRecord): string | undefined {
  const named = [organization, owned_by, provider, recordOf(provider).id, recordOf(provider).name];
  return named.find((name): name is string => typeof name === 'string' && name.trim() !== '')?.trim();
}

function factsOf(id: string, item: LooseRecord): ReadModel['facts'] {
  const contextTokens = firstAmount(item, contextPaths);
  const outputTokens =
    firstAmount(item, outputPaths) ??
    // On some gateways, this is the context size.
    (contextTokens === undefined ? undefined : firstAmount(item, maxTokensPaths));
  const prices = readPrices(item);
  const endpoints = textsOf(item.supported_endpoint_types ?? item.supported_endpoints ?? item.endpoints);
  const abilities = abilitiesOf(item);
  const expiresAt = timeOf(item.expiration_date ?? item.deprecation ?? item.deprecation_date);
  const title = textOf(item.display_name) ?? textOf(item.displayName) ?? textOf(item.name);
  return {
    ...(contextTokens !== undefined && { contextTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(prices && { prices }),
    ...(endpoints.length > 0 && { endpoints }),
    ...(abilities.length > 0 && { abilities }),
    ...(isDeprecated(item) && { isDeprecated: true as const }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(title && title !== id && { title: cutText(title, maxTitleChars) }),
  };
}

/** @returns the first stated amount above zero. */
function firstAmount(item: LooseRecord, paths: readonly string[]): number | undefined {
  for (const path of paths) {
    const amount = amountOf(path.split('.').reduce((value: unknown, name) => recordOf(value)[name], item));
    if (amount !== undefined && amount > 0) {
      return amount;
    }
  }
  return undefined;
}

function textsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
  return texts.slice(0, 16).map((each: string) => each.slice(0, 80));
}

/**
 * Reads the stated abilities: from modalities (OpenRouter, models.dev), from lists of words (Ollama, Vercel, DeepInfra),
 * and from fields that are true (Mistral, Moonshot, LiteLLM, GitHub Copilot).
 */
function abilitiesOf(item: LooseRecord): readonly ModelAbility[] {
  const can = recordOf(item.capabilities);
  const inputs = listOf(
    recordOf(item.architecture).input_modalities ?? item.input_modalities ?? recordOf(item.modalities).input,
  );
  const lists = [item.supported_parameters, item.capabilities, item.tags, item.features, recordOf(item.metadata).tags];
  const words = new Set([...lists.flatMap(listOf).map(plainWord), ...inputs.map((input) => `${plainWord(input)}in`)]);
  for (const fields of [item, can, recordOf(can.supports), recordOf(item.model_info)]) {
    for (const [name, value] of Object.entries(fields)) {
      if (value === true) {
        words.add(plainWord(name));
      }
    }
  }
  return modelAbilities.filter((ability) => abilityWords[ability].some((word) => words.has(word)));
}

/** Only lower-case letters, without `supports`. */
function plainWord(word: unknown): string {
  return String(textOf(word))
    .toLowerCase()
    .replace(/[^a-z]|^supports/g, '');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function any(...values: unknown[]): boolean {
  return values.includes(true);
}

/** Mistral states an end date or `archived`; Groq states that the model is no longer active. */
function isDeprecated(item: LooseRecord): boolean {
  return (
    any(item.deprecated, item.is_deprecated, item.archived) ||
    item.active === false ||
    item.status === 'deprecated' ||
    textOf(item.deprecation) !== undefined
  );
}

/** Reads an ISO 8601 date or Unix seconds. @returns Unix milliseconds. */
function timeOf(value: unknown): number | undefined {
  const time =
    typeof value === 'number'
      ? value * 1_000
      : /^\d{4}-\d\d-\d\d/.test(textOf(value) ?? '')
        ? Date.parse(String(value))
        : Number.NaN;
  return Number.isFinite(time) && time > 0 && time < 1e14 ? time : undefined;
}
