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
import { TimedWords, timedPieces } from '../../../gateway/timedWords.ts';

/** How many times each window is killed. `npm run test:long` kills five windows at once, often. */
const kills = Number(process.env.ASK_MODEL_KILLS ?? 2);
const windows = process.env.ASK_MODEL_KILLS === undefined ? ['a'] : ['a', 'b', 'c', 'd', 'e'];
/** For the write itself, which may take longer on a busy machine. Delays of timers are measured; see `latenessMs`. */
const toleranceMs = 500;
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
    // As in esbuild.mjs: the other build of it requires `fs`, which an ES module can't.
    alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
  });
  await mkdir(conversations);
});

after(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** How long a process that prints `tick` every 20 ms was delayed in the half second before it was killed. */
function latenessMs(output: string, killedAt: number): number {
  const ticks = [...output.matchAll(/^tick (\d+)$/gm)].map(([, at]) => Number(at)).filter((at) => at > killedAt - 500);
  const gaps = [...ticks, killedAt].slice(1).map((at, index) => at - (ticks[index] ?? at) - tickMs);
  return gaps.filter((gap) => gap > 0).reduce((sum, gap) => sum + gap, 0);
}

/**
 * Starts a window with one question, kills it `afterMs` after it printed `moment`, and returns when it showed each
 * piece.
 */
async function killWindow(moment: 'asking' | 'sent', afterMs: number, id: string, baseUrl: string, question: string) {
  const child = spawn(process.execPath, [script, conversations, id, baseUrl, question], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const reached = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes(moment)) {
        resolve();
      }
    });
  });
  const closed = once(child, 'close');
  await reached;
  await delay(afterMs);
  const killedAt = Date.now();
  child.kill('SIGKILL');
  await closed;
  assert.doesNotMatch(output, /failed|defect|refused/);
  const shownAt = new Map(
    output
      .split('\n')
      .map((line) => line.split(' '))
      .map(([what = '', at]) => [what.replace('@', ''), Number(at)] as const),
  );
  return { killedAt, shownAt, lateMs: latenessMs(output, killedAt) };
}

test('a window that is killed while it receives loses at most the last 250 ms, and continues each time', async (context) => {
  const baseUrl = await server.listen();
  server.pace = { firstMs: 20, paceMs: 12, thoughts: 10, words: 30 };
  const lossesMs: number[] = [];
  const states: string[] = [];

  const killRepeatedly = async (name: string) => {
    const path = join(conversations, `${name}.jsonl`);
    await writeFile(path, `{"type":"conversation","version":1,"id":"${name}","createdAt":7}\n${unknownLine}\n`);
    for (let round = 1; round <= kills; round++) {
      // Before anything arrives, during the reasoning, in the middle of the answer, and just after its end; the first
      // time before its end.
      const question = `${name}-${round}`;
      const { killedAt, shownAt, lateMs } = await (round % 4 === 2
        ? killWindow('asking', Math.random() * 50, name, baseUrl, question)
        : killWindow('sent', Math.random() * (round === 1 ? 400 : 700), name, baseUrl, question));
      const file = await readFile(path, 'utf8');
      const { conversation, unreadLines } = readConversation(name, file);
      assert.ok(unreadLines <= 1 + round, 'each kill cuts at most one line');
      assert.equal(file.split('\n')[1], unknownLine);
      const reply = conversation.turns.find(({ id }) => id === question)?.replies[0];
      const isPosted = server.posts.some((body) => body.includes(`"${question}"`));
      assert.ok(reply || !isPosted, 'a question that was sent is in the file');
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
        const numbers = timedPieces(text, kind).map(({ number }) => number);
        assert.deepEqual(
          numbers,
          Array.from(numbers, (_, index) => index + 1),
          'without gaps or repeats',
        );
        assert.equal(text.replace(/[tw]\d+@\d{13} /g, ''), '', 'and no piece is cut');
        const firstLost = shownAt.get(`${kind}${numbers.length + 1}`);
        assert.ok(numbers.length === of || reply.state !== 'complete');
        const lostMs = firstLost !== undefined && firstLost < killedAt ? killedAt - firstLost : 0;
        assert.ok(lostMs <= 250 + toleranceMs + lateMs, `${lostMs} ms lost, ${lateMs} ms late`);
        lossesMs.push(lostMs);
      }
    }
    return name;
  };
  await Promise.all(windows.map(killRepeatedly));

  assert.equal(states.length, kills * windows.length);
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
  assert.deepEqual(await readdir(join(conversations, 'claims')), [], 'the locks of the killed windows are removed');
  // The next question sends the model what was stored of the earlier answers.
  const { killedAt } = await killWindow('sent', 100, 'a', baseUrl, 'a-last');
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
