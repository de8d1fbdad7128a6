import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { readModelList as steps } from '../../../../../src/core/models/list/modelList.ts';
import { runToEnd } from '../../base/runToEnd.ts';

/** Reads a list synchronously, without pauses. */
export function readModelList(body: unknown): ModelListAnswer | undefined {
  return runToEnd(steps(body));
}
