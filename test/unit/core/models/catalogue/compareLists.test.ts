import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ComparedList,
  compareLists,
  comparisonDocument,
} from '../../../../../src/core/models/catalogue/compareLists.ts';
import type { Model } from '../../../../../src/core/models/list/model.ts';

// One zone for every machine; negative offsets and half hours are tried below.
process.env.TZ = 'Asia/Kolkata';

function seen(
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

test('tells two lists apart by exact id, in the order of every list', () => {
  const { onlyA, onlyB, both } = compareLists(
    seen('A', ['gpt-B', 'zeta', 'GPT-a', 'same', 'a/b:free']),
    seen('B', ['same', 'gpt-b', 'GPT-a', '__proto__', 'constructor']),
  );
  assert.deepEqual(onlyA, ['a/b:free', 'gpt-B', 'zeta']);
  assert.deepEqual(onlyB, ['__proto__', 'constructor', 'gpt-b']);
  assert.deepEqual(both, ['GPT-a', 'same']);
});

test('finds nothing in empty lists and no difference in the same list', () => {
  assert.deepEqual(compareLists(seen('A', []), seen('B', [])), { onlyA: [], onlyB: [], both: [] });
  assert.deepEqual(compareLists(seen('A', ['a', 'b']), seen('B', ['b', 'a'])), {
    onlyA: [],
    onlyB: [],
    both: ['a', 'b'],
  });
});

test('writes a document a person can keep', () => {
  const a = seen('Work', ['both', 'mine', { id: 'sized', contextTokens: 128_000 }], { note: 'Group vip' });
  const b = seen('Home', ['both', { id: 'sized', contextTokens: 200_000 }, { id: 'theirs' }]);
  const { list } = b;
  assert.equal(
    comparisonDocument(a, { ...b, list: { ...list, dropped: 2 } }),
    `# What two keys see: Work and Home

- Work: work.example, 3 models, read 2026-11-21T23:54:59+05:30
  - Note: Group vip
- Home: home.example, 3 models; 2 items without a usable id are left out, read 2026-11-21T23:54:59+05:30

Only Work: 1 model. Only Home: 1 model. Both: 2 models.

## Only Work (1)

- \`mine\`

## Only Home (1)

- \`theirs\`

## Both (2)

- \`both\`
- \`sized\`

## Another context size

- \`sized\`: 128,000 tokens in Work, 200,000 tokens in Home
`,
  );
});

test('leaves the context sizes out when none differs, and takes an unstated one for no difference', () => {
  const document = comparisonDocument(
    seen('A', [
      { id: 'x', contextTokens: 5 },
      { id: 'y', contextTokens: 7 },
    ]),
    seen('B', [{ id: 'x', contextTokens: 5 }, { id: 'y' }]),
  );
  assert.doesNotMatch(document, /context/i);
  assert.match(document, /## Only A \(0\)\n\nNone\.\n/);
});

test('writes every id exactly, whatever is in it, and each in a line of its own', () => {
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
  const lines = comparisonDocument(seen('A', Object.keys(ids)), seen('B', [])).split('\n');
  const items = lines.filter((line) => line.startsWith('- ') && !line.startsWith('- A') && !line.startsWith('- B'));
  assert.deepEqual(new Set(items), new Set(Object.values(ids).map((text) => `- ${text}`)));
  assert.equal(items.length, Object.keys(ids).length);
});

test('takes names and notes for plain words, and leaves a key in them out', () => {
  const document = comparisonDocument(
    seen('# <b>*A*</b>\n[x](y)', [], { host: 'h.example', note: 'key sk-Loopback0123456789key\n\n# no' }),
    seen('B', []),
  );
  assert.match(document, /^# What two keys see: \\# \\<b\\>\\\*A\\\*\\<\/b\\> \\\[x\\\]\\\(y\\\) and B\n/);
  assert.match(document, / {2}- Note: key \\\[key\\\] \\# no\n/);
  assert.doesNotMatch(document, /sk-Loopback|^# no/m);
});

test('tells connections of one name apart', () => {
  const title = (a: ComparedList, b: ComparedList) => comparisonDocument(a, b).split('\n')[0];
  const a = seen('Same', []);
  assert.equal(title(a, { ...a, host: 'b.example' }), '# What two keys see: Same (same.example) and Same (b.example)');
  assert.equal(title(a, a), '# What two keys see: Same (first) and Same (second)');
});

test('writes the time of zones west of Greenwich and of none', () => {
  const time = () => / read (\S+)/.exec(comparisonDocument(seen('A', []), seen('B', [])))?.[1];
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
  const [a, b] = [seen('A', ids(0)), seen('B', ids(2_500))];
  const { onlyA, onlyB, both } = compareLists(a, b);
  assert.deepEqual([onlyA.length, onlyB.length, both.length], [2_500, 2_500, 2_500]);
  const document = comparisonDocument(a, b);
  assert.equal(document.match(/^- `vendor\/model-\d+`$/gm)?.length, 7_500);
});
