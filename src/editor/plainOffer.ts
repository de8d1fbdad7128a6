import type { OfferedModel } from '../core/languageModel/offeredModels.ts';
import type { Steps } from '../core/shortTurns.ts';
import { plainLabel } from './ui/plainText.ts';

/** What is offered, with words of gateway and person that VS Code shows as they are. */
export function* plainOffer(models: readonly OfferedModel[]): Steps<OfferedModel[]> {
  const all: OfferedModel[] = [];
  for (const model of models) {
    all.push({ ...model, name: plainLabel(model.name), detail: plainLabel(model.detail) });
    yield;
  }
  return all;
}
