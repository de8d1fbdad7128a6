import { faults } from '../faultTable.ts';

/** The number of quirks, which are numbered Q1 to Q93. */
export const quirkCount = 93;

/** How this gateway shows one quirk. */
export interface QuirkCover {
  readonly quirk: string;
  /** The faults that show it; empty if there is a reason. */
  readonly faults: readonly string[];
  /** What shows it instead of a fault, or why no server can show it. */
  readonly reason: string | undefined;
}

/** Faults that are listed under another quirk but show this one too. */
const alsoShownBy: Readonly<Record<string, readonly string[]>> = {
  Q1: ['byte-by-byte'],
  Q5: ['error-mid-stream'],
  Q26: ['nothing-after-role'],
  Q27: ['usage-null-chunks', 'usage-repeats-finish', 'usage-in-x-groq', 'usage-then-text'],
  Q31: ['error-in-choice', 'error-as-event', 'error-as-field'],
  Q37: ['error-success-false', 'error-untyped-200', 'error-code-wrapper', 'error-empty', 'error-first-event'],
  Q54: ['good-under-500', 'error-200'],
  Q55: ['error-nested-json'],
  Q56: ['key-rejected', 'saturated', 'no-channel-chinese', 'request-limit'],
  Q70: ['stalled', 'never-answers', 'late-headers', 'pings-only'],
  Q71: ['clean-end-without-finish', 'gzip-cut'],
  Q80: ['html-200'],
  Q84: ['models-gemini', 'models-twin'],
  Q90: ['stalled', 'late-first-event'],
};

/** Quirks that no fault can show: they happen before a request arrives, or only in the client. */
const reasons: Readonly<Record<string, string>> = {
  Q62: 'what a person types; the gateway answers /v1/v1 and every other wrong path with 404 Invalid URL',
  Q63: 'what a person types; http://127.0.0.1:PORT/fault/none/v1 is a base URL with a path before its version',
  Q64: 'name resolution; the gateway listens on 127.0.0.1 alone, so [::1] of the same port is refused',
  Q65: 'what a person types; no request leaves',
  Q66: 'a decision before the request; a loopback gateway can not be a public host',
  Q68: 'the handshake comes before any request: --tls self-signed, unknown-authority, unknown-chain, no-chain, expired, not-yet-valid, wrong-host',
  Q69: 'happens inside the client: a patched fetch drops its timers; stalled and never-answers give the silence for it',
  Q87: 'what a person pastes; no request leaves, and the gateway records the headers of those that do',
  Q93: 'the attempts of a gateway at its own upstream do not show on its wire; the usage log counts those of the client',
};

/** Returns all quirks in order, each with what shows it. */
export function coverQuirks(): QuirkCover[] {
  return Array.from({ length: quirkCount }, (_, index) => {
    const quirk = `Q${index + 1}`;
    const own = faults.filter((fault) => fault.quirk === quirk).map((fault) => fault.name);
    return { quirk, faults: [...own, ...(alsoShownBy[quirk] ?? [])], reason: reasons[quirk] };
  });
}

/** Returns the list as text, one quirk per line. */
export function listQuirks(): string {
  return coverQuirks()
    .map(
      ({ quirk, faults: names, reason }) =>
        `${quirk.padEnd(4)} ${reason === undefined ? names.join(', ') : `— ${reason}`}`,
    )
    .join('\n');
}
