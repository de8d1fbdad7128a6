import * as z from 'zod/mini';
import { recordOf } from '../base/loose.ts';

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
  /**
   * Whether the gateway reported tokens that were read from a cache or written to it: some count them among the prompt
   * tokens, and others beside them.
   */
  readonly isCached: boolean;
};

export type TokenRatioMemory = {
  /** The stored ratios, as passed to `write`; may be a value of any type. */
  read(): unknown;
  write(ratios: readonly object[]): PromiseLike<void>;
};

/**
 * How many tokens the gateway reports for each estimated one, by model: a mean in which recent calls weigh more. It is
 * read for each use and never held here, because other windows learn too, and may delete all of it.
 */
export class TokenRatios {
  readonly #memory: TokenRatioMemory;

  constructor(memory: TokenRatioMemory) {
    this.#memory = memory;
  }

  /** Learns from a call, if it says something about the tokenizer. */
  async learn(model: string, { estimate, reported, isOnlyText, isCached }: CountedInput): Promise<void> {
    if (!isOnlyText || isCached || !(estimate >= smallestEstimate) || !(reported !== undefined && reported > 0)) {
      return;
    }
    const ratios = this.#read();
    const latest = Math.min(highest, Math.max(lowest, reported / estimate));
    const { ratio, calls } = ratios.findLast((each) => each.model === model) ?? { ratio: latest, calls: 0 };
    const weight = Math.max(latestWeight, 1 / (calls + 1));
    // Rounding could otherwise lead out of the range of the two, where the ratio couldn't be read back.
    const mean = Math.min(highest, Math.max(lowest, ratio + (latest - ratio) * weight));
    const others = ratios.filter((each) => each.model !== model);
    // In the order of their latest calls: when there are too many, the first is the one called the longest ago.
    await this.#memory.write([...others, { model, ratio: mean, calls: calls + 1 }].slice(-mostModels));
  }

  /** What to multiply an estimate for this model with: 0.5 to 2, and 1 while too few calls were counted. */
  factor(model: string): number {
    const known = this.#read((each) => recordOf(each).model === model).at(-1);
    return known === undefined || known.calls < neededCalls ? 1 : known.ratio;
  }

  /** The stored ratios that are valid. @param isWanted selects them before they are checked, which takes longer. */
  #read(isWanted: (each: unknown) => boolean = () => true): TokenRatio[] {
    const stored: unknown = this.#memory.read();
    return (Array.isArray(stored) ? stored : []).filter(isWanted).flatMap((each) => {
      const { success, data } = z.safeParse(storedRatio, each);
      return success ? [data] : [];
    });
  }
}
