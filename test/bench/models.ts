import type { RequestListener } from 'node:http';
import type { Workbench } from '../vscode/workbench.ts';
import { atMost, type Measured, Times } from './figures.ts';
import { type BlockedTimes, inVSCode, type Opened } from './inVSCode.ts';
import { amount } from './settings.ts';

const listed = 5_000;
/** Almost the largest list that the extension reads. */
const most = 19_200;
const rounds = amount(7);
const painted = 'response to painted rows';
const found = 'key to found rows';
const held = 'extension host held up';
/** Time far above this was taken by other programs on a busy machine. */
const onProcessor = '  on the processor';

/** Makes a list with items of about a kilobyte each, like those of an aggregator. */
function listOf(count: number, round: number): string {
  const vendors = ['anthropic', 'openai', 'google', 'mistralai', 'meta-llama', 'qwen', 'deepseek', 'x-ai'];
  const itemOf = (id: string, index: number) => ({
    id,
    object: 'model',
    created: 1_626_777_600,
    owned_by: 'custom',
    name: `Model ${index}`,
    description: 'A model for many tasks, described at the length that aggregators describe theirs. '.repeat(8),
    context_length: 8_192 * (1 + (index % 32)),
    architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
    pricing: { prompt: '0.000001', completion: '0.000004', request: '0', image: '0' },
    supported_parameters: ['temperature', 'top_p', 'max_tokens', 'tools', 'tool_choice', 'stop'],
  });
  const data = Array.from({ length: count }, (_, index) =>
    itemOf(`${vendors[index % 8]}/${index % 9 === 0 ? 'claude-' : ''}model-${index}-of-round-${round}`, index),
  );
  // Each round adds one model of the first vendor, so that the count beside its name shows when the list is updated.
  const extra = Array.from({ length: round }, (_, index) => itemOf(`anthropic/extra-${index}`, index));
  return JSON.stringify({ object: 'list', data: [...data, ...extra] });
}

/** The list that is sent, and when its last byte was. */
const sent = { count: listed, round: 0, endedAt: 0, bytes: 0 };
const answer: RequestListener = (_, response) => {
  const text = listOf(sent.count, sent.round);
  sent.bytes = Buffer.byteLength(text);
  response.setHeader('content-type', 'application/json');
  response.end(text, () => {
    sent.endedAt = Date.now();
  });
};

/**
 * Measures the side bar in the real VS Code with 5,000 models: the time from the end of the response to painted rows,
 * the time from a key in *Ask a Specific Model* to its rows, and the longest time that a refresh blocks the extension host.
 */
export async function models(): Promise<Measured> {
  return inVSCode({ answer, row: 'Anthropic', viewport: { width: 1200, height: 800 } }, async (opened) => {
    const times = new Times();
    const large = new Times();
    const megabytes = await refreshed(opened, listed, times);
    await keystrokes(opened.workbench, times);
    const heldByMost = `${held} by ${most.toLocaleString('en')} models, ${await refreshed(opened, most, large)} MB`;
    return {
      title: `models: ${listed.toLocaleString('en')} of them in the real VS Code, median of ${rounds}; ${megabytes} MB a list`,
      rows: [
        ...times.rows([painted, found, held, onProcessor]),
        ...large.rows([held]).map((row) => ({ ...row, what: heldByMost })),
      ],
      bars: [
        atMost(painted, times.median(painted), 300),
        atMost(found, times.median(found), 50),
        atMost(`${held} at a time`, times.median(held), 50),
        atMost(`${held} by 20 MB`, large.median(held), 250),
      ],
    };
  });
}

/** Refreshes the list in rounds. @returns its megabytes. */
async function refreshed({ workbench, figuresOf }: Opened, count: number, times: Times): Promise<string> {
  sent.count = count;
  for (sent.round = 1; sent.round <= rounds; sent.round++) {
    await workbench.runCommand('Bench: Begin');
    const paintedAt = whenPainted(workbench, `Anthropic${(count / 8 + sent.round).toLocaleString('en')}`);
    await workbench.runCommand('Ask Model: Refresh Models');
    times.add(painted, (await paintedAt) - sent.endedAt);
    const { longestMs, longestOnProcessorMs } = await figuresOf<BlockedTimes>('Bench: End');
    times.add(held, longestMs);
    times.add(onProcessor, longestOnProcessorMs);
  }
  return (sent.bytes / 1_048_576).toFixed(1);
}

/** Waits until a row with `text` is painted, and returns that time in Unix milliseconds. */
function whenPainted({ page }: Workbench, text: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const rows = () => [...document.querySelectorAll('.part.sidebar .monaco-list-row')];
    while (!rows().some((row) => row.textContent?.replace(/\s/g, '').includes(wanted))) {
      await frame();
    }
    // The row is shown in the frame after the one in which it was added.
    await frame();
    return Date.now();
  }, text);
}

/** Adds the time from each key press in *Ask a Specific Model* to the change of its rows. */
async function keystrokes(workbench: Workbench, times: Times): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await workbench.runCommand('Ask Model: Ask a Specific Model…');
    await workbench.quickPicks.nth(5).waitFor();
    for (const key of 'claude') {
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
      times.add(found, await listening.evaluate(({ changed }) => changed));
      await listening.dispose();
    }
    await workbench.page.keyboard.press('Escape');
  }
}
