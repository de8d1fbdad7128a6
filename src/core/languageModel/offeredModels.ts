import type { Steps } from '../base/shortTurns.ts';
import type { Connection } from '../connections/connection.ts';
import type { Catalogue } from '../models/catalogue/catalogue.ts';
import { shownModels } from '../models/catalogue/shownGroups.ts';
import type { Model } from '../models/list/model.ts';

/** A model as it is offered to the rest of VS Code: `LanguageModelChatInformation`, and whose it is. */
export type OfferedModel = {
  /** The exact id; it goes into a chat request as it is. */
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly version: string;
  readonly detail: string;
  readonly tooltip: string;
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly capabilities: { readonly toolCalling: boolean; readonly imageInput: boolean };
  readonly connectionId: string;
};

export type OfferSource = Pick<Catalogue, 'view' | 'state' | 'defaultModel' | 'favourites'>;

/** When a gateway does not state the context: less than general models have today, and room for an agent's prompt. */
const assumedContextTokens = 65_536;
const assumedOutputTokens = 8_192;

/**
 * The models of the connection in use that take questions: what is in its list for chat, and what a person typed by
 * hand. First the default one, then favourites, because many callers take the first; the others by id.
 */
export function* offeredModels(source: OfferSource): Steps<readonly OfferedModel[]> {
  const connection = offeringConnection(source);
  if (connection === undefined) {
    return [];
  }
  const open = [...shownModels(source).values()].filter(
    ({ model, isGone, isManual }) => !isGone && (model ? model.isForChat : isManual),
  );
  const first = new Set([source.defaultModel, ...source.favourites]);
  const byId = new Map(open.map((each) => [each.id, each]));
  const ordered = [...[...first].flatMap((id) => byId.get(id ?? '') ?? []), ...open.filter(({ id }) => !first.has(id))];
  const listed = open.flatMap(({ model }) => model ?? []);
  const stated = {
    tools: listed.some(({ abilities }) => abilities?.includes('tools')),
    vision: listed.some(({ abilities }) => abilities?.includes('vision')),
  };
  const titles = new Map<string, number>();
  for (const { title } of listed) {
    titles.set(title ?? '', (titles.get(title ?? '') ?? 0) + 1);
  }
  const { name: detail, id: connectionId, url } = connection;
  const { host } = new URL(url.base);
  const offered: OfferedModel[] = [];
  for (const { id, model } of ordered) {
    const limits = limitsOf(model);
    const context = limits.isAssumed
      ? `The gateway does not state its context; ${limits.context.toLocaleString('en')} tokens are assumed.`
      : `Context: ${limits.context.toLocaleString('en')} tokens.`;
    offered.push({
      id,
      // Two of the same name could not be told apart where only names are shown.
      name: model?.title && titles.get(model.title) === 1 ? model.title : id,
      ...familyOf(id),
      detail,
      tooltip: `${id} at ${host}. ${context} Each request is a paid call with your key.`,
      maxInputTokens: limits.context - limits.output,
      maxOutputTokens: limits.output,
      capabilities: {
        toolCalling: can(model, 'tools', stated.tools, true),
        imageInput: can(model, 'vision', stated.vision, seesImages(id)),
      },
      connectionId,
    });
    yield;
  }
  return offered;
}

/** @returns whose models are offered; undefined when there is nobody whose models could be asked. */
export function offeringConnection({ state }: Pick<OfferSource, 'state'>): Connection | undefined {
  return state.status.startsWith('key') ? undefined : state.connection;
}

/** Whether two offers are the same to whoever reads them. */
export function* isSameOffer(one: readonly OfferedModel[], other: readonly OfferedModel[]): Steps<boolean> {
  if (one === other || one.length !== other.length) {
    return one === other;
  }
  for (const [index, each] of one.entries()) {
    const that = other[index];
    if (that === undefined || !isSame(each, that)) {
      return false;
    }
    yield;
  }
  return true;
}

function isSame(one: OfferedModel, other: OfferedModel): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.detail === other.detail &&
    one.tooltip === other.tooltip &&
    one.maxInputTokens === other.maxInputTokens &&
    one.maxOutputTokens === other.maxOutputTokens &&
    one.capabilities.toolCalling === other.capabilities.toolCalling &&
    one.capabilities.imageInput === other.capabilities.imageInput &&
    one.connectionId === other.connectionId
  );
}

/**
 * What the item states counts. When it states nothing of it but other items of the list do, then it can not; in a list
 * that says nothing of the matter, as most do, the assumption holds.
 */
function can(model: Model | undefined, ability: 'tools' | 'vision', isStated: boolean, assumed: boolean): boolean {
  return model && isStated ? (model.abilities?.includes(ability) ?? false) : assumed;
}

/** A stated output limit can be as large as the context; half of it at least stays for the question. */
function limitsOf(model: Model | undefined): { context: number; output: number; isAssumed: boolean } {
  const { contextTokens, outputTokens } = model ?? {};
  const context = contextTokens ?? Math.max(assumedContextTokens, 2 * (outputTokens ?? 0));
  const output = Math.min(outputTokens ?? assumedOutputTokens, Math.floor(context / 2));
  return { context, output, isAssumed: contextTokens === undefined };
}

/** `openai/gpt-4o-2024-08-06`: the family is `gpt-4o`, the version its date. Without one the whole id is the version. */
function familyOf(id: string): { family: string; version: string } {
  const name = id.slice(id.lastIndexOf('/') + 1).replace(/:[\w.-]*$/, '') || id;
  const match = /^(.+?)[-@](\d{4}-\d\d-\d\d|20\d{6}|latest)$/.exec(name);
  return { family: match?.[1] ?? name, version: match?.[2] ?? id };
}

/**
 * Families whose makers document image input, as ids begin or as parts of ids say it. Asked only for lists that state
 * nothing of the matter. A wrong yes costs one rejected request, a wrong no keeps images out.
 */
const seeing =
  /(?:^|[/.:])(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o[34](?:-|$)|claude-(?:3|opus|sonnet|haiku)|gemini|gemma-3|pixtral|mistral-(?:medium|small)-?[23]|llama-4|grok-4|qwen3\.5|kimi-k2\.5|nova-(?:lite|pro|premier))|(?:^|[-/.])(?:vl|vision|omni)(?:[-:.\d]|$)|(?:glm-4(?:\.\d)?v)/i;
const blind = /o3-mini|gpt-4o.{0,100}(?:audio|realtime|transcribe|tts)/i;

/** Whether a model of this name is known to take images. */
function seesImages(id: string): boolean {
  const name = id.slice(-200);
  return seeing.test(name) && !blind.test(name);
}
