import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';

const number = z.number();
const amount = z.int().check(z.minimum(1));
const fraction = number.check(z.minimum(0), z.maximum(1));
const penalty = number.check(z.minimum(-2), z.maximum(2));
const word = z.string().check(z.minLength(1), z.maxLength(64));

/**
 * The request options that a caller may set, by their names on the wire. No others are sent: in particular, a caller
 * can't set the model, the messages, streaming or the number of replies to pay for.
 */
const options = {
  temperature: number.check(z.minimum(0), z.maximum(2)),
  top_p: fraction,
  top_k: z.int().check(z.minimum(0)),
  min_p: fraction,
  max_tokens: amount,
  max_completion_tokens: amount,
  stop: z.union([z.string(), z.array(z.string()).check(z.maxLength(16))]),
  seed: z.int(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: z.record(z.string(), number),
  parallel_tool_calls: z.boolean(),
  reasoning_effort: word,
  verbosity: word,
  response_format: z.looseObject({ type: word }),
} as const;

export type ModelOptions = { readonly [Name in keyof typeof options]?: unknown };

/**
 * Reads the `modelOptions` of a caller. Unknown names are ignored, because VS Code's Chat adds its own. An invalid
 * value is an error, so that the caller doesn't pay for a different request.
 */
export function readModelOptions(
  given: unknown,
): { readonly ok: true; readonly options: ModelOptions } | { readonly ok: false; readonly reason: string } {
  const values: ReadonlyMap<string, unknown> = new Map(
    typeof given === 'object' && given !== null ? Object.entries(given) : [],
  );
  const read: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(options)) {
    const value = values.get(name) ?? undefined;
    if (value === undefined) {
      continue;
    }
    const parsed = z.safeParse<typeof schema>(schema, value);
    if (!parsed.success) {
      return { ok: false, reason: l10n.t('The model option {0} has an invalid value, so nothing was sent.', name) };
    }
    read.push([name, parsed.data]);
  }
  return { ok: true, options: Object.fromEntries(read) };
}
