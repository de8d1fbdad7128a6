import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { cpuMs } from '../base/cpuMs.ts';
import { regexLiterals } from './regexLiterals.ts';
import { type WorstInput, worstInputs } from './worstInputs.ts';

const root = join(import.meta.dirname, '../../../..');
/** UTF-16 units that are tried: few at first, so that even a pattern that takes for ever comes back. */
const lengths = [20, 24, 28, 40, 64, 256, 1_024, 4_096, 16_384, 65_536];
/** Work that is shorter can't be measured. */
const measurableMs = 12;

function textOf({ start, pump }: WorstInput, length: number): string {
  return `${start}${pump.repeat(Math.max(1, Math.floor((length - start.length) / pump.length)))}\u0001`;
}

/** The least of three, because the first one counts the compiler too. */
function costOf(pattern: RegExp, text: string): number {
  const run = () => cpuMs(() => (pattern.global ? text.replace(pattern, '') : text.search(pattern)));
  const once = run();
  return once < measurableMs ? once : Math.min(once, run(), run());
}

/** What is wrong with a pattern, or nothing. */
function faultOf(pattern: RegExp): string | undefined {
  for (const input of worstInputs(pattern)) {
    let before = 0;
    for (const length of lengths) {
      const cost = costOf(pattern, textOf(input, length));
      if (cost >= measurableMs) {
        const quarter = Math.min(before, costOf(pattern, textOf(input, length / 4)));
        if (length <= 1_024 || cost > 8 * Math.max(quarter, 1)) {
          return `${pattern} on ${JSON.stringify(input)}: ${quarter} ms, ${cost} ms at ${length}`;
        }
        break;
      }
      before = cost;
    }
  }
  return undefined;
}

const files = ['src/core', 'src/editor', 'src/node'].flatMap((place) =>
  readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(root, place, name)),
);

test('every pattern of the host takes its own worst input in time that grows with its length', () => {
  const patterns = files.flatMap((file) =>
    regexLiterals(readFileSync(file, 'utf8')).map((pattern) => ({ pattern, file: relative(root, file) })),
  );
  assert.ok(patterns.length > 150, `only ${patterns.length} patterns were found`);
  const faults = patterns.flatMap(({ pattern, file }) => {
    const fault = faultOf(pattern);
    return fault === undefined ? [] : [`${file}: ${fault}`];
  });
  assert.deepEqual(faults, []);
});

test('finds patterns that go over their text again and again, and leaves others alone', () => {
  for (const pattern of [/a.*b/, /\s+$/, /(?:\d+)+x/, /\bkey[\w-]*:/, /^(\w+\s?)*$/, /v\d+\w*$/]) {
    assert.notEqual(faultOf(pattern), undefined, String(pattern));
  }
  for (const pattern of [/^a.*b/, /a.{0,100}b/, /\s+/g, /<[^>]{0,200}>/, /[?&]key=[^&]*/g]) {
    assert.equal(faultOf(pattern), undefined, String(pattern));
  }
});

test('finds the patterns in a source file, and no division, comment or text', () => {
  const template = ['`$', "{x.replace(/two/, '/no/')} /no/`);"].join('');
  const source = `const a = b / c / d; // /no/\n/* /no/ */ f('/no/', /[/]yes\\//gi, ${template}`;
  assert.deepEqual(regexLiterals(source).map(String), ['/[/]yes\\//gi', '/two/']);
});
