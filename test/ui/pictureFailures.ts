import { afterEach } from 'node:test';
import type { Workbench } from '../vscode/workbench.ts';

/** Keeps a picture of what a person would have seen when a test of this suite fails. */
export function pictureFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    if ('passed' in context && !context.passed) {
      const name = `failed-${context.name.replaceAll(/\W+/g, '-').slice(0, 60)}`;
      await workbench()
        ?.screenshot(name)
        .catch(() => undefined);
    }
  });
}
