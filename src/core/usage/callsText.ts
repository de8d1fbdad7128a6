import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../base/localization.ts';

/** Such as “3 calls, 1.2K tokens”; without tokens if none were reported. */
export function callsText(calls: number, tokens: number): string {
  const made = plural(calls, l10n.t('{0} call', numberText(calls)), l10n.t('{0} calls', numberText(calls)));
  if (tokens === 0) {
    return made;
  }
  const args = [made, l10n.t('{0} tokens', numberText(tokens, { notation: 'compact' }))];
  return l10n.t({ message: '{0}, {1}', args, comment: ['A number of calls, then a number of tokens'] });
}

/** Such as “gpt-5: 3 calls, 1.2K tokens”. */
export function callsOf(name: string, calls: number, tokens: number): string {
  const args = [name, callsText(calls, tokens)];
  return l10n.t({ message: '{0}: {1}', args, comment: ['A name, then what is said about it'] });
}
