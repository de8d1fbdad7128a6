/** No model has a smaller or a larger context window. */
const [smallest, largest] = [256, 100_000_000];

/**
 * The context window that a gateway states when it refuses a request for its length, in tokens. Vendors write “maximum
 * context length is 8192 tokens” or “9000 tokens > 8192 maximum” (wire Q50).
 *
 * @returns undefined when it states none.
 */
export function statedWindow(words: string | undefined): number | undefined {
  const found = /(?:context (?:length|size|window|limit)|maximum|limit)\D{0,30}?(\d[\d,]*)|> ?(\d[\d,]*)/i.exec(
    words ?? '',
  );
  const tokens = Number((found?.[1] ?? found?.[2] ?? '').replaceAll(',', ''));
  return tokens >= smallest && tokens <= largest ? tokens : undefined;
}
