export const modelKinds = ['chat', 'embedding', 'image', 'speech', 'video', 'rerank', 'moderation', 'other'] as const;

/** What a model is for. Only `chat` takes questions; a wrong guess moves a model to another group and hides nothing. */
export type ModelKind = (typeof modelKinds)[number];

export type ModelAbility = 'vision' | 'tools' | 'reasoning' | 'audio' | 'video' | 'files';

/** As the gateway states them, in US dollars; there only when the shape of the list tells the unit (wire 1.1). */
export type ModelPrices = {
  /** For a million tokens of the question. */
  readonly input?: number;
  /** For a million tokens of the reply. */
  readonly output?: number;
  /** For a million tokens of the question that the gateway had seen before. */
  readonly cachedInput?: number;
  /** For each call, besides its tokens. */
  readonly perRequest?: number;
  readonly unit: 'USD';
};

/** One model as the gateway lists it. What the gateway does not state is not there. */
export type Model = {
  /** The exact id; it goes into a chat request as it is. */
  readonly id: string;
  /** Who made it; `Other` when nothing tells. */
  readonly vendor: string;
  readonly kind: ModelKind;
  /** The kind is `chat`. */
  readonly isForChat: boolean;
  /** How many tokens question and reply have room in together. */
  readonly contextTokens?: number;
  /** The longest reply, in tokens. */
  readonly outputTokens?: number;
  readonly prices?: ModelPrices;
  /** Ways it can be called, in the gateway's own words. */
  readonly endpoints?: readonly string[];
  readonly abilities?: readonly ModelAbility[];
  readonly isDeprecated?: true;
  /** When it will be gone, in Unix milliseconds. */
  readonly expiresAt?: number;
  /** The gateway's own display name, when it has one besides the id. */
  readonly title?: string;
};

export type ModelList = {
  readonly models: readonly Model[];
  /** Items that had no usable id. */
  readonly dropped: number;
  /** Models left out because the key is in their id, so that it can be neither shown nor sent. */
  readonly withKey?: number;
};

/** What a gateway wrote of each model of a list, as JSON, by exact id. */
export type ModelItems = {
  /** @returns the item; an array of all its items when the id was listed more than once; undefined when there is none. */
  get(id: string): string | undefined;
};

/** A list as it was just read, with the gateway's own words about each model. */
export type ModelListAnswer = ModelList & {
  readonly items: ModelItems;
};
