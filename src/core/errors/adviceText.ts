import * as l10n from '@vscode/l10n';

/** What happened, without a full stop, and what to do about it, in whole sentences. */
export type AdviceWords = { readonly title: string; readonly remedy: string };

/** The title and remedy of an advice as one text, for places without a separate title. */
export function adviceText({ title, remedy }: AdviceWords): string {
  return remedy === ''
    ? l10n.t({ message: '{0}.', args: [title], comment: ['A title as a sentence'] })
    : l10n.t({ message: '{0}. {1}', args: [title, remedy], comment: ['A title, then a sentence'] });
}
