import { atOnce } from '../../../../../src/core/base/shortTurns.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { readModelList as steps } from '../../../../../src/core/models/list/modelList.ts';

/** Reads a list without a break. */
export function readModelList(body: unknown): ModelListAnswer | undefined {
  return atOnce(steps(body));
}
