import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { chooseModel } from '../ui/support/connectedWorkbench.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { atMost, type Measured, median, rounded } from './figures.ts';
import { type BlockedTimes, inVSCode } from './inVSCode.ts';
import { amount } from './settings.ts';

const filesOfFolder = 50;
/** Letters that nearly all paths have, up to single files. */
const words = ['mod', 'item4', 'f12/it', 'dee'];

/**
 * Measures the list after `#` in a real VS Code: the time from the first letter to rows, with the workspace not listed
 * yet; from each further letter to other rows; and how long the extension host is held up.
 */
export async function contextList(): Promise<Measured> {
  const [small, large, unversioned] = [
    await measure(amount(10_000, 1_000), true),
    await measure(amount(50_000, 1_000), true),
    await measure(amount(50_000, 1_000), false),
  ];
  const all = [
    { files: '10,000', ...small },
    { files: '50,000', ...large },
    { files: '50,000, no git', ...unversioned },
  ];
  return {
    title: 'context: the list after # in the real VS Code, with folders',
    rows: all.map(({ files, first, strokes, heldUp, onProcessor }) => ({
      files,
      'first rows': rounded(first),
      keystroke: rounded(median(strokes)),
      slowest: rounded(Math.max(...strokes)),
      'host held up': rounded(heldUp),
      'on the processor': rounded(onProcessor),
    })),
    bars: [
      atMost('a key press among 10,000 files', median(small.strokes), 100),
      atMost('extension host held up by 50,000 files', large.onProcessor, 50),
      atMost('extension host held up without git', unversioned.onProcessor, 50),
      atMost('the first of 50,000 files without git', unversioned.first, 1_000),
    ],
  };
}

async function measure(count: number, isVersioned: boolean) {
  const folder = makeTemporary('workspace');
  for (let index = 0; index < count / filesOfFolder; index++) {
    const path = join(folder, `mod${index % 40}`, `deep${index % 7}`, `f${index}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesOfFolder; file++) {
      writeFileSync(join(path, `item${file}.ts`), `export const item${file} = ${index};\n`.repeat(20));
    }
  }
  if (isVersioned) {
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
  }
  // VS Code's own Git view of so many files would hold the host up as well.
  return inVSCode({ folder, settings: { 'git.enabled': false } }, async ({ workbench, figuresOf }) => {
    await chooseModel(workbench, 'brief');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await workbench.webview();
    const box = view.locator('textarea');
    await box.waitFor();
    await workbench.runCommand('Bench: Begin');
    await box.click();
    await box.press('#');
    const first = await afterKey(view, 'm');
    const taken = [];
    for (const word of words) {
      await box.fill('#');
      for (const letter of word) {
        taken.push(await afterKey(view, letter));
      }
    }
    const { longestMs, longestOnProcessorMs } = await figuresOf<BlockedTimes>('Bench: End');
    return {
      first,
      strokes: taken,
      heldUp: longestMs,
      onProcessor: longestOnProcessorMs,
    };
  });
}

/** Presses a key in the question box. @returns the milliseconds until its rows were there. */
async function afterKey(view: FrameLocator, key: string): Promise<number> {
  const box = view.locator('textarea');
  // Listen before the key is pressed. The promise stays in the page, behind a handle.
  const listening = await box.evaluateHandle((area) => {
    const times = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(document.querySelector('[role=listbox]')?.textContent ?? 'no list')), 20_000);
      area.addEventListener(
        'keydown',
        () => {
          const began = performance.now();
          // The host answers each letter with a new list, even if its rows are the same.
          const observer = new MutationObserver(() => {
            const files = [...document.querySelectorAll('[role=option]')].filter((row) =>
              /^(?:item|f|mod|deep)\d/.test(row.textContent ?? ''),
            );
            if (files.length > 0) {
              observer.disconnect();
              resolve(performance.now() - began);
            }
          });
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        },
        { once: true },
      );
    });
    return { times };
  });
  await box.press(key);
  const times = await listening.evaluate((of) => of.times);
  await listening.dispose();
  return times;
}
