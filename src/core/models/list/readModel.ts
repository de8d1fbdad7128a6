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
  const top = recordOf(item.top_provider);
  const contextTokens = firstAmount(
    item.context_length,
    item.context_window,
    item.max_model_len,
    item.max_context_length,
    item.inputTokenLimit,
    item.max_input_tokens,
    top.context_length,
  );
  const outputTokens = firstAmount(
    top.max_completion_tokens,
    item.max_completion_tokens,
    item.max_output_tokens,
    item.outputTokenLimit,
  );
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
function firstAmount(...values: unknown[]): number | undefined {
  for (const value of values) {
    const amount = amountOf(value);
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
 * Reads the stated abilities: from modalities and parameters (OpenRouter), capabilities (Mistral, Ollama) or
 * `supports_…` fields (Moonshot, LiteLLM).
 */
function abilitiesOf(item: LooseRecord): readonly ModelAbility[] {
  const inputs = listOf(recordOf(item.architecture).input_modalities ?? item.input_modalities);
  const parameters = listOf(item.supported_parameters);
  const words = listOf(item.capabilities);
  const can = recordOf(item.capabilities);
  const stated: readonly (readonly [ModelAbility, boolean])[] = [
    [
      'vision',
      inputs.includes('image') ||
        words.includes('vision') ||
        any(can.vision, item.supports_image_in, item.supports_vision),
    ],
    [
      'tools',
      parameters.includes('tools') ||
        words.includes('tools') ||
        any(can.function_calling, item.supports_function_calling, item.supports_tools),
    ],
    [
      'reasoning',
      parameters.includes('reasoning') ||
        words.includes('thinking') ||
        any(can.reasoning, item.supports_reasoning, item.thinking),
    ],
    ['audio', inputs.includes('audio') || words.includes('audio') || any(can.audio, item.supports_audio_input)],
    ['video', inputs.includes('video') || any(item.supports_video_in, item.supports_video_input)],
    ['files', inputs.includes('file') || any(item.supports_pdf_input)],
  ];
  return stated.flatMap(([ability, isStated]) => (isStated ? [ability] : []));
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
