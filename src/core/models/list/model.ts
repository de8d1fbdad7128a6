import * as l10n from '@vscode/l10n';
import { plural } from '../../base/localization.ts';

export const modelKinds = ['chat', 'embedding', 'image', 'speech', 'video', 'rerank', 'moderation', 'other'] as const;

/**
 * What a model is for. Only `chat` models answer questions. A wrong guess puts a model into another group, but never
 * hides it.
 */
export type ModelKind = (typeof modelKinds)[number];

export const modelAbilities = ['vision', 'tools', 'reasoning', 'audio', 'video', 'files'] as const;
export type ModelAbility = (typeof modelAbilities)[number];

type TokenPrices = {
  /** Per million prompt tokens. */
  readonly input?: number;
  /** Per million completion tokens. */
  readonly output?: number;
  /** Per million prompt tokens that the gateway has cached. */
  readonly cachedInput?: number;
  /** Per million prompt tokens that the vendor caches for later calls. */
  readonly cacheWrite?: number;
};

/** Prices; those of the model list are present only when the shape of the list implies their unit (wire 1.1). */
export type ModelPrices = TokenPrices & {
  /** Per call, in addition to its tokens. */
  readonly perRequest?: number;
  /** The prices of all tokens of a call whose prompt has more than `above`. */
  readonly longPrompts?: TokenPrices & { readonly above: number; readonly input: number; readonly output: number };
  /** See `Money`. */
  readonly unit: string;
};

/** One model as the gateway lists it. A field that the gateway does not state is absent. */
export type Model = {
  /** The exact id, sent unchanged in a chat request. */
  readonly id: string;
  /** Who made it; `Other` when unknown. */
  readonly vendor: string;
  readonly kind: ModelKind;
  /** Whether the kind is `chat`. */
  readonly isForChat: boolean;
  /** The context size in tokens: prompt and completion together. */
  readonly contextTokens?: number;
  /** The longest reply, in tokens. */
  readonly outputTokens?: number;
  readonly prices?: ModelPrices;
  readonly abilities?: readonly ModelAbility[];
  readonly isDeprecated?: true;
  /** When the gateway will remove it, in Unix milliseconds. */
  readonly expiresAt?: number;
  /** The gateway's display name, when it differs from the id. */
  readonly title?: string;
};

export type ModelList = {
  readonly models: readonly Model[];
  /** How many items had no usable id: one that contains the key can be neither shown nor sent, and some are no model's. */
  readonly dropped: number;
  /** The gateway has further pages, which weren't read. */
  readonly isPartial?: true;
  /** It is in the words of new-api, one-api or LiteLLM, which say a key's balance when asked. */
  readonly hasLookUps?: true;
};

/** A list as it was just read, with the gateway's own items in its order. */
export type ModelListAnswer = ModelList & { readonly items: readonly unknown[] };

/** A number of models, such as “12 models”. */
export function modelCount(count: number): string {
  return plural(count, l10n.t('{0} model'), l10n.t('{0} models'));
}

/** Says that a list has further pages; undefined when it has none. */
export function leftOutModels({ isPartial }: ModelList): string | undefined {
  return isPartial && l10n.t("The gateway's list has more pages, which weren't read.");
}
