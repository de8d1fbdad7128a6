/** How the script of a model behaves. The traits follow from the model id, so that the id shows what to expect. */
export interface ScriptTraits {
  /** Sends `reasoning_content` deltas before the text. */
  readonly isReasoning: boolean;
  /** Milliseconds between deltas, instead of the gateway's own delay; `undefined` to use the gateway's. */
  readonly fixedDelayMs: number | undefined;
  /** The number of deltas per pause; more than one only if a reply would otherwise take minutes. */
  readonly deltasPerPause: number;
  /** The length of the text: `usual`, `ample` (more than ten seconds on the slow model) or `huge` (about 400 KB). */
  readonly length: 'usual' | 'ample' | 'huge';
  /** The `model` that replies name, which on many gateways differs from the requested one. */
  readonly echoedModel: string;
}

/** Derives traits: `thinking` and `reasoner` reason first, `…-slow` is slow, `…-long` huge, `gpt-…` echoes a date. */
export function scriptedTraits(id: string): ScriptTraits {
  const isSlow = id.endsWith('-slow');
  const isLong = id.endsWith('-long');
  return {
    isReasoning: /reasoner|thinking/.test(id),
    fixedDelayMs: isSlow ? 150 : undefined,
    deltasPerPause: isLong ? 40 : 1,
    length: isLong ? 'huge' : isSlow ? 'ample' : 'usual',
    echoedModel: id.startsWith('gpt-') ? `${id}-2026-04-14` : id,
  };
}
