import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type ConversationEvent, writeEvent } from '../../src/core/chat/conversation/conversationRecord.ts';
import { ListServer } from '../gateway/listServer.ts';
import { askFromPalette } from '../ui/support/connectedWorkbench.ts';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';
import { type Measured, rounded } from './figures.ts';
import { amount } from './settings.ts';

const stored = 3_000;
const questions = amount(100, 2);
/** The number of panels. Questions go to them in turn, so that each makes another conversation the newest. */
const panels = 4;
const mostMB = 5;

/** The time between stored conversations: about fifty a day for two months. */
const apartMs = 30 * 60_000;

/**
 * Measures how much the heap of the extension host grows with 100 questions while the list of conversations is visible.
 * Every question changes the group of today.
 */
export async function memory(): Promise<Measured> {
  const title = `memory: extension host over ${questions} questions, ${stored.toLocaleString('en')} conversations kept`;
  if (!existsSync(join(projectRoot, 'dist', 'extension.cjs'))) {
    return { title: `${title}: not built, run npm run build`, rows: [], bars: [] };
  }
  const server = new ListServer(answer);
  const folder = makeTemporary('workspace');
  const profileDir = makeTemporary('profile');
  const figures = join(makeTemporary('bench'), 'figures.json');
  writeConversations(join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations'));
  let workbench: Workbench | undefined;
  try {
    workbench = await openWorkbench({
      folder,
      profileDir,
      extensionDevelopmentPaths: [projectRoot, join(import.meta.dirname, 'companion')],
      env: { ASK_MODEL_BENCH_URL: await server.listen(), ASK_MODEL_BENCH_FILE: figures },
      viewport: { width: 1400, height: 1000 },
    });
    const { page } = workbench;
    await workbench.treeRows.filter({ hasText: 'brief' }).first().waitFor({ timeout: 60_000 });
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await workbench.treeRows.filter({ hasText: 'Kept conversation' }).first().waitFor({ timeout: 60_000 });
    await workbench.runCommand('Ask Model: Choose Default Model…');
    await workbench.quickInput.fill('brief');
    await workbench.pick('brief');
    for (let panel = 0; panel < panels; panel++) {
      await askFromPalette(workbench, titleOf(panel));
      await answered(workbench, panel, 1);
    }
    const heapMB: number[] = [await heap(workbench, figures)];
    for (let question = 0; question < questions; question++) {
      const panel = question % panels;
      const frame = await workbench.webview(titleOf(panel));
      await frame.locator('textarea').fill('Does it round twice?');
      await frame.locator('textarea').press('Enter');
      await answered(workbench, panel, 2 + Math.floor(question / panels));
      if (question === questions / 2 - 1 || question === questions - 1) {
        heapMB.push(await heap(workbench, figures));
      }
    }
    const [before = Number.NaN, half = Number.NaN, after = Number.NaN] = heapMB;
    return {
      title,
      rows: [
        { when: 'before', MB: rounded(before) },
        { when: `after ${questions / 2}`, MB: rounded(half) },
        { when: `after ${questions}`, MB: rounded(after) },
      ],
      bars: [{ name: 'heap left behind', value: after - before, limit: mostMB, mustBe: 'at most', unit: 'MB' }],
    };
  } finally {
    await workbench?.dispose();
    server.close();
    removeTemporary(folder);
    removeTemporary(profileDir);
    rmSync(figures, { force: true });
  }
}

/** A gateway with one model, which answers at once. */
export const answer: RequestListener = (request, response) => {
  request.resume();
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'brief', object: 'model' }] }));
    return;
  }
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_741_570_283, model: 'brief' };
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${event({ content: 'Yes, it does.' }, null)}${event({}, 'stop')}data: [DONE]\n\n`);
};

const titleOf = (panel: number) => `Question ${'ABCDEFGH'[panel]}`;

/** Waits until `count` answers are complete in the panel and in the list. */
async function answered(workbench: Workbench, panel: number, count: number): Promise<void> {
  const frame = await workbench.webview(titleOf(panel));
  await frame
    .locator('.reply .facts', { hasText: / in ·|not reported/ })
    .nth(count - 1)
    .waitFor();
  const row = workbench.treeRows.filter({ hasText: titleOf(panel) });
  await row.and(workbench.page.locator(':not(:has(.codicon-loading))')).first().waitFor();
}

/** The size of the heap in megabytes after a garbage collection. */
async function heap(workbench: Workbench, file: string): Promise<number> {
  rmSync(file, { force: true });
  await workbench.runCommand('Bench: Heap');
  for (const end = Date.now() + 30_000; ; ) {
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly heapMB: number }).heapMB;
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
      await workbench.page.waitForTimeout(25);
    }
  }
}

function writeConversations(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const now = Date.now();
  for (let each = 0; each < stored; each++) {
    const at = now - each * apartMs;
    const id = `kept-${each}`;
    const events: ConversationEvent[] = [
      { type: 'conversation', version: 1, id, createdAt: at },
      { type: 'title', text: `Kept conversation ${each}` },
      { type: 'turn', id: 't', question: 'Why?', contexts: [] },
      { type: 'reply', turnId: 't', id: 'r', model: 'brief', host: '127.0.0.1', startedAt: at },
      { type: 'end', replyId: 'r', state: 'complete', totalMs: 5_000, finishReason: 'stop' },
    ];
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, events.map(writeEvent).join(''));
    utimesSync(path, at / 1_000, at / 1_000);
  }
}
