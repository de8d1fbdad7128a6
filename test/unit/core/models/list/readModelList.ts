import type { Steps } from '../../../../../src/core/base/runInSlices.ts';
import type { ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { itemsOf, readModelList as steps } from '../../../../../src/core/models/list/modelList.ts';

/** Reads a list synchronously, without pauses. */
export function readModelList(body: unknown): ModelListAnswer | undefined {
  const items = itemsOf(body);
  return items && runToEnd(steps(items));
}

export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}
