/** How the script behind one model behaves. Read from the model id, so that an id tells a tester what to expect. */
export interface ScriptTraits {
  /** Sends `reasoning_content` deltas before the text. */
  readonly isReasoning: boolean;
  /** Milliseconds between deltas whatever the gateway's own delay is; `undefined` follows the gateway. */
  readonly fixedDelayMs: number | undefined;
  /** Deltas sent per pause; more than one only where a reply would otherwise take minutes. */
  readonly deltasPerPause: number;
  /** How long the text is: `usual`, `ample` (more than ten seconds on the slow model) or `huge` (about 400 KB). */
  readonly length: 'usual' | 'ample' | 'huge';
  /** The `model` echoed in replies, which on many gateways is not the one asked for. */
  readonly echoedModel: string;
}

/** Traits by id: `thinking` or `reasoner` reasons first, `…-slow` is slow, `…-long` is huge, `gpt-…` echoes a dated name. */
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
