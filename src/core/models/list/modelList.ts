import { JsonDocuments } from '../../base/jsonDocuments.ts';
import { amountOf, isRecord, type LooseRecord, parseJson, recordOf, textOf, unixTimeOf } from '../../base/loose.ts';
import type { Steps } from '../../base/runInSlices.ts';
import { type AnswerFacts, classify, evidenceOf, redirects } from '../../errors/classify.ts';
import { readErrorBody } from '../../errors/errorBody.ts';
import { GatewayError } from '../../errors/gatewayProblem.ts';
import { isHtmlLike, webPageProblem } from '../../errors/webPage.ts';
import type { KeyRemover } from '../../secrets/keyRemover.ts';
import { type Model, type ModelAbility, type ModelListAnswer, modelAbilities } from './model.ts';
import { vendorOf } from './modelFamily.ts';
import { kindByName, modalitiesOf, statedKind } from './modelKind.ts';
import { readPrices } from './modelPrices.ts';

/**
 * Reads the items of a list. A bad item is counted and left out; it never makes the whole list fail. Duplicates are
 * merged, and the first one takes precedence. Models are sorted by id, because gateways send them in random order.
 *
 * @param ownKey the key, which no model may contain; omitted for a list that was read without a key.
 */
export function* readModelList(all: readonly unknown[], ownKey?: KeyRemover): Steps<ModelListAnswer> {
  const read = new Map<string, ReadModel>();
  const items: unknown[] = [];
  const created = new Set<unknown>();
  let dropped = 0;
  for (const item of all) {
    created.add(recordOf(item).created);
    const id = modelIdOf(item);
    if (id === undefined || isPlaceholder(id) || ownKey?.isIn(id)) {
      dropped++;
    } else {
      const clean = ownKey?.withoutIn(item) ?? item;
      read.set(id, { ...readModel(id, recordOf(clean)), ...read.get(id) });
      items.push(clean);
    }
    yield;
  }
  const models: Model[] = [];
  for (const model of sortedByIds([...read.values()], ({ id }) => id)) {
    // Owners are not read: on many gateways they are constants (wire 1.1).
    const { id, kind = kindByName(id) ?? 'chat' } = model;
    models.push({ ...model, vendor: vendorOf(id), kind, isForChat: kind === 'chat' });
    yield;
  }
  const hasLookUps = created.size === 1 && (created.has(relayCreated) || created.has(liteLlmCreated));
  return { models, dropped, ...(hasLookUps && { hasLookUps }), items };
}

/**
 * Whether an id stands for models and can't be asked: a wildcard of LiteLLM or new-api, or what LiteLLM has in place of
 * the models of a key that has all or none.
 */
function isPlaceholder(id: string): boolean {
  return id.includes('*') || /^(?:all-(?:team|org|proxy)|no-default)-models$/.test(id);
}

/** The items in any of the list shapes of wire 1.1 and wire Q81–Q84; undefined when the body is not a model list. */
export function itemsOf(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) {
    return body;
  }
  if (!isRecord(body)) {
    return undefined;
  }
  for (const name of ['data', 'models']) {
    const value = body[name];
    if (Array.isArray(value)) {
      return value;
    }
    if (isRecord(value)) {
      const inner = value.data ?? value.models;
      if (Array.isArray(inner)) {
        return inner;
      }
      // In a map by id, every value is a record; anything else is the data of another endpoint.
      const entries = Object.entries(value);
      return entries.every(([, item]) => isRecord(item))
        ? entries.map(([id, item]) => ({ id, ...recordOf(item) }))
        : undefined;
    }
  }
  // Go encodes a nil slice as null.
  return body.data === null || body.models === null ? [] : undefined;
}

/**
 * The query of the next page, in the shapes of wire 1.1; undefined after the last one. Of a link, only the query counts:
 * a relay may pass on an address of its upstream.
 */
