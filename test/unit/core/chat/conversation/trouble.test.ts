import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { pictureText } from '../../../../../src/core/chat/conversation/replyFacts.ts';
import { retriesOf, troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import { classify } from '../../../../../src/core/errors/classify.ts';
import { type GatewayProblem, mayBeCharged, type ProblemKind } from '../../../../../src/core/errors/gatewayProblem.ts';
import { webPageProblem } from '../../../../../src/core/errors/webPage.ts';
import { everyKind } from '../../errors/everyKind.ts';

const ended = (part: Partial<Reply>): Reply => ({
  id: 'r',
  model: 'm',
  host: 'h',
  state: 'complete',
  text: 'Half',
  reasoning: '',
  startedAt: 5,
  ...part,
});

test('offers to continue, as a paid call, only for a reply that may be incomplete by its finish reason', () => {
  for (const [finishReason, title] of [
    ['length', 'The answer reached its length limit'],
    ['MAX_TOKENS', 'The answer reached its length limit'],
    ['model_context_window_exceeded', 'The answer reached its length limit'],
    ['pause_turn', 'The model paused before the answer was complete'],
    ['load_shedding', 'The answer ended for an unknown reason: load_shedding'],
  ]) {
    const trouble = troubleOf(ended({ finishReason: String(finishReason) }));
    assert.equal(trouble?.title, title);
    assert.deepEqual(trouble?.actions, [{ action: 'continue', label: 'Continue (New Paid Call)' }]);
  }
  for (const part of [{}, { finishReason: 'stop' }, { finishReason: 'length', state: 'stopped' as const }]) {
    const actions = troubleOf(ended(part))?.actions ?? [];
    assert.ok(!actions.some(({ action }) => action === 'continue'), JSON.stringify(part));
  }
});

test('says that a part of an answer was not read, and shows it, whatever else happened', () => {
  const show = { action: 'showUnread', label: 'Show Raw Data' };
  const alone = troubleOf(ended({ unread: '{bad' }));
  assert.deepEqual([alone?.title, alone?.actions], ["A part of this answer couldn't be read", [show]]);
  const cut = troubleOf(ended({ unread: '{bad', state: 'incomplete', problem: { kind: 'cut' } }));
  assert.match(cut?.remedy ?? '', /A part of this answer couldn't be read\.$/);
  assert.deepEqual(cut?.actions.at(-1), show);
  assert.equal(troubleOf(ended({ unread: '{bad', state: 'streaming' })), undefined);
});

test('says that a model declined in its own words, and offers nothing for an answer that is a picture', () => {
  const refused = troubleOf(
    ended({ state: 'incomplete', problem: { kind: 'contentFiltered', isRefusal: true, words: 'I cannot.' } }),
  );
  assert.deepEqual([refused?.title, refused?.words], ['The model declined to answer', 'I cannot.']);
  const picture = ended({ text: '', hasPicture: true });
  assert.equal(troubleOf(picture), undefined);
  for (const part of [
    { text: '', hasPicture: true },
    { hasPicture: true },
    { text: 'See ![a](data:image/png;base64,iVBOR)' },
  ]) {
    assert.equal(pictureText(ended(part)), "This answer has a picture, which Ask Model can't show here.");
  }
  const shown = '![](picture:3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png)';
  assert.equal(pictureText(ended({ text: shown, hasPicture: true })), undefined);
  assert.equal(pictureText(ended({})), undefined);
});

test('offers each action for another reply once, and none while a reply is running or arriving elsewhere', () => {
  assert.deepEqual(retriesOf(ended({})), ['sendAgain', 'askOther']);
  assert.deepEqual(retriesOf(ended({ finishReason: 'length' })), ['sendAgain', 'askOther']);
  assert.deepEqual(retriesOf(ended({ state: 'stopped' })), ['askOther'], 'its card has the other action');
  assert.deepEqual(retriesOf(ended({ state: 'failed', problem: { kind: 'cut' } })), ['askOther']);
  assert.deepEqual(retriesOf(ended({ state: 'incomplete', problem: { kind: 'elsewhere' } })), []);
  for (const state of ['waiting', 'streaming'] as const) {
    assert.deepEqual(retriesOf(ended({ state })), []);
  }
});

test('counts the wait a gateway asks for from the end of its response, and limits it to a day', () => {
  const until = (problem: Reply['problem'], totalMs?: number) =>
    troubleOf(ended({ state: 'failed', problem, totalMs }))?.waitUntil;
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: 7_000 }, 400), 5 + 400 + 7_000);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: 1e15 }), 5 + 86_400_000);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: -5 }), undefined);
  assert.equal(until({ kind: 'rateLimited', retryAfterMs: Number.NaN }), undefined);
  assert.equal(until({ kind: 'rateLimited' }), undefined);
  assert.equal(until({ kind: 'gatewayDown' }), undefined);
});

const nothing = { state: 'failed', text: '' } as const;
const cardOf = (problem: GatewayProblem, part: Partial<Reply> = {}) => {
  const card = troubleOf(ended({ ...nothing, ...part, problem }));
  assert.ok(card);
  return { ...card, all: [card.title, card.remedy, ...card.actions.map(({ label }) => label)].join('\n') };
};
const answered = (status: number, message = '') => classify({ message }, { status, headers: {}, secrets: [], now: 0 });

/** The kinds after which a model may have run. */
const charged: ReadonlySet<ProblemKind> = new Set([
  'contentFiltered',
  'gatewayDown',
  'gatewayTimedOut',
  'emptyReply',
  'unreadable',
  'tooLarge',
  'timedOut',
  'cut',
  'interrupted',
  'unsaved',
  'defect',
]);
const kinds = Object.keys(everyKind) as ProblemKind[];

