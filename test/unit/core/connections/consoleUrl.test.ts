import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConsoleUrl } from '../../../../src/core/connections/consoleSettings.ts';
import { anyCharacter } from '../../propertyRuns.ts';

for (const [input, value] of [
  ['https://gateway.example', 'https://gateway.example/'],
  [' "https://gateway.example/panel/" ', 'https://gateway.example/panel/'],
  ['https://gateway.example/app#/token', 'https://gateway.example/app#/token'],
  ['https://gateway.example/?tab=wallet&lang=en#log', 'https://gateway.example/?tab=wallet&lang=en#log'],
  ['https：／／gateway.example', 'https://gateway.example/'],
  ['localhost:3000/console', 'http://localhost:3000/console'],
  ['http://[::1]:3000/', 'http://[::1]:3000/'],
] as const) {
  test(`reads ${input} as ${value}`, () => assert.deepEqual(readConsoleUrl(input), { ok: true, value }));
}

for (const [input, reason] of [
  ['', /Enter an address such as https:\/\/gateway\.example\/console\./],
  ['http://gateway.example', /unencrypted/],
  ['https://user:secret@gateway.example', /user name and password/],
  ['javascript://gateway.example/%0aalert(1)', /must start with https:\/\//],
  ['command:workbench.action.quit', /must start with https:\/\//],
  ['https://gateway.example/?key=secret', /address contains a key/],
  ['https://gateway.example/#/login?token=sk-secret0123456789', /address contains a key/],
  ['https://gateway.example/\nx', /contains a space/],
] as const) {
  test(`refuses ${JSON.stringify(input)}`, () => {
    const result = readConsoleUrl(input);
    assert.ok(!result.ok, result.ok ? result.value : '');
    assert.match(result.reason, reason);
    assert.doesNotMatch(result.reason, /secret/);
  });
}

test('accepts only web addresses, and parses its own result to the same result', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.webUrl(), fc.domain()), (input) => {
      const result = readConsoleUrl(input);
      if (result.ok) {
        const { protocol, username, password, href } = new URL(result.value);
        assert.match(protocol, /^https?:$/);
        assert.deepEqual([username, password, href], ['', '', result.value]);
        assert.deepEqual(readConsoleUrl(result.value), result);
      }
    }),
  );
});
