import type { OfferedModel } from '../../core/languageModel/offeredModels.ts';
import { plainLabel, plainMarkdown } from '../ui/plainText.ts';

/** Matches an id that Markdown would show as a link; an id can't be escaped, because it is sent as it is. */
const linkInId = /\][([:]|[<\p{Cc}]/u;

/**
 * Escapes the texts in offered models that come from the gateway or the person. VS Code's list of models shows name and
 * id as Markdown whose links can run commands, so a model with a link in its id isn't offered; our own list still shows
 * it.
 */
export function plainOffer(models: readonly OfferedModel[]): OfferedModel[] {
  return models
    .filter(({ id }) => !linkInId.test(id))
    .map((model) => ({
      ...model,
      name: plainMarkdown(model.name),
      detail: plainLabel(model.detail),
      tooltip: plainMarkdown(model.tooltip),
    }));
}
