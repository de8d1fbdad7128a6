import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { ListServer } from '../gateway/listServer.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { type Measured, median, rounded } from './figures.ts';
import { amount } from './settings.ts';

const listed = 5_000;
/** Almost the largest list that the extension reads. */
const most = 19_200;
const rounds = amount(7);
const keys = 'claude';

/** Makes a list with items of about a kilobyte each, like those of an aggregator. */
function listOf(count: number, round: number): string {
  const vendors = ['anthropic', 'openai', 'google', 'mistralai', 'meta-llama', 'qwen', 'deepseek', 'x-ai'];
  const data = Array.from({ length: count }, (_, index) => {
    const vendor = vendors[index % vendors.length];
    return {
      id: `${vendor}/${index % 9 === 0 ? 'claude-' : ''}model-${index}-of-round-${round}`,
      object: 'model',
      created: 1_626_777_600,
      owned_by: 'custom',
      name: `Model ${index}`,
      description: 'A model for many tasks, described at the length that aggregators describe theirs. '.repeat(8),
      context_length: 8_192 * (1 + (index % 32)),
      architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
      pricing: { prompt: '0.000001', completion: '0.000004', request: '0', image: '0' },
      supported_parameters: ['temperature', 'top_p', 'max_tokens', 'tools', 'tool_choice', 'stop'],
    };
  });
  // Each round adds one model of the first vendor, so that the count beside its name shows when the list is updated.
  for (let extra = 1; extra <= round; extra++) {
    data.push({ ...data[0], id: `anthropic/extra-${extra}` } as (typeof data)[number]);
  }
  return JSON.stringify({ object: 'list', data });
}

/** Answers with the list of the current round, and stores when the last byte was sent. */
class Answers {
  count = listed;
  round = 0;
  endedAt = 0;
  bytes = 0;

  readonly answer: RequestListener = (_, response) => {
    const text = listOf(this.count, this.round);
    this.bytes = Buffer.byteLength(text);
    response.setHeader('content-type', 'application/json');
    response.end(text, () => {
      this.endedAt = Date.now();
    });
  };
}

/**
 * Measures the side bar in the real VS Code with 5,000 models: the time from the end of the response to painted rows,
 * the time from a key in *Ask a Specific Model* to its rows, and the longest time that a refresh blocks the extension host.
 */
export async function models(): Promise<Measured> {
  const title = `models: ${listed.toLocaleString('en')} of them in the real VS Code, median of ${rounds}`;
  if (!existsSync(join(projectRoot, 'dist', 'extension.cjs'))) {
    return { title: `${title}: not built, run npm run build`, rows: [], bars: [] };
  }
  const answers = new Answers();
  const server = new ListServer(answers.answer);
  const folder = makeTemporary('workspace');
  const figures = join(makeTemporary('bench'), 'figures.json');
  let workbench: Workbench | undefined;
  try {
    const url = await server.listen();
    workbench = await openWorkbench({
      folder,
      extensionDevelopmentPaths: [projectRoot, join(import.meta.dirname, 'companion')],
      env: { ASK_MODEL_BENCH_URL: url, ASK_MODEL_BENCH_FILE: figures },
      viewport: { width: 1200, height: 800 },
    });
    await workbench.treeRows.filter({ hasText: 'Anthropic' }).first().waitFor({ timeout: 60_000 });
    const refreshes = { workbench, answers, figures };
    const { painted, blocked, onProcessor, megabytes } = await refreshed(refreshes, listed);
    const strokes = await keystrokes(workbench);
    const large = await refreshed(refreshes, most);
    const bar = { mustBe: 'at most', unit: 'ms' } as const;
    return {
      title: `${title}; ${megabytes} MB a list`,
      rows: [
        { what: 'response to painted rows', ms: rounded(median(painted)), worst: rounded(Math.max(...painted)) },
        { what: 'key to found rows', ms: rounded(median(strokes)), worst: rounded(Math.max(...strokes)) },
        { what: 'extension host held up', ms: rounded(median(blocked)), worst: rounded(Math.max(...blocked)) },
        // Time far above this was taken by other programs on a busy machine.
        { what: '  on the processor', ms: rounded(median(onProcessor)), worst: rounded(Math.max(...onProcessor)) },
        {
          what: `extension host held up by ${most.toLocaleString('en')} models, ${large.megabytes} MB`,
          ms: rounded(median(large.blocked)),
          worst: rounded(Math.max(...large.blocked)),
        },
      ],
      bars: [
        { name: 'response to painted rows', value: median(painted), limit: 300, ...bar },
        { name: 'key to found rows', value: median(strokes), limit: 50, ...bar },
        { name: 'extension host held up at a time', value: median(blocked), limit: 50, ...bar },
        { name: 'extension host held up by 20 MB', value: median(large.blocked), limit: 250, ...bar },
      ],
    };
  } finally {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
    rmSync(figures, { force: true });
  }
}

