import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';
import type { ModelList } from './model.ts';

/** Says how many models were left out of a list because their ids contain the key; empty when there are none. */
export function leftOutForKey({ withKey = 0 }: Pick<ModelList, 'withKey'>): string {
  return withKey === 0
    ? ''
    : plural(
        withKey,
        l10n.t("{0} model is left out because its ID contains this connection's key.", numberText(withKey)),
        l10n.t("{0} models are left out because their IDs contain this connection's key.", numberText(withKey)),
      );
}
