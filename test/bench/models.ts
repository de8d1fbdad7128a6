import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { ListServer } from '../gateway/models/listServer.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { type Measured, median, rounded } from './figures.ts';

const listed = 5_000;
/** Almost as much as is read at all. */
const most = 19_200;
const rounds = 7;
const keys = 'claude';

/** As large as the items of an aggregator: about a kilobyte each. */
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
  // One more of the first vendor each round: the count beside its name is what is waited for.
  for (let extra = 1; extra <= round; extra++) {
    data.push({ ...data[0], id: `anthropic/extra-${extra}` } as (typeof data)[number]);
  }
  return JSON.stringify({ object: 'list', data });
}

/** What the server does, and the moment at which the last byte of it had left. */
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
 * The side bar in the real VS Code with 5,000 models: from the end of the response to painted rows, from a key in
 * *Find a Model* to the rows it finds, and the longest the extension host was held up by a refresh.
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
    const { painted, held, onProcessor, megabytes } = await refreshed(refreshes, listed);
    const strokes = await keystrokes(workbench);
    const large = await refreshed(refreshes, most);
    const bar = { mustBe: 'at most', unit: 'ms' } as const;
    return {
      title: `${title}; ${megabytes} MB a list`,
      rows: [
        { what: 'response to painted rows', ms: rounded(median(painted)), worst: rounded(Math.max(...painted)) },
        { what: 'key to found rows', ms: rounded(median(strokes)), worst: rounded(Math.max(...strokes)) },
        { what: 'extension host held up', ms: rounded(median(held)), worst: rounded(Math.max(...held)) },
        // What is far above this is the time that other programs of a busy machine took.
        { what: '  on the processor', ms: rounded(median(onProcessor)), worst: rounded(Math.max(...onProcessor)) },
        {
          what: `extension host held up by ${most.toLocaleString('en')} models, ${large.megabytes} MB`,
          ms: rounded(median(large.held)),
          worst: rounded(Math.max(...large.held)),
        },
      ],
      bars: [
        { name: 'response to painted rows', value: median(painted), limit: 300, ...bar },
        { name: 'key to found rows', value: median(strokes), limit: 50, ...bar },
        { name: 'extension host held up at a time', value: median(held), limit: 50, ...bar },
        { name: 'extension host held up by 20 MB', value: median(large.held), limit: 250, ...bar },
      ],
    };
  } finally {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
    rmSync(figures, { force: true });
  }
}

/** Reads a list of so many models again and again: what that took, each in milliseconds. */
async function refreshed(
  { workbench, answers, figures }: { workbench: Workbench; answers: Answers; figures: string },
  count: number,
) {
  const taken = { painted: [] as number[], held: [] as number[], onProcessor: [] as number[] };
  answers.count = count;
  for (answers.round = 1; answers.round <= rounds; answers.round++) {
    rmSync(figures, { force: true });
    await workbench.runCommand('Bench: Begin');
    const seen = paintOf(workbench, '.part.sidebar .monaco-list-row', `Anthropic${count / 8 + answers.round}`);
    await workbench.runCommand('Ask Model: Refresh Models');
    taken.painted.push((await seen) - answers.endedAt);
    await workbench.runCommand('Bench: End');
    const longest = await heldUp(figures);
    taken.held.push(longest.longestMs);
    taken.onProcessor.push(longest.longestOnProcessorMs);
  }
  return { ...taken, megabytes: (answers.bytes / 1_048_576).toFixed(1) };
}

/** What the companion writes. */
type HeldUp = { readonly longestMs: number; readonly longestOnProcessorMs: number };

/** What the companion wrote, as soon as it has. */
async function heldUp(file: string): Promise<HeldUp> {
  for (const end = Date.now() + 10_000; ; ) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as HeldUp;
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** When a row that holds `text` was on screen, in Unix milliseconds. */
function paintOf(workbench: Workbench, rows: string, text: string): Promise<number> {
  return workbench.page.evaluate(
    ([selector, wanted]) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const isThere = [...document.querySelectorAll(selector ?? '')].some((row) =>
            row.textContent?.replace(/\s/g, '').includes(wanted ?? ''),
          );
          if (isThere) {
            // The frame after the one in which the row came is the first that shows it.
            requestAnimationFrame(() => resolve(Date.now()));
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      }),
    [rows, text] as const,
  );
}

/** For each key pressed in *Find a Model*: milliseconds until the rows had followed. */
async function keystrokes(workbench: Workbench): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < 3; round++) {
    await workbench.runCommand('Ask Model: Find a Model');
    await workbench.quickPicks.nth(5).waitFor();
    for (const key of keys) {
      // Listens before the key is pressed: the promise stays in the page, behind a handle.
      const listening = await workbench.page.evaluateHandle(() => {
        const list = document.querySelector('.quick-input-list');
        // Markup and not text: the next letter may find the same rows, and marks more of them.
        const rows = () => [...(list?.querySelectorAll('.monaco-list-row') ?? [])].map((row) => row.innerHTML).join();
        const followed = new Promise<number>((resolve) => {
          const onKey = () => {
            const [pressedAt, before] = [performance.now(), rows()];
            const look = () =>
              rows() === before ? requestAnimationFrame(look) : resolve(performance.now() - pressedAt);
            requestAnimationFrame(look);
          };
          window.addEventListener('keydown', onKey, { capture: true, once: true });
        });
        return { followed };
      });
      await workbench.page.keyboard.press(key);
      taken.push(await listening.evaluate(({ followed }) => followed));
      await listening.dispose();
    }
    await workbench.page.keyboard.press('Escape');
  }
  return taken;
}
