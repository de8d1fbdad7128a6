import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { readConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { TimedWords, timedPieces } from '../../../gateway/chat/timedWords.ts';

/** For the write itself. What a busy machine adds is measured, see `latenessMs`. */
const toleranceMs = 50;
const tickMs = 20;

const folder = await mkdtemp(join(tmpdir(), 'ask-model-killed-'));
const script = join(folder, 'killedWindow.mjs');
const conversations = join(folder, 'conversations');
const server = new TimedWords();
const unknownLine = '{"type":"mood","of":"a later version","pieces":[1,2]}';

before(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'killedWindow.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  await mkdir(conversations);
});

after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** How long a process that says `tick` every 20 ms was kept from running in the half second before it was killed. */
function latenessMs(said: string, killedAt: number): number {
  const ticks = [...said.matchAll(/^tick (\d+)$/gm)].map(([, at]) => Number(at)).filter((at) => at > killedAt - 500);
  const gaps = [...ticks, killedAt].slice(1).map((at, index) => at - (ticks[index] ?? at) - tickMs);
  return gaps.filter((gap) => gap > 0).reduce((sum, gap) => sum + gap, 0);
}

/** Starts a window with one question, kills it `afterMs` after it said `moment`, and gives what it had shown. */
async function killed(moment: 'asking' | 'sent', afterMs: number, id: string, baseUrl: string, question: string) {
  const child = spawn(process.execPath, [script, conversations, id, baseUrl, question], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const isThere = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(moment)) {
        resolve();
      }
    });
  });
  const closed = once(child, 'close');
  await isThere;
  await delay(afterMs);
  const killedAt = Date.now();
  child.kill('SIGKILL');
  await closed;
  assert.doesNotMatch(said, /failed|defect|refused/);
  const shownAt = new Map(
    said
      .split('\n')
      .map((line) => line.split(' '))
      .map(([what = '', at]) => [what.replace('@', ''), Number(at)] as const),
  );
  return { killedAt, shownAt, lateMs: latenessMs(said, killedAt) };
}

test('a window killed 50 times while it receives keeps all but the last 250 ms, and goes on each time', async (context) => {
  const baseUrl = await server.listen();
  server.pace = { firstMs: 20, paceMs: 12, thoughts: 10, words: 30 };
  const lossesMs: number[] = [];
  const states: string[] = [];

  const lane = async (name: string) => {
    const path = join(conversations, `${name}.jsonl`);
    await writeFile(path, `{"type":"conversation","version":1,"id":"${name}","createdAt":7}\n${unknownLine}\n`);
    for (let round = 1; round <= 10; round++) {
      // Before anything has arrived, while it thinks, in the midst, and when it is just over.
      const question = `${name}-${round}`;
      const { killedAt, shownAt, lateMs } = await (round % 4 === 0
        ? killed('asking', Math.random() * 50, name, baseUrl, question)
        : killed('sent', Math.random() * 700, name, baseUrl, question));
      const file = await readFile(path, 'utf8');
      const { conversation, unreadLines } = readConversation(name, file);
      assert.ok(unreadLines <= 1 + round, 'what was cut is one line a kill at most');
      assert.equal(file.split('\n')[1], unknownLine);
      const reply = conversation.turns.find(({ id }) => id === question)?.replies[0];
      const isPosted = server.posts.some((body) => body.includes(`"${question}"`));
      assert.ok(reply || !isPosted, 'what was sent is in the file');
      assert.ok(reply || !shownAt.has('sent'));
      if (reply === undefined) {
        states.push('not sent');
        continue;
      }
      states.push(reply.state === 'incomplete' ? `${reply.problem?.kind}` : reply.state);
      for (const [kind, text, of] of [
        ['t', reply.reasoning, 10],
        ['w', reply.text, 30],
      ] as const) {
        const kept = timedPieces(text, kind).map(({ number }) => number);
        assert.deepEqual(
          kept,
          Array.from(kept, (_, index) => index + 1),
          'without a gap, nothing twice',
        );
        assert.equal(text.replace(/[tw]\d+@\d{13} /g, ''), '', 'and nothing cut in its middle');
        const firstLost = shownAt.get(`${kind}${kept.length + 1}`);
        assert.ok(kept.length === of || reply.state !== 'complete');
        const lostMs = firstLost !== undefined && firstLost < killedAt ? killedAt - firstLost : 0;
        assert.ok(lostMs <= 250 + toleranceMs + lateMs, `${lostMs} ms lost, ${lateMs} ms late`);
        lossesMs.push(lostMs);
      }
    }
    return name;
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(lane));

  assert.equal(states.length, 50);
  const questions = server.posts.map((body) => JSON.parse(body).messages.at(-1).content);
  assert.equal(new Set(questions).size, questions.length, 'no question was sent twice');
  const count = (of: string) => `${states.filter((state) => state === of).length} ${of}`;
  const worst = Math.max(...lossesMs);
  context.diagnostic(
    `at most ${worst} ms lost; ${['not sent', 'interrupted', 'complete'].map(count).join(', ')}; ${questions.length} calls`,
  );
  assert.ok(states.includes('interrupted'));
  assert.ok(states.every((state) => ['not sent', 'interrupted', 'complete'].includes(state)));
  await conversationFiles(conversations).clearDeleted(Date.now());
  assert.deepEqual(await readdir(join(conversations, 'claims')), [], 'what the killed ones held is free');
  // The next question tells the model what was kept of the answers before it.
  const { killedAt } = await killed('sent', 100, 'a', baseUrl, 'a-last');
  assert.ok(killedAt > 0);
  const messages: { content: string }[] = JSON.parse(
    server.posts.findLast((body) => body.includes('"a-last"')) ?? '{}',
  ).messages;
  const { conversation } = readConversation('a', await readFile(join(conversations, 'a.jsonl'), 'utf8'));
  const answers = conversation.turns.flatMap(({ replies }) => replies.map(({ text }) => text)).filter(Boolean);
  for (const answer of answers.slice(0, -1)) {
    assert.ok(messages.some(({ content }) => content === answer));
  }
});
