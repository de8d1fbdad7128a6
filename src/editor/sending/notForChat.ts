import * as l10n from '@vscode/l10n';
import type { Model } from '../../core/models/list/model.ts';
import { kindText } from '../models/modelFacts.ts';

/** Says that a model doesn't seem to answer questions; undefined for one that does, and for an unknown one. */
export function notForChatText(model: Model | undefined): string | undefined {
  return model === undefined || model.isForChat
    ? undefined
    : l10n.t(
        "{0} doesn't seem to be a chat model ({1}). The gateway may reject the question.",
        model.id,
        kindText(model.kind),
      );
}
