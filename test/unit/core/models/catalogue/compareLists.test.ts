import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ComparedList,
  compareLists,
  comparisonDocument,
} from '../../../../../src/core/models/catalogue/compareLists.ts';
import type { Model } from '../../../../../src/core/models/list/model.ts';

// The same time zone on every machine; other offsets are tested below.
process.env.TZ = 'Asia/Kolkata';

function comparedList(
  name: string,
  models: readonly (string | Partial<Model>)[],
  more: Partial<ComparedList> = {},
): ComparedList {
  return {
    name,
    host: `${name.toLowerCase()}.example`,
    list: {
      models: models.map((model) => ({
        id: 'x',
        vendor: 'Other',
        kind: 'chat',
        isForChat: true,
        ...(typeof model === 'string' ? { id: model } : model),
      })),
      dropped: 0,
    },
    readAt: Date.UTC(2026, 10, 21, 18, 24, 59),
    ...more,
  };
}

test('compares two lists by exact id, and sorts the ids', () => {
  const { onlyA, onlyB, both } = compareLists(
    comparedList('A', ['gpt-B', 'zeta', 'GPT-a', 'same', 'a/b:free']),
    comparedList('B', ['same', 'gpt-b', 'GPT-a', '__proto__', 'constructor']),
  );
  assert.deepEqual(onlyA, ['a/b:free', 'gpt-B', 'zeta']);
  assert.deepEqual(onlyB, ['__proto__', 'constructor', 'gpt-b']);
  assert.deepEqual(both, ['GPT-a', 'same']);
});

test('finds no models in empty lists and no difference between equal lists', () => {
  assert.deepEqual(compareLists(comparedList('A', []), comparedList('B', [])), { onlyA: [], onlyB: [], both: [] });
  assert.deepEqual(compareLists(comparedList('A', ['a', 'b']), comparedList('B', ['b', 'a'])), {
    onlyA: [],
    onlyB: [],
    both: ['a', 'b'],
  });
});

test('writes the comparison as a document', () => {
  const a = comparedList('Work', ['both', 'mine', { id: 'sized', contextTokens: 128_000 }], { note: 'Group vip' });
  const b = comparedList('Home', ['both', { id: 'sized', contextTokens: 200_000 }, { id: 'theirs' }]);
  const { list } = b;
  assert.equal(
    comparisonDocument(a, { ...b, list: { ...list, dropped: 2, withKey: 1, isPartial: true } }),
    `# Models of two keys: Work and Home

- Work: work.example, 3 models, read at 2026-11-21T23:54:59+05:30
  - Note: Group vip
- Home: home.example, 3 models, read at 2026-11-21T23:54:59+05:30
  - 2 items without a usable ID are left out.
  - 1 model is left out because its ID contains this connection's key. The gateway's list has more pages, which weren't read.

Only Work: 1 model · Only Home: 1 model · Both: 2 models

## Only Work (1)

- \`mine\`

## Only Home (1)

- \`theirs\`

## Both (2)

- \`both\`
- \`sized\`

## Different context sizes

- \`sized\`: 128,000 tokens in Work, 200,000 tokens in Home
`,
  );
});

test('leaves context sizes out when none differs, and does not count an unstated one as a difference', () => {
  const document = comparisonDocument(
    comparedList('A', [
      { id: 'x', contextTokens: 5 },
      { id: 'y', contextTokens: 7 },
    ]),
    comparedList('B', [{ id: 'x', contextTokens: 5 }, { id: 'y' }]),
  );
  assert.doesNotMatch(document, /context/i);
  assert.match(document, /## Only A \(0\)\n\nNone\.\n/);
});

test('writes every id exactly and on its own line, whatever characters it has', () => {
  const ids: Record<string, string> = {
    'a|b': '`a|b`',
    'a`b': '``a`b``',
    'a``b```c': '````a``b```c````',
    '`': '`` ` ``',
    '`x': '`` `x ``',
    ' x ': '`  x  `',
    'a\\b': '`a\\b`',
    '<img src=x onerror=alert(1)>': '`<img src=x onerror=alert(1)>`',
    '[x](command:evil)': '`[x](command:evil)`',
    'a\nb': '`"a\\nb"`',
    '\n# Heading': '`"\\n# Heading"`',
    'a\u2028b': '`"a\\u2028b"`',
    'a\u202eb': '`"a\\u202eb"`',
    'zero\u200bwidth': '`"zero\\u200bwidth"`',
    '\u007f': '`"\\u007f"`',
    '\ud800': '`"\\ud800"`',
    'tag\u{e0041}': '`"tag\\udb40\\udc41"`',
    'ünï/模型': '`ünï/模型`',
  };
  const lines = comparisonDocument(comparedList('A', Object.keys(ids)), comparedList('B', [])).split('\n');
  const items = lines.filter((line) => line.startsWith('- ') && !line.startsWith('- A') && !line.startsWith('- B'));
  assert.deepEqual(new Set(items), new Set(Object.values(ids).map((text) => `- ${text}`)));
  assert.equal(items.length, Object.keys(ids).length);
});

test('escapes names and notes, and removes a key from them', () => {
  const document = comparisonDocument(
    comparedList('# <b>*A*</b>\n[x](y)', [], { host: 'h.example', note: 'key sk-Loopback0123456789key\n\n# no' }),
    comparedList('B', []),
  );
  assert.match(document, /^# Models of two keys: \\# \\<b\\>\\\*A\\\*\\<\/b\\> \\\[x\\\]\\\(y\\\) and B\n/);
  assert.match(document, / {2}- Note: key \\\[key\\\] \\# no\n/);
  assert.doesNotMatch(document, /sk-Loopback|^# no/m);
});

test('distinguishes connections with the same name', () => {
  const title = (a: ComparedList, b: ComparedList) => comparisonDocument(a, b).split('\n')[0];
  const a = comparedList('Same', []);
  assert.equal(title(a, { ...a, host: 'b.example' }), '# Models of two keys: Same (same.example) and Same (b.example)');
  assert.equal(title(a, a), '# Models of two keys: Same (first) and Same (second)');
});

test('writes the local time with a negative and with a zero UTC offset', () => {
  const time = () => / read at (\S+)/.exec(comparisonDocument(comparedList('A', []), comparedList('B', [])))?.[1];
  const before = process.env.TZ;
  try {
    process.env.TZ = 'America/St_Johns';
    assert.equal(time(), '2026-11-21T14:54:59-03:30');
    process.env.TZ = 'UTC';
    assert.equal(time(), '2026-11-21T18:24:59+00:00');
  } finally {
    process.env.TZ = before;
  }
});

test('compares 5,000 models with 5,000 others', () => {
  const ids = (from: number) => Array.from({ length: 5_000 }, (_, index) => `vendor/model-${from + index}`);
  const [a, b] = [comparedList('A', ids(0)), comparedList('B', ids(2_500))];
  const { onlyA, onlyB, both } = compareLists(a, b);
  assert.deepEqual([onlyA.length, onlyB.length, both.length], [2_500, 2_500, 2_500]);
  const document = comparisonDocument(a, b);
  assert.equal(document.match(/^- `vendor\/model-\d+`$/gm)?.length, 7_500);
});
