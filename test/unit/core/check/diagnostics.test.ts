import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Diagnostics, diagnosticsReport, RecentErrors } from '../../../../src/core/check/diagnostics.ts';
import { type Connection, readConnections } from '../../../../src/core/connections/connection.ts';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import { ManualClock } from '../base/manualClock.ts';

const at = Date.parse('2025-01-02T03:04:05.678Z');

/** Connections as the settings may have them; a connection whose address is refused is built as if it were not. */
function connectionsOf(entries: readonly { readonly id: string; readonly baseUrl: string }[]): Connection[] {
  return entries.map((entry) => {
    const [read] = readConnections([entry]).connections;
    const [plain] = readConnections([{ ...entry, baseUrl: new URL(entry.baseUrl).origin }]).connections;
    assert.ok(plain);
    return read ?? { ...plain, url: { ...plain.url, base: entry.baseUrl, modelsUrl: entry.baseUrl } };
  });
}

function report(given: Partial<Diagnostics>, withAddresses = false, keys: readonly string[] = []): string {
  const facts: Diagnostics = {
    at,
    system: [['Ask Model', '1.2.3']],
    connections: [],
    settings: [],
    errors: [],
    ...given,
  };
  return diagnosticsReport(facts, withAddresses, (text) => redact(text, keys));
}

test('the same facts give the same report, with no address', () => {
  const errors = new RecentErrors({ now: () => at });
  errors.problem('POST chat/completions', 'https://gw.example', {
    kind: 'rateLimited',
    status: 429,
    code: 'rate_limit_exceeded',
    requestId: '20250102030405678Ab',
    words: 'gw.example is busy',
  });
  errors.problem('GET models', 'https://old.example', {
    kind: 'unreachable',
    host: 'old.example',
    cause: 'dns',
    code: 'ENOTFOUND',
  });
  errors.defect('askModel.compare', new TypeError('What is love? is no JSON'));
  const [one, two] = connectionsOf([
    { id: 'a', baseUrl: 'https://gw.example/v1' },
    { id: 'b', baseUrl: 'http://10.1.2.3:3000/proxy/v1' },
  ]);
  assert.ok(one && two);
  const text = report({
    system: [
      ['Ask Model', '1.2.3'],
      ['Operating system', 'Linux 6.1 x64'],
    ],
    connections: [
      { connection: { ...one, consoleUrl: 'https://console.example/#/token?x=1', probes: true }, status: 'ready' },
      { connection: { ...two, headers: { 'x-team': 'blue' } }, status: 'keyMissing' },
    ],
    settings: [
      { name: 'askModel.connections', scope: 'user', value: [one, two] },
      { name: 'askModel.network.transport', scope: 'user', value: 'host', choices: ['undici', 'host'] },
      { name: 'askModel.timeouts.idle', scope: 'workspace', value: 60 },
      { name: 'askModel.conversations.keep', scope: 'user', value: false },
      { name: 'askModel.later', scope: 'folder', value: 'https://gw.example' },
    ],
    errors: errors.all,
  });
  assert.equal(
    text,
    `# Ask Model: diagnostics

## System

\`\`\`text
Created                 2025-01-02T03:04:05.678Z
Ask Model               1.2.3
Operating system        Linux 6.1 x64
\`\`\`

## Connections

\`\`\`text
1 (active)              ready
2                       keyMissing
\`\`\`

## Changed settings

\`\`\`text
askModel.connections (user): 2 entries
askModel.network.transport (user): host
askModel.timeouts.idle (workspace): 60
askModel.conversations.keep (user): false
askModel.later (folder): a text of 18 characters
\`\`\`

## Recent errors

\`\`\`text
2025-01-02T03:04:05.678Z POST chat/completions: rateLimited, status 429, code rate_limit_exceeded, request 20250102030405678Ab
2025-01-02T03:04:05.678Z GET models: unreachable (dns), code ENOTFOUND
2025-01-02T03:04:05.678Z askModel.compare: defect, TypeError
\`\`\`
`,
  );
});

