/** One model as the gateway lists it. */
export type Model = {
  /** The exact id; it goes into a chat request as it is. */
  readonly id: string;
  readonly vendor: string;
  readonly isForChat: boolean;
  /** Tokens, only when the gateway states them. */
  readonly contextTokens?: number;
  /** The gateway's own display name, when it has one besides the id. */
  readonly title?: string;
  readonly description?: string;
};

export type ModelList = {
  readonly models: readonly Model[];
  /** Items that had no usable id. */
  readonly dropped: number;
};
