import * as z from 'zod';

const reply = z.looseObject({
  error: z.unknown().optional(),
  usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish().catch(undefined),
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullish() }).nullish().catch(undefined),
        message: z.looseObject({ content: z.string().nullish() }).nullish().catch(undefined),
      }),
    )
    .nullish()
    .catch(undefined),
});

/** Reads a forwarded answer, streamed or whole, and extracts its usage, its text, and whether it failed. */
export class ReportedUsage {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #text = '';
  #hasFailed = false;
  #usage: { prompt_tokens: number; completion_tokens: number } | undefined;

  get promptTokens(): number | undefined {
    return this.#usage?.prompt_tokens;
  }

  get completionTokens(): number | undefined {
    return this.#usage?.completion_tokens;
  }

  /** The reply's text so far. */
  get text(): string {
    return this.#text;
  }

  /** Whether the answer contains an `error`. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  add(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    // A body that isn't streamed may be JSON over several lines, so keep its lines together until the end.
    if (/^\s*\{/.test(lines[0] ?? this.#rest)) {
      this.#rest = [...lines, this.#rest].join('\n');
      return;
    }
    for (const line of lines) {
      this.#read(line);
    }
  }

  end(): void {
    this.#read(this.#rest);
  }

  #read(line: string): void {
    const json = line.startsWith('data:') ? line.slice(5) : line;
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      return;
    }
    const parsed = reply.safeParse(value);
    if (parsed.success) {
      const { error, usage, choices } = parsed.data;
      this.#hasFailed ||= error !== undefined && error !== null;
      this.#usage = usage ?? this.#usage;
      for (const choice of choices ?? []) {
        this.#text += choice.delta?.content ?? choice.message?.content ?? '';
      }
    }
  }
}
