import type { Steps } from '../../base/shortTurns.ts';
import type { ModelList } from '../list/model.ts';

/** Looked at in one step. */
const modelsAStep = 500;

/**
 * Which models a list has that the list read before had not. Without a list before nothing is new, or else everything
 * would be.
 *
 * @param still ids that count as new although the list before had them.
 */
export function* newModels(
  list: ModelList,
  before: ModelList | undefined,
  still: ReadonlySet<string>,
): Steps<Set<string>> {
  const news = new Set<string>();
  if (before === undefined) {
    return news;
  }
  const known = new Set<string>();
  for (const [index, { id }] of before.models.entries()) {
    known.add(id);
    if (index % modelsAStep === 0) {
      yield;
    }
  }
  for (const [index, { id }] of list.models.entries()) {
    if (!known.has(id) || still.has(id)) {
      news.add(id);
    }
    if (index % modelsAStep === 0) {
      yield;
    }
  }
  return news;
}