function nextQuery(body: unknown, items: readonly unknown[]): string | undefined {
  const { object, links, nextPageToken, has_more, next_cursor, last_id } = recordOf(body);
  const link = textOf(recordOf(links).next);
  if (link !== undefined) {
    return /\?[^#]*/.exec(link)?.[0] ?? '';
  }
  const token = textOf(nextPageToken);
  if (token === undefined && has_more !== true) {
    return undefined;
  }
  const cursor = textOf(next_cursor);
  const lastId = textOf(last_id) ?? textOf(recordOf(items.at(-1)).id);
  const last = { [object === 'list' ? 'after' : 'after_id']: lastId ?? '' };
  return `?${new URLSearchParams(token ? { pageToken: token } : cursor ? { cursor } : last)}`;
}

/** What one item of a list states. */
type ReadModel = Omit<Model, 'vendor' | 'kind' | 'isForChat'> & Partial<Pick<Model, 'kind'>>;

/** The `created` of every model on one-api and new-api, and on LiteLLM (wire 1.1). */
const relayCreated = 1_626_777_600;
const liteLlmCreated = 1_677_610_602;
const maxTitleChars = 200;

/** Where gateways state the context size, the most telling first (wire 1.1). */
const contextPaths = [
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_model_len',
  'max_context_length',
  'max_context_window',
  'max_context',
  'contextLength',
  'context_size',
  'model_spec.availableContextTokens',
  'token_limits.context_window',
  'capabilities.limits.max_context_window_tokens',
  'limits.max_context_window_tokens',
  'limit.context',
  'inputTokenLimit',
  'max_input_tokens',
  'limits.max_input_tokens',
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
  'max_output_length',
  'max_output',
  'model_spec.maxCompletionTokens',
  'token_limits.max_output_token_length',
  'context_window.max_output_tokens',
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
  files: ['filein', 'fileinput', 'pdfin', 'pdfinput', 'pdfupload', 'attachment'],
};

/**
 * The exact id of an item, which can also be the id alone. A number in an item counts as an id too. Gemini has `name` in
 * place of `id`, AIHubMix `model_id`, LiteLLM's details `model_name`.
 */
export function modelIdOf(item: unknown): string | undefined {
  const { id, model_id, model_name, name } = recordOf(item);
  return textOf(typeof item === 'string' ? item : (id ?? model_id ?? model_name ?? name));
}

/**
 * Reads one item in any of the dialects of wire 1.1. Only the id is guaranteed (service section 2); every other field
 * may be missing or of any type. It uses no schema, because a list can have tens of thousands of items.
 */
function readModel(id: string, item: LooseRecord): ReadModel {
  const kind = statedKind(id, item);
  const contextTokens = firstAmount(item, contextPaths);
  const outputTokens =
    firstAmount(item, outputPaths) ??
    // On some gateways, this is the context size.
    (contextTokens === undefined ? undefined : firstAmount(item, maxTokensPaths));
  const prices = readPrices(item);
  const abilities = abilitiesOf(item);
  const expiresAt = unixTimeOf(item.expiration_date ?? item.deprecation ?? item.deprecation_date);
  const title = textOf(item.display_name) ?? textOf(item.displayName) ?? textOf(item.name);
  return {
    id,
    ...(kind && { kind }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(prices && { prices }),
    ...(abilities.length > 0 && { abilities }),
    ...(isDeprecated(item) && { isDeprecated: true as const }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(title && title !== id && { title: title.slice(0, maxTitleChars) }),
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

/**
 * Reads the stated abilities: from modalities (OpenRouter, models.dev), from lists of words (Ollama, Vercel, DeepInfra, Lemonade),
 * and from fields that are true (Mistral, Moonshot, LiteLLM, GitHub Copilot).
 */
function abilitiesOf(item: LooseRecord): readonly ModelAbility[] {
  const can = recordOf(item.capabilities);
  const inputs = listOf(modalitiesOf(item, 'input'));
  const lists = [
    ...[item.supported_parameters, item.supported_features, item.capabilities, item.tags, item.features],
    ...[item.labels, recordOf(item.metadata).tags],
  ];
  const words = new Set([...lists.flatMap(listOf).map(plainWord), ...inputs.map((input) => `${plainWord(input)}in`)]);
  const spec = recordOf(recordOf(item.model_spec).capabilities);
  for (const fields of [item, can, recordOf(can.supports), recordOf(item.model_info), spec]) {
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

/** A list, also as AIHubMix has it: in one text, with commas. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
}

/** Mistral states an end date or `archived`, Groq that the model is no longer active, Ark `Retiring` or `Shutdown`. */
function isDeprecated(item: LooseRecord): boolean {
  return (
    [item.deprecated, item.is_deprecated, item.archived].includes(true) ||
    item.active === false ||
    /^(?:deprecated|retiring|shutdown)$/i.test(textOf(item.status) ?? '') ||
    textOf(item.deprecation) !== undefined
  );
}

/** One page of a model list; most gateways have only one. */
export type ModelsPage = {
  readonly items: readonly unknown[];
  /** The query of the next page's address; undefined on the last page. */
  readonly next: string | undefined;
};

/**
 * Reads a complete response to `GET /v1/models`. The body decides and not the status: an error or a list in the body
 * counts under any status (service section 7).
 *
 * @throws GatewayError when the response holds no list.
 */
export function readModelsPage(text: string, answer: AnswerFacts): ModelsPage {
  if (isHtmlLike(text)) {
    throw new GatewayError(webPageProblem(text, answer));
  }
  // Some gateways send a second JSON document after the first.
  const body = parseJson(text) ?? parseJson(new JsonDocuments().push(text)[0] ?? '');
  const error = readErrorBody(body, answer.status);
  if (error) {
    throw new GatewayError(classify(error, answer));
  }
  const items = itemsOf(body);
  if (items) {
    return { items, next: nextQuery(body, items) };
  }
  if (answer.status >= 400) {
    throw new GatewayError(classify(text.trim() === '' ? {} : { message: text.trim() }, answer));
  }
  if (text.trim() === '' && redirects.has(answer.status)) {
    throw new GatewayError({ kind: 'redirected', target: '', ...evidenceOf({}, answer) });
  }
  throw new GatewayError({ kind: 'unreadable', ...evidenceOf({}, answer) });
}

/** The same on every machine. Numbers compare by value, so that `gpt-9` comes before `gpt-10`. */
const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts items by id. Case and leading zeros decide only between otherwise equal ids. */
export function sortedByIds<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => {
    const [one, other] = [idOf(a), idOf(b)];
    return order.compare(one, other) || (one < other ? -1 : 1);
  });
}
