import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../../base/localization.ts';
import type { ModelList } from './model.ts';

/** Says what is missing from a list: models whose ids contain the key, and further pages; empty when nothing is. */
export function leftOutModels({ withKey = 0, isPartial }: ModelList): string {
  return sentences(
    withKey > 0 &&
      plural(
        withKey,
        l10n.t("{0} model is left out because its ID contains this connection's key.", numberText(withKey)),
        l10n.t("{0} models are left out because their IDs contain this connection's key.", numberText(withKey)),
      ),
    isPartial && l10n.t("The gateway's list has more pages, which weren't read."),
  );
}
