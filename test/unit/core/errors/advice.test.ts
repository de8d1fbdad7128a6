import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { configureLocalization } from '../../../../src/core/base/localization.ts';
import { advice, adviceText, quotedWords } from '../../../../src/core/errors/advice.ts';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';

afterEach(() => configureLocalization({ language: 'en' }));

test('joins title and remedy to one text', () => {
  assert.equal(adviceText({ title: 'Rate limit reached', remedy: 'Wait.' }), 'Rate limit reached. Wait.');
  assert.equal(adviceText({ title: 'Rate limit reached', remedy: '' }), 'Rate limit reached.');
});

test('words an advice in the language that is set when it is asked for', () => {
  const problem = { kind: 'timedOut', timer: 'idle', limitMs: 120_000 } as const;
  const context = { host: 'h', model: 'm', hasArrived: true };
  assert.equal(
    adviceText(advice(problem, context)),
    'The answer stopped arriving. Nothing arrived for 2 minutes. The partial answer is saved. The model may have run.',
  );
  configureLocalization({
    language: 'zh-cn',
    texts: {
      'The answer stopped arriving': '回答停止传输',
      'Nothing arrived for {0}.': '{0}内没有收到任何内容。',
      '{0} minutes': '{0} 分钟',
      'The partial answer is saved.': '已收到的部分已保存。',
      'The model may have run.': '模型可能已运行。',
      '{0} {1}/Two sentences': '{0}{1}',
      '{0}. {1}/A title, then a sentence': '{0}。{1}',
    },
  });
  assert.equal(
    adviceText(advice(problem, context)),
    '回答停止传输。2 分钟内没有收到任何内容。已收到的部分已保存。模型可能已运行。',
  );
});

test('explains problems that another version stored', () => {
  const stored = [
    { kind: 'unreadable', detail: 'an object with a, b' },
    { kind: 'proxy', proxy: 'p:1', setting: 'http.proxy', cause: 'later', detail: 7 },
  ] as unknown as GatewayProblem[];
  assert.deepEqual(
    stored.map((problem) => advice(problem, { host: 'h' }).remedy.split('. ')[0]),
    [
      "The response isn't in the expected format",
      "http.proxy isn't the address of an HTTP or HTTPS proxy, or has characters that aren't allowed in a header",
    ],
  );
});

test('attributes a message to the gateway only if the gateway responded', () => {
  assert.equal(quotedWords({ kind: 'cut', words: 'boom' }, 'h'), '(boom)');
  assert.equal(quotedWords({ kind: 'keyRejected', status: 401, words: 'no' }, 'h'), 'h says: "no"');
  assert.equal(quotedWords({ kind: 'keyRejected', status: 401 }, 'h'), '');
});

test('Q60 and Q80 show the address that a gateway redirects to, to which nothing was sent', () => {
  for (const target of ['https://login.example/authorize?client_id=x', 'https://www.gateway.example/v1', 'http://[']) {
    const { title, remedy, action } = advice({ kind: 'redirected', target }, { host: 'gateway.example' });
    assert.equal(title, 'The gateway redirects to another address');
    assert.ok(remedy.startsWith(`It redirects to ${target}. Nothing was sent there.`));
    assert.match(remedy, /sign in to the network or VPN in a browser/);
    assert.equal(action, 'editAddress');
  }
  assert.match(advice({ kind: 'redirected', target: '' }, { host: 'h' }).remedy, /doesn't say where/);
});