test('says so when there are no connections, settings and errors', () => {
  const text = report({});
  assert.match(text, /## Connections\n\nNone\./);
  assert.match(text, /## Changed settings\n\nNone\.\n\n## Recent errors\n\nNone\.\n$/);
});

test('shows origins only when the person chose so, and no more of an address', () => {
  const entry = {
    id: 'a',
    baseUrl: 'https://gw.example:8443/tenant-blue/v1',
    consoleUrl: 'https://console.example/keys?sort=up#/x',
  };
  const [connection] = connectionsOf([entry]);
  assert.ok(connection);
  const errors = new RecentErrors({ now: () => at });
  errors.problem('GET models', 'https://gw.example:8443', { kind: 'gatewayDown', code: 'https://elsewhere.example' });
  const facts = {
    connections: [{ connection, status: 'ready' as const }],
    settings: [{ name: 'askModel.connections', scope: 'user' as const, value: [entry] }],
    errors: errors.all,
  };
  const [without, withAddresses] = [report(facts), report(facts, true)];
  assert.doesNotMatch(without, /\.example/);
  assert.match(withAddresses, /1 \(active\) {14}https:\/\/gw\.example:8443, ready$/m);
  assert.match(withAddresses, /gatewayDown, code \(not shown\), https:\/\/gw\.example:8443$/m);
  assert.doesNotMatch(withAddresses, /console|elsewhere|tenant-blue|sort|#\/x/);
  assert.match(withAddresses, /askModel\.connections \(user\): 1 entry/);
});

test('text from outside stays on one line and inside its block', () => {
  const text = report({
    system: [['Application', 'Code\n```\n# [link](https://a.example)']],
    errors: [{ at, text: 'x\n```\u202e: defect' }],
  });
  assert.match(text, /Application {13}Code ʼʼʼ # \[link\]/);
  assert.match(text, /x ʼʼʼ : defect/);
  assert.equal(text.match(/```/g)?.length, 4);
});

test('shows no secret and no name of its inputs, and without consent no host', () => {
  const secret = fc.stringMatching(/^Q[a-z0-9]{9,14}Z$/);
  const inputs = fc.record({
    secrets: fc.uniqueArray(secret, { minLength: 6, maxLength: 6, selector: (each) => each.toLowerCase() }),
    key: fc.stringMatching(/^[A-Za-z0-9]{20,40}$/),
    withAddresses: fc.boolean(),
  });
  fc.assert(
    fc.property(inputs, ({ secrets, key, withAddresses }) => {
      const [user, password, query, header, path, name] = secrets;
      const hosts = ['gate-one.example', 'gate-two.example', 'console.example', 'words.example'];
      const entry = {
        id: `${name}`,
        name,
        note: `${key} ${name}`,
        baseUrl: `https://${user}:${password}@gate-one.example/${path}/v1?key=${query}&q=${key}`,
        consoleUrl: `https://${user}:${password}@console.example/${path}?token=${query}#${key}`,
        headers: { 'x-a': header, [`x-${name}`]: `${header} ${key}` },
      };
      const [connection] = connectionsOf([entry]);
      assert.ok(connection);
      const hostile = { ...connection, consoleUrl: entry.consoleUrl, headers: entry.headers } as Connection;
      const errors = new RecentErrors({ now: () => at });
      const words = `What is ${path}? ${header} ${key} https://words.example/?key=${query}`;
      const problem = (code: string, requestId: string): GatewayProblem => ({
        kind: 'unreachable',
        host: 'gate-two.example',
        cause: 'network',
        code,
        requestId,
        words,
      });
      errors.problem('GET models', `https://${user}:${password}@gate-two.example/?${query}`, problem(key, words));
      errors.problem('GET models', 'https://gate-one.example', problem(`no ${path}`, `${key}==`));
      errors.problem('GET models', words, problem('gate-two.example', `https://words.example/${path}`));
      const error = Object.assign(new Error(words), { code: words, name: words });
      errors.defect('A call', error);
      const text = report(
        {
          connections: [
            { connection: hostile, status: 'ready' },
            { connection: hostile, status: 'keyElsewhere' },
          ],
          settings: [
            { name: 'askModel.connections', scope: 'user', value: [entry] },
            { name: 'askModel.connections', scope: 'workspace', value: entry },
            { name: 'askModel.text', scope: 'user', value: words, choices: ['other'] },
            { name: 'askModel.allowed', scope: 'folder', value: [name, { [`${header}`]: key }] },
          ],
          errors: errors.all,
        },
        withAddresses,
        [key],
      ).toLowerCase();
      for (const each of [...secrets, key]) {
        assert.ok(!text.includes(each.toLowerCase()), `${each} in ${text}`);
      }
      assert.doesNotMatch(text, /what is|console\.example|words\.example/);
      for (const host of hosts) {
        assert.ok(withAddresses || !text.includes(host), `${host} in ${text}`);
      }
    }),
  );
});

test('holds the last 5 errors, each with its time', () => {
  const clock = new ManualClock(0);
  const errors = new RecentErrors(clock);
  for (let index = 0; index < 8; index++) {
    clock.pass(1);
    errors.problem('GET models', 'https://gw.example', { kind: 'cut' });
  }
  assert.deepEqual(
    errors.all.map(({ at }) => at),
    Array.from({ length: 5 }, (_, index) => index + 4),
  );
});

test('holds no message of an error, and of its stack only the place in the extension', () => {
  const errors = new RecentErrors(new ManualClock(7));
  const error = Object.assign(new TypeError('"What is love?" is not valid JSON'), { code: 'ENOENT' });
  error.stack = [
    `TypeError: ${error.message}`,
    '    at JSON.parse (<anonymous>)',
    '    at Chat.read (/home/jane/.vscode/extensions/ask-model.ask-model-0.1.0/dist/app.cjs:12:345)',
    '    at async /home/jane/.vscode/extensions/ask-model.ask-model-0.1.0/dist/extension.cjs:1:2',
  ].join('\n');
  errors.defect('askModel.ask', error);
  errors.defect('Reply', 'What is love?');
  assert.deepEqual(errors.all, [
    { at: 7, text: 'askModel.ask: defect, TypeError, code ENOENT, at app.cjs:12:345', origin: undefined },
    { at: 7, text: 'Reply: defect, string', origin: undefined },
  ]);
});
