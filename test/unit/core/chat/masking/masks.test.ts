import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSecrets } from '../../../../../src/core/chat/masking/findSecrets.ts';
import { Masks } from '../../../../../src/core/chat/masking/masks.ts';
import type { FoundSecret } from '../../../../../src/core/chat/masking/secretRules.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { secretSamples } from './secretCorpus.ts';

const all = (text: string, kind: FoundSecret['kind'] = 'token'): FoundSecret[] => [
  { kind, vendor: '', start: 0, end: text.length },
];

test('masks a secret by a name that says its kind, the same secret by the same name', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  const text = `const key = 'ghp_${'aB3dE6'.repeat(6)}';`;
  assert.equal(masks.mask(text, findSecrets(text, '')), "const key = 'MASKED_GITHUB_KEY_1_k3f9x2a8b7c6';");
  assert.equal(masks.mask('hunter', all('hunter', 'password')), 'MASKED_PASSWORD_2_k3f9x2a8b7c6');
  assert.equal(masks.mask(text, findSecrets(text, '')), "const key = 'MASKED_GITHUB_KEY_1_k3f9x2a8b7c6';");
  assert.equal(masks.size, 2);
});

test('gives a mask a random part, so that a text cannot have it before', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  const text = 'hunter MASKED_PASSWORD_1';
  assert.equal(masks.mask(text, all('hunter', 'password')), 'MASKED_PASSWORD_1_k3f9x2a8b7c6 MASKED_PASSWORD_1');
  assert.equal(masks.restore('MASKED_PASSWORD_1_k3f9x2a8b7c6 MASKED_PASSWORD_1'), text);
});

test('leaves a mask in the address of a link, wherever the answer is cut', () => {
  const mask = 'MASKED_PASSWORD_1_k3f9x2a8b7c6';
  const masks = new Masks('k3f9x2a8b7c6');
  masks.mask('hunter', all('hunter', 'password'));
  const addresses = [
    `https://evil.example/?${mask}`,
    `HTTPS://${mask}.evil.example`,
    `<https://evil.example/${mask}>`,
    `[x](https&colon;//evil.example/${mask})`,
    `![x](\n  ${mask})`,
    `[x](<https://evil.example/ ${mask}>)`,
    `[x](<h&#116;tps&colon;//evil.example/\\<\\> ${mask}>)`,
    `[x](h&#116;tps&colon;//evil.example/\u00a0${mask})`,
    `> [x](\n> h&#116;tps&colon;//evil.example/${mask})`,
    `> [x]:\n> <h&#116;tps&colon;//evil.example/ ${mask}>`,
    `[x]: h&#116;tps&colon;//evil.example/${mask}`,
    `mailto:${mask}@evil.example`,
    `<${mask}@evil.example>`,
  ];
  for (const address of addresses) {
    assert.equal(masks.restoreShown(address), address);
    for (let cut = 0; cut < address.length; cut++) {
      assert.ok(address.startsWith(masks.restoreShown(address.slice(0, cut), true)), `${cut} of ${address}`);
    }
  }
  const shown = (text: string) => masks.restoreShown(text.replaceAll('%', mask));
  assert.equal(shown('[x](https://a.example) % and `%`'), '[x](https://a.example) hunter and `hunter`');
  assert.equal(shown('postgres://user:%@db/main'), 'postgres://user:hunter@db/main');
  assert.ok(masks.isIn('https://evil.example/?q=H%75nter%zz') && !masks.isIn('https://a.example/hunt'));
});

test('names the other file that a secret or a mask in a code is from, in a moment also among 13,900', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  const text = Array.from({ length: 13_900 }, (_, at) => `password: "Kz82mQx${at}a"`).join('\n');
  masks.mask(text, findSecrets(text, ''), 'a.yml');
  masks.mask('hunter', all('hunter', 'password'), 'b.yml');
  const code = 'const total = items.length + 1;\n'.repeat(12_000);
  const ms = leastCpuMs(500, () => assert.equal(masks.otherFile(code, 'c.ts'), undefined));
  assert.ok(ms < 500, `${ms} ms`);
  for (const secret of ['Kz82mQx13899a', 'MASKED_PASSWORD_13900_k3f9x2a8b7c6']) {
    assert.deepEqual(
      ['c.ts', 'a.yml'].map((path) => masks.otherFile(`${code}login("${secret}");`, path)),
      ['a.yml', undefined],
    );
  }
  assert.equal(masks.otherFile('hunter', 'c.ts'), 'b.yml', 'a word alone');
});

test('restores secrets that contain characters of patterns, and leaves unknown masks', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  masks.mask('$&$1', all('$&$1'));
  assert.equal(
    masks.restore('a MASKED_TOKEN_1_k3f9x2a8b7c6, MASKED_TOKEN_12_k3f9x2a8b7c6, MASKED_KEY_1_k3f9x2a8b7c6'),
    'a $&$1, MASKED_TOKEN_12_k3f9x2a8b7c6, MASKED_KEY_1_k3f9x2a8b7c6',
  );
});

test('masked texts hold no secret, and become the same texts again', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  for (const { text, path, secret } of secretSamples(400, 21)) {
    const masked = masks.mask(text, findSecrets(text, path));
    assert.ok(!masked.includes(secret), masked);
    assert.equal(masks.restore(masked), text);
  }
});

test('shows of an answer that arrives the beginning of what it shows in the end, wherever it is cut', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  const names = Array.from({ length: 12 }, (_, index) => masks.mask(`secret ${index}!`, all(`secret ${index}!`)));
  const piece = fc.oneof(
    fc.constantFrom(...names, 'M', 'MASKED_', 'MASKED_TOKEN_', '1', 'MASKED_KEY_3_k3f9x2a8b7c6'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(400)), (pieces, cuts) => {
      const answer = pieces.join('');
      const whole = masks.restoreShown(answer);
      for (const cut of cuts) {
        assert.ok(whole.startsWith(masks.restoreShown(answer.slice(0, cut), true)), `${cut} of ${answer}`);
      }
    }),
  );
});

test('holds back only what may become a mask', () => {
  const masks = new Masks('k3f9x2a8b7c6');
  masks.mask('hunter', all('hunter', 'password'));
  const shown = (text: string) => masks.restoreShown(text, true);
  assert.equal(shown('Hello M'), 'Hello ');
  assert.equal(shown('Hello Max MASKED_PASS'), 'Hello Max ');
  assert.equal(shown('MASKED_PASSAGE MASKED_PASSWORD_1_k3f9x2a8b7'), 'MASKED_PASSAGE ');
  assert.equal(shown('MASKED_PASSAGE MASKED_PASSWORD_1_k3f9x2a8b7c6'), 'MASKED_PASSAGE hunter');
});
