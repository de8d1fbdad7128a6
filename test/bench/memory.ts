import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConversationEvent, writeEvent } from '../../src/core/chat/conversation/conversationRecord.ts';
import { askQuestion, chooseModel, finishedFacts, typeQuestion } from '../ui/support/connectedWorkbench.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { amount, type Bench, rounded } from './bench.ts';
import { inConnectedVSCode } from './inVSCode.ts';

const stored = 3_000;
const questions = amount(100, 2);
/** The titles of the panels. Questions go to them in turn, so that each makes another conversation the newest. */
const titles = ['Question A', 'Question B', 'Question C', 'Question D'];

/**
 * Measures how much the heap of the extension host grows with 100 questions while the list of conversations is visible.
 * Every question changes the group of today.
 */
export async function memory(bench: Bench): Promise<void> {
  bench.title = `memory: extension host over ${questions} questions, ${stored.toLocaleString('en')} conversations kept`;
  const profileDir = makeTemporary('profile');
  writeConversations(join(profileDir, 'user', 'User', 'globalStorage', 'ask-model.ask-model', 'conversations'));
  await inConnectedVSCode({ profileDir, viewport: { width: 1400, height: 1000 } }, async (workbench) => {
    const heapMB = async () => (await workbench.run('askModelBench.heapMB')) as number;
    await workbench.page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await workbench.treeRows.filter({ hasText: 'Kept conversation' }).first().waitFor({ timeout: 60_000 });
    await chooseModel(workbench, 'brief');
    for (const title of titles) {
      await askQuestion(workbench, title);
      await answered(workbench, title, 1);
    }
    const before = await heapMB();
    bench.rows.push({ when: 'before', MB: rounded(before) });
    for (let question = 1; question <= questions; question++) {
      const title = titles[(question - 1) % titles.length] ?? '';
      await typeQuestion(await workbench.webview(title), 'Does it round twice?');
      await answered(workbench, title, 1 + Math.ceil(question / titles.length));
      if (question === questions / 2) {
        bench.rows.push({ when: `after ${question}`, MB: rounded(await heapMB()) });
      }
    }
    const after = await heapMB();
    bench.rows.push({ when: `after ${questions}`, MB: rounded(after) });
    bench.atMost('heap left behind', after - before, 5, 'MB');
  });
}

/** Waits until `count` answers are complete in the panel and in the list. */
async function answered(workbench: Workbench, title: string, count: number): Promise<void> {
  const panel = await workbench.webview(title);
  await panel
    .locator('.reply')
    .nth(count - 1)
    .waitFor();
  await finishedFacts(panel).waitFor();
  const row = workbench.treeRows.filter({ hasText: title });
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
