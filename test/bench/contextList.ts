import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseModel, questionPanel } from '../ui/support/connectedWorkbench.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { amount, type Bench, median, rounded } from './bench.ts';
import { blockedBy, inConnectedVSCode, msFromKey } from './inVSCode.ts';

const filesOfFolder = 50;
/** Letters that nearly all paths have, up to single files. */
const words = ['mod', 'item4', 'f12/it', 'dee'];

/**
 * Measures the list after `#` in a real VS Code: the time from the first letter to rows, with the workspace not listed
 * yet; from each further letter to other rows; and how long the extension host is held up.
 */
export async function contextList(bench: Bench): Promise<void> {
  bench.title = 'context: the list after # in the real VS Code, with folders';
  const small = await measure(bench, '10,000', amount(10_000, 1_000), true);
  const large = await measure(bench, '50,000', amount(50_000, 1_000), true);
  const unversioned = await measure(bench, '50,000, no git', amount(50_000, 1_000), false);
  bench.atMost('a key press among 10,000 files', small.stroke, 100);
  bench.atMost('extension host held up by 50,000 files', large.onProcessorMs, 50);
  bench.atMost('extension host held up without git', unversioned.onProcessorMs, 50);
  bench.atMost('the first of 50,000 files without git', unversioned.first, 1_000);
}

async function measure(bench: Bench, files: string, count: number, isVersioned: boolean) {
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
  return inConnectedVSCode({ folder, settings: { 'git.enabled': false } }, async (workbench) => {
    await chooseModel(workbench, 'brief');
    await workbench.start('askModel.ask');
    const box = (await questionPanel(workbench)).locator('textarea');
    const rowsAfter = (letter: string) => msFromKey(box, letter, '#found', '^(?:item|f|mod|deep)\\d');
    let first = Number.NaN;
    const strokes: number[] = [];
    const { longestMs, onProcessorMs } = await blockedBy(workbench, async () => {
      await box.press('#');
      first = await rowsAfter('m');
      for (const word of words) {
        await box.fill('#');
        for (const letter of word) {
          strokes.push(await rowsAfter(letter));
        }
      }
    });
    const stroke = median(strokes);
    bench.rows.push({
      files,
      'first rows': rounded(first),
      keystroke: rounded(stroke),
      slowest: rounded(Math.max(...strokes)),
      'host held up': rounded(longestMs),
      'on the processor': rounded(onProcessorMs),
    });
    return { first, stroke, onProcessorMs };
  });
}
