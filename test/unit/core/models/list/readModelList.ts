import { readFileSync } from 'node:fs';
import type { Steps } from '../../../../../src/core/base/runInSlices.ts';
import type { Model, ModelListAnswer } from '../../../../../src/core/models/list/model.ts';
import { itemsOf, readModelList as steps } from '../../../../../src/core/models/list/modelList.ts';

const file = new URL('../../../../fixtures/gateways.json', import.meta.url);

/** Lists of gateways and the models shown for them, in list order. Written by us in the shapes of wire 1.1. */
export const gateways: Readonly<
  Record<string, { readonly body: unknown; readonly expected: readonly Partial<Model>[] }>
> = JSON.parse(readFileSync(file, 'utf8'));

/** Reads a list synchronously, without pauses. */
export function readModelList(body: unknown): ModelListAnswer | undefined {
  const items = itemsOf(body);
  return items && runToEnd(steps(items));
}

function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}
