import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConversationEvent, writeEvent } from '../../src/core/chat/conversation/conversationRecord.ts';
import { askQuestion, chooseModel } from '../ui/support/connectedWorkbench.ts';
import { makeTemporary, removeTemporary } from '../vscode/temporary.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { atMost, type Measured, rounded } from './figures.ts';
import { inVSCode } from './inVSCode.ts';
import { amount } from './settings.ts';

const stored = 3_000;
const questions = amount(100, 2);
/** The number of panels. Questions go to them in turn, so that each makes another conversation the newest. */
const panels = 4;

/**
 * Measures how much the heap of the extension host grows with 100 questions while the list of conversations is visible.
 * Every question changes the group of today.
 */
export async function memory(): Promise<Measured> {
  const profileDir = makeTemporary('profile');
  writeConversations(join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations'));
  const heapMB: number[] = [];
  const viewport = { width: 1400, height: 1000 };
  await inVSCode({ profileDir, viewport }, async ({ workbench, figuresOf }) => {
    const measureHeap = async () => heapMB.push((await figuresOf<{ heapMB: number }>('Bench: Heap')).heapMB);
    await workbench.page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await workbench.treeRows.filter({ hasText: 'Kept conversation' }).first().waitFor({ timeout: 60_000 });
    await chooseModel(workbench, 'brief');
    for (let panel = 0; panel < panels; panel++) {
      await askQuestion(workbench, titleOf(panel));
      await answered(workbench, panel, 1);
    }
    await measureHeap();
    for (let question = 0; question < questions; question++) {
      const panel = question % panels;
      const frame = await workbench.webview(titleOf(panel));
      await frame.locator('textarea').fill('Does it round twice?');
      await frame.locator('textarea').press('Enter');
      await answered(workbench, panel, 2 + Math.floor(question / panels));
      if (question === questions / 2 - 1 || question === questions - 1) {
        await measureHeap();
      }
    }
  });
  removeTemporary(profileDir);
  const [before = Number.NaN, half = Number.NaN, after = Number.NaN] = heapMB;
  return {
    title: `memory: extension host over ${questions} questions, ${stored.toLocaleString('en')} conversations kept`,
    rows: [
      { when: 'before', MB: rounded(before) },
      { when: `after ${questions / 2}`, MB: rounded(half) },
      { when: `after ${questions}`, MB: rounded(after) },
    ],
    bars: [atMost('heap left behind', after - before, 5, 'MB')],
  };
}

const titleOf = (panel: number) => `Question ${'ABCDEFGH'[panel]}`;

/** Waits until `count` answers are complete in the panel and in the list. */
async function answered(workbench: Workbench, panel: number, count: number): Promise<void> {
  const frame = await workbench.webview(titleOf(panel));
  const facts = frame.locator('.reply .facts', { hasText: / in ·|not reported/ });
  await facts.nth(count - 1).waitFor();
  const row = workbench.treeRows.filter({ hasText: titleOf(panel) });
  await row.and(workbench.page.locator(':not(:has(.codicon-loading))')).first().waitFor();
}

function writeConversations(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let each = 0; each < stored; each++) {
    // About fifty a day for two months.
    const at = Date.now() - each * 30 * 60_000;
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
