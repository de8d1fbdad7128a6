const dayMs = 86_400_000;
const partMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: dayMs } as const;

/**
 * How long a gateway asks to wait: `Retry-After` in seconds, with or without a fraction, as a date, or a header with
 * `-ms` (wire Q44). Without one, the time until a rate limit that is used up resets (wire 1.5).
 *
 * @param now Unix milliseconds.
 * @returns milliseconds, at most a day; undefined when there is no plausible value.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = headers['retry-after-ms']?.trim() || headers['x-ms-retry-after-ms']?.trim() || undefined;
  const seconds = headers['retry-after']?.trim() || undefined;
  let delay = ms === undefined ? Number.NaN : Number(ms);
  if (!Number.isFinite(delay) && seconds !== undefined) {
    delay = Number(seconds) * 1_000;
    if (!Number.isFinite(delay)) {
      delay = Date.parse(seconds) - now;
    }
  }
  const asked = Number.isFinite(delay) ? delay : (limitReset(headers, now) ?? Number.NaN);
  return Number.isFinite(asked) && asked >= 0 ? Math.min(asked, dayMs) : undefined;
}

/** The delay until the last of the used-up limits resets. */
function limitReset(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const resets = ['', '-requests', '-tokens'].flatMap((limit) => {
    const remaining = headers[`x-ratelimit-remaining${limit}`]?.trim();
    const reset = headers[`x-ratelimit-reset${limit}`]?.trim();
    const isUsedUp = remaining !== undefined && remaining !== '' && Number(remaining) <= 0;
    const delay = isUsedUp && reset ? resetDelay(reset, now) : undefined;
    return delay === undefined || delay < 0 ? [] : [delay];
  });
  return resets.length === 0 ? undefined : Math.max(...resets);
}

/** Reads `1m30s` or `120ms`, seconds from now, seconds or milliseconds since 1970, or a date. */
function resetDelay(text: string, now: number): number | undefined {
  if (/^(?:\d{1,15}(?:\.\d{1,15})?(?:ms|[smhd])){1,8}$/.test(text)) {
    const parts = text.matchAll(/(\d{1,15}(?:\.\d{1,15})?)(ms|[smhd])/g);
    return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * partMs[unit as keyof typeof partMs], 0);
  }
  const value = Number(text);
  if (Number.isFinite(value)) {
    return value >= 1e11 ? value - now : value >= 1e9 ? value * 1_000 - now : value * 1_000;
  }
  const at = Date.parse(text);
  return Number.isFinite(at) ? at - now : undefined;
}