/** Refreshes a list of `count` models several times, and returns the times of each refresh in milliseconds. */
async function refreshed(
  { workbench, answers, figures }: { workbench: Workbench; answers: Answers; figures: string },
  count: number,
) {
  const taken = { painted: [] as number[], blocked: [] as number[], onProcessor: [] as number[] };
  answers.count = count;
  for (answers.round = 1; answers.round <= rounds; answers.round++) {
    rmSync(figures, { force: true });
    await workbench.runCommand('Bench: Begin');
    const counted = (count / 8 + answers.round).toLocaleString('en');
    const paintedAt = paintOf(workbench, '.part.sidebar .monaco-list-row', `Anthropic${counted}`);
    await workbench.runCommand('Ask Model: Refresh Models');
    taken.painted.push((await paintedAt) - answers.endedAt);
    await workbench.runCommand('Bench: End');
    const longest = await readBlockedTimes(figures);
    taken.blocked.push(longest.longestMs);
    taken.onProcessor.push(longest.longestOnProcessorMs);
  }
  return { ...taken, megabytes: (answers.bytes / 1_048_576).toFixed(1) };
}

/** The figures that the companion writes. */
type BlockedTimes = { readonly longestMs: number; readonly longestOnProcessorMs: number };

/** Waits for the figures of the companion. */
async function readBlockedTimes(file: string): Promise<BlockedTimes> {
  for (const end = Date.now() + 10_000; ; ) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as BlockedTimes;
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Waits until a row with `text` is painted, and returns that time in Unix milliseconds. */
function paintOf(workbench: Workbench, rows: string, text: string): Promise<number> {
  return workbench.page.evaluate(
    ([selector, wanted]) =>
      new Promise<number>((resolve) => {
        const check = () => {
          const isThere = [...document.querySelectorAll(selector ?? '')].some((row) =>
            row.textContent?.replace(/\s/g, '').includes(wanted ?? ''),
          );
          if (isThere) {
            // The row is shown in the frame after the one in which it was added.
            requestAnimationFrame(() => resolve(Date.now()));
          } else {
            requestAnimationFrame(check);
          }
        };
        check();
      }),
    [rows, text] as const,
  );
}

/** Returns the milliseconds from each key press in *Ask a Specific Model* to the change of its rows. */
async function keystrokes(workbench: Workbench): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < 3; round++) {
    await workbench.runCommand('Ask Model: Ask a Specific Model…');
    await workbench.quickPicks.nth(5).waitFor();
    for (const key of keys) {
      // Listen before the key is pressed. The promise stays in the page, behind a handle.
      const listening = await workbench.page.evaluateHandle(() => {
        const list = document.querySelector('.quick-input-list');
        // Compare markup instead of text, because the next letter may find the same rows and highlight more of them.
        const rows = () => [...(list?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => row.innerHTML).join();
        const changed = new Promise<number>((resolve) => {
          const onKey = () => {
            const [pressedAt, before] = [performance.now(), rows()];
            const check = () =>
              rows() === before ? requestAnimationFrame(check) : resolve(performance.now() - pressedAt);
            requestAnimationFrame(check);
          };
          window.addEventListener('keydown', onKey, { capture: true, once: true });
        });
        return { changed };
      });
      await workbench.page.keyboard.press(key);
      taken.push(await listening.evaluate(({ changed }) => changed));
      await listening.dispose();
    }
    await workbench.page.keyboard.press('Escape');
  }
  return taken;
}