/** A problem with the fields of all kinds. */
const problemOf = (kind: ProblemKind, status: number): GatewayProblem =>
  ({
    kind,
    status,
    detail: 'x',
    target: 'https://b',
    limitMs: 5_000,
    limitBytes: 1,
    timer: 'idle',
    host: 'h',
    cause: kind === 'proxy' ? 'refused' : 'dns',
    proxy: 'p:1',
    setting: 'http.proxy',
  }) as GatewayProblem;

test('warns of a charge depending on the kind of failure, not its status, and always when something arrived', () => {
  for (const kind of kinds) {
    const expected = charged.has(kind);
    for (const status of [200, 401, 402, 429, 500, 504]) {
      const problem = problemOf(kind, status);
      assert.equal(mayBeCharged(problem, false), expected, `${kind} ${status}`);
      assert.equal(/charge/.test(cardOf(problem).all), expected, `${kind} ${status}: ${cardOf(problem).all}`);
      if (kind !== 'elsewhere') {
        for (const part of [{ text: 'Half' }, { reasoning: 'Hm' }, { usage: { promptTokens: 3 } }]) {
          assert.match(cardOf(problem, part).all, /charge/, `${kind} with ${Object.keys(part)}`);
        }
      }
      assert.doesNotMatch(cardOf(problem).all, /not (?:be )?charged|free|partial answer is saved/i);
    }
  }
  assert.ok(mayBeCharged({ kind: 'unreachable', host: 'h', cause: 'network', words: 'who knows' }, false));
  assert.ok(mayBeCharged({ kind: 'webPage', page: 'proxy' }, false), 'a filter on the route reads answers too');
  assert.ok(mayBeCharged({ kind: 'of a later version' } as unknown as GatewayProblem, false));
});

test('warns that the model may have run when the gateway or a timer of the extension timed out', () => {
  const page = webPageProblem('<title>504</title>', { status: 504, headers: {}, secrets: [], now: 0 });
  const timers = (['firstByte', 'idle', 'payload', 'total'] as const).map((timer) => ({
    kind: 'timedOut' as const,
    timer,
    limitMs: 5_000,
  }));
  for (const problem of [page, answered(504), answered(408), answered(200, 'Request timed out'), ...timers]) {
    assert.match(cardOf(problem).remedy, /model may have run/, JSON.stringify(problem));
  }
});

test('mentions stored text when something arrived', () => {
  for (const kind of ['cut', 'timedOut', 'tooLarge', 'defect'] as const) {
    assert.match(cardOf(problemOf(kind, 200), { text: 'Half' }).remedy, /The partial answer is saved/);
  }
});

test('shows each fact once', () => {
  assert.deepEqual(cardOf({ kind: 'keyRejected', status: 401, code: '401', requestId: 'r' }).facts, [
    '401',
    'request r',
  ]);
  assert.deepEqual(cardOf({ kind: 'keyRejected', status: 401, code: 'no_key' }).facts, ['401', 'no_key']);
});

test('offers the page of the console that helps, once', () => {
  const page = (problem: GatewayProblem) =>
    cardOf(problem)
      .actions.filter(({ action }) => action === 'openConsole')
      .map(({ label }) => label);
  assert.deepEqual(page(answered(401)), ['Open Keys in Browser']);
  assert.deepEqual(page(answered(402)), ['Open Wallet in Browser']);
  assert.deepEqual(page({ kind: 'modelUnknown' }), ['Open Model Catalog in Browser']);
  assert.deepEqual(page({ kind: 'modelDenied' }), ['Open Keys in Browser']);
  assert.deepEqual(page({ kind: 'gatewayDown' }), []);
});

test('offers the action that fixes the problem: the console, the proxy settings, the extra headers', () => {
  const first = (problem: GatewayProblem) => cardOf(problem).actions[0];
  assert.deepEqual(first(answered(402)), { action: 'openConsole', label: 'Open Wallet in Browser' });
  assert.deepEqual(first(answered(403, '用户额度不足')), { action: 'openConsole', label: 'Open Wallet in Browser' });
  assert.deepEqual(first(answered(403, '该令牌额度已用尽')), { action: 'replaceKey', label: 'Replace Key…' });
  assert.deepEqual(first(answered(407)), { action: 'proxySettings', label: 'Open Proxy Settings' });
  assert.deepEqual(first({ kind: 'webPage', page: 'proxy' })?.action, 'proxySettings');
  assert.deepEqual(first(answered(400, 'The provider header is missing.')), {
    action: 'editConnection',
    label: 'Edit Connection…',
  });
  assert.equal(first(answered(400, 'x'))?.action, 'chooseModel');
  // Each of them can be sent again after the problem is fixed.
  for (const problem of [answered(402), answered(407)]) {
    assert.ok(cardOf(problem).actions.some(({ label }) => label === 'Send Again'));
  }
});

test('explains when reasoning used the whole limit, and when a tool call was requested after the text', () => {
  assert.match(
    cardOf({ kind: 'emptyReply', isAllReasoning: true }, { reasoning: 'Hm' }).title,
    /used its entire token limit for reasoning/,
  );
  for (const part of [{ hasToolCalls: true }, { finishReason: 'tool_calls' }, { finishReason: 'function_call' }]) {
    assert.match(troubleOf(ended(part))?.title ?? '', /called a tool/);
  }
  assert.equal(troubleOf(ended({ hasToolCalls: true, finishReason: 'length' }))?.actions[0]?.action, 'continue');
});
