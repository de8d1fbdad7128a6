import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ListServer } from '../gateway/listServer.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { companion, openWorkbench, type Workbench, type WorkbenchOptions } from '../vscode/workbench.ts';
import { firstEvent, lastEvents } from './replies.ts';

/** The extensions that let a benchmark into VS Code: `askModelBench` has its commands. */
export const companions = [join(import.meta.dirname, 'companion'), companion];

type Measure<Result> = (workbench: Workbench) => Promise<Result>;

/** Opens a real VS Code with the built extension, in an empty folder unless one is given, and closes it afterwards. */
export async function inVSCode<Result>(options: Partial<WorkbenchOptions>, measure: Measure<Result>): Promise<Result> {
  const extensionDevelopmentPaths = [projectRoot, ...companions];
  const workbench = await openWorkbench({ folder: makeTemporary('workspace'), extensionDevelopmentPaths, ...options });
  try {
    return await measure(workbench);
  } finally {
    await workbench.dispose();
  }
}

/** The same, connected to a gateway. `row` is in the list of models once it is there. */
export async function inConnectedVSCode<Result>(
  {
    answer = answerBriefly,
    row = 'brief',
    ...options
  }: Partial<WorkbenchOptions> & { answer?: RequestListener; row?: string },
  measure: Measure<Result>,
): Promise<Result> {
  const server = new ListServer(answer);
  const address = await server.listen();
  try {
    return await inVSCode(options, async (workbench) => {
      await workbench.run('askModelBench.connect', address);
      await workbench.treeRows.filter({ hasText: row }).first().waitFor({ timeout: 60_000 });
      return measure(workbench);
    });
  } finally {
    server.close();
  }
}

/** A gateway with one model, which answers at once. */
export const answerBriefly: RequestListener = (request, response) => {
  request.resume();
  const isAnswer = request.method === 'POST';
  response.setHeader('content-type', isAnswer ? 'text/event-stream' : 'application/json');
  response.end(isAnswer ? firstEvent + lastEvents : '{"object":"list","data":[{"id":"brief","object":"model"}]}');
};

/** Measures the longest time that the extension host is blocked during some work, and of it on the processor. */
export async function blockedBy(workbench: Workbench, work: () => Promise<void>) {
  await workbench.run('askModelBench.begin');
  await work();
  return (await workbench.run('askModelBench.end')) as { readonly longestMs: number; readonly onProcessorMs: number };
}

/**
 * Presses a key in a field, and measures until the list with this selector shows other rows.
 *
 * @param row a pattern in the text of a row that must be there.
 */
export async function msFromKey(field: Locator, key: string, list: string, row = ''): Promise<number> {
  // Listen before the key is pressed. The promise stays in the page, behind a handle.
  const listening = await field.evaluateHandle(
    (_, [list = '', row = '']) => {
      const shown = new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(document.querySelector(list)?.textContent ?? 'no list')), 20_000);
        const onKey = () => {
          const pressedAt = performance.now();
          const observer = new MutationObserver((changes) => {
            const isOfList = ({ target }: MutationRecord) =>
              target.parentElement?.closest(list) || target === document.querySelector(list);
            const rows = [...document.querySelectorAll(`${list} :is([role=option], .monaco-list-row)`)];
            if (changes.some(isOfList) && rows.some(({ textContent }) => new RegExp(row).test(textContent))) {
              observer.disconnect();
              requestAnimationFrame(() => resolve(performance.now() - pressedAt));
            }
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        };
        window.addEventListener('keydown', onKey, { capture: true, once: true });
      });
      return { shown };
    },
    [list, row],
  );
  await field.press(key);
  const ms = await listening.evaluate(({ shown }) => shown);
  await listening.dispose();
  return ms;
}
