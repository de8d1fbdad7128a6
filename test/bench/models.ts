import type { RequestListener } from 'node:http';
import type { Workbench } from '../vscode/workbench.ts';
import { amount, type Bench, Figures } from './bench.ts';
import { blockedBy, inConnectedVSCode, msFromKey } from './inVSCode.ts';

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
export async function models(bench: Bench): Promise<void> {
  const figures = new Figures();
  const large = new Figures();
  await inConnectedVSCode({ answer, row: 'Anthropic', viewport: { width: 1200, height: 800 } }, async (workbench) => {
    const megabytes = await refreshed(workbench, listed, figures);
    bench.title = `models: ${listed.toLocaleString('en')} of them in the real VS Code, median of ${rounds}; ${megabytes} MB a list`;
    await keystrokes(workbench, figures);
    const heldByMost = `${held} by ${most.toLocaleString('en')} models, ${await refreshed(workbench, most, large)} MB`;
    bench.rows.push(
      ...figures.rows([painted, found, held, onProcessor]),
      ...large.rows([held]).map((row) => ({ ...row, what: heldByMost })),
    );
  });
  bench.atMost(painted, figures.median(painted), 300);
  bench.atMost(found, figures.median(found), 50);
  bench.atMost(`${held} at a time`, figures.median(held), 50);
  bench.atMost(`${held} by 20 MB`, large.median(held), 250);
}

/** Refreshes the list in rounds. @returns its megabytes. */
async function refreshed(workbench: Workbench, count: number, figures: Figures): Promise<string> {
  sent.count = count;
  for (sent.round = 1; sent.round <= rounds; sent.round++) {
    const { longestMs, onProcessorMs } = await blockedBy(workbench, async () => {
      const paintedAt = whenPainted(workbench, `Anthropic${(count / 8 + sent.round).toLocaleString('en')}`);
      await workbench.run('askModel.refreshModels');
      figures.add(painted, (await paintedAt) - sent.endedAt);
    });
    figures.add(held, longestMs);
    figures.add(onProcessor, onProcessorMs);
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
async function keystrokes(workbench: Workbench, figures: Figures): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await workbench.start('askModel.findModel');
    await workbench.quickPicks.nth(5).waitFor();
    for (const key of 'claude') {
      figures.add(found, await msFromKey(workbench.quickInput, key, '.quick-input-list'));
    }
    await workbench.page.keyboard.press('Escape');
  }
}
