import * as l10n from '@vscode/l10n';
import { estimatedTokensText, numberText } from './localization.ts';

/** The context window of a model, in tokens: all of it, and what a prompt may have so that room for an answer remains. */
export type ContextWindow = { readonly size: number; readonly prompt: number };

/**
 * The size of a request in words, to be joined by a dot: “≈ 12,400 tokens”, “9% of 128K”.
 *
 * @param tokens estimated for the model.
 */
export function requestSizeTexts(tokens: number, { size, prompt }: ContextWindow): string[] {
  const share = tokens / size;
  const percent = numberText(Math.max(0.01, share), { style: 'percent', maximumFractionDigits: 0 });
  const args = [percent, shortNumberText(size)];
  return [
    estimatedTokensText(tokens),
    share < 0.01
      ? l10n.t({ message: 'under {0} of {1}', args, comment: ['A part of the context window'] })
      : l10n.t({ message: '{0} of {1}', args, comment: ['A part of the context window'] }),
    ...(tokens > prompt ? [l10n.t("doesn't fit")] : []),
  ];
}

/** A large number in a short form such as `128K` or `1M`. */
export function shortNumberText(value: number): string {
  return value >= 1_000_000
    ? `${numberText(value / 1_000_000, { maximumFractionDigits: 1 })}M`
    : value >= 1_000
      ? `${Math.round(value / 1_000)}K`
      : String(value);
}
