import * as z from 'zod/mini';

/** The calls that are needed before a ratio counts. */
const neededCalls = 3;
/** The weight of the latest call, once there are enough of them; before, all calls weigh the same. */
const latestWeight = 0.2;
/** Below this estimate, what the gateway adds to each message would count for more than the tokenizer. */
const smallestEstimate = 100;
const lowest = 0.5;
const highest = 2;
const mostModels = 200;

const storedRatio = z.object({
  model: z.string(),
  ratio: z.number().check(z.minimum(lowest), z.maximum(highest)),
  calls: z.int().check(z.minimum(1)),
});

type TokenRatio = Readonly<z.infer<typeof storedRatio>>;

/** What one call says about the tokenizer of its model. */
export type CountedInput = {
  /** `estimateTokens` of the whole input, without a factor. */
  readonly estimate: number;
  /** The prompt tokens that the gateway reported. */
  readonly reported: number | undefined;
  /** Whether the input had only text: neither images nor tools, whose tokens vendors count in ways of their own. */
  readonly isOnlyText: boolean;
  /** Whether the gateway reported cached tokens: some count them among the prompt tokens, and others beside them. */
  readonly isCached: boolean;
};

/**
 * How many tokens the gateway reports for each estimated one, by model: a mean in which recent calls weigh more.
 * `JSON.stringify` writes it, and the constructor reads it back; it drops what it doesn't know.
 */
export class TokenRatios {
  /** By model ID, in the order of their latest calls. */
  readonly #ratios = new Map<string, TokenRatio>();

  constructor(stored?: unknown) {
    for (const each of Array.isArray(stored) ? stored : []) {
      const { success, data } = z.safeParse(storedRatio, each);
      if (success) {
        this.#put(data);
      }
    }
  }

  /** Learns from a call. @returns false if it says nothing about the tokenizer. */
  learn(model: string, { estimate, reported, isOnlyText, isCached }: CountedInput): boolean {
    if (!isOnlyText || isCached || !(estimate >= smallestEstimate) || !(reported !== undefined && reported > 0)) {
      return false;
    }
    const latest = Math.min(highest, Math.max(lowest, reported / estimate));
    const { ratio, calls } = this.#ratios.get(model) ?? { ratio: latest, calls: 0 };
    const weight = Math.max(latestWeight, 1 / (calls + 1));
    // Rounding could otherwise lead out of the range of the two, where the ratio couldn't be read back.
    const mean = Math.min(highest, Math.max(lowest, ratio + (latest - ratio) * weight));
    this.#put({ model, ratio: mean, calls: calls + 1 });
    return true;
  }

  /** What to multiply an estimate for this model with: 0.5 to 2, and 1 while too few calls were counted. */
  factor(model: string): number {
    const known = this.#ratios.get(model);
    return known === undefined || known.calls < neededCalls ? 1 : known.ratio;
  }

  toJSON(): readonly TokenRatio[] {
    return [...this.#ratios.values()];
  }

  /** Forgets the model whose latest call is the longest ago when there are too many. */
  #put(ratio: TokenRatio): void {
    this.#ratios.delete(ratio.model);
    this.#ratios.set(ratio.model, ratio);
    for (const model of this.#ratios.keys()) {
      if (this.#ratios.size <= mostModels) {
        break;
      }
      this.#ratios.delete(model);
    }
  }
}
