import type { Steps } from '../../core/base/shortTurns.ts';
import type { OfferedModel } from '../../core/languageModel/offeredModels.ts';
import { plainLabel, plainMarkdown } from '../ui/plainText.ts';

/** A model whose id would be a link: an id can't be written in another way and still be asked. */
const linkInId = /\][([:]|[<\p{Cc}]/u;

/**
 * What is offered, with words of gateway and person that VS Code shows as they are. Its list of models shows name and id
 * as Markdown whose links may run commands. A model with such a link in its id is not offered; in our own list it stays.
 */
export function* plainOffer(models: readonly OfferedModel[]): Steps<OfferedModel[]> {
  const all: OfferedModel[] = [];
  for (const model of models) {
    if (!linkInId.test(model.id)) {
      const { name, detail, tooltip } = model;
      all.push({ ...model, name: plainMarkdown(name), detail: plainLabel(detail), tooltip: plainMarkdown(tooltip) });
    }
    yield;
  }
  return all;
}
