import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { byCases } from '../../propertyRuns.ts';
import { cpuMs } from '../base/cpuMs.ts';
import { regexLiterals } from './regexLiterals.ts';
import { type WorstInput, worstInputs } from './worstInputs.ts';

const root = join(import.meta.dirname, '../../../..');
/** The tested lengths in UTF-16 units. The first ones are short, so that even an exponential pattern ends. */
const lengths = [20, 24, 28, 40, 64, 256, 1_024, 4_096, 16_384, ...byCases([], [65_536], [65_536])];
/** Shorter times can't be measured reliably. */
const measurableMs = 12;

function textOf({ start, pump }: WorstInput, length: number): string {
  return `${start}${pump.repeat(Math.max(1, Math.floor((length - start.length) / pump.length)))}\u0001`;
}

/** The shortest of three times, because the first includes compiling the pattern. */
function costOf(pattern: RegExp, text: string): number {
  const run = () => cpuMs(() => (pattern.global ? text.replace(pattern, '') : text.search(pattern)));
  const once = run();
  return once < measurableMs ? once : Math.min(once, run(), run());
}

/** Measures again, more often, because a busy machine can make one of the two times longer. */
function isSlower(pattern: RegExp, input: WorstInput, length: number): boolean {
  const times = (text: string) => Array.from({ length: 7 }, () => costOf(pattern, text));
  const [whole, quarter] = [times(textOf(input, length)), times(textOf(input, length / 4))];
  return Math.min(...whole) > 8 * Math.max(Math.min(...quarter), 1);
}

/** Describes an input for which the time grows faster than the length; undefined when there is none. */
function superlinearInput(pattern: RegExp): string | undefined {
  for (const input of worstInputs(pattern)) {
    let before = 0;
    for (const length of lengths) {
      const cost = costOf(pattern, textOf(input, length));
      if (cost >= measurableMs) {
        const quarter = Math.min(before, costOf(pattern, textOf(input, length / 4)));
        // Single times are inexact: all that may have grown faster than the length are measured again.
        if (length <= 1_024 || (cost > 5 * Math.max(quarter, 1) && isSlower(pattern, input, length))) {
          return `${pattern} on ${JSON.stringify(input)}: ${quarter} ms, ${cost} ms at ${length}`;
        }
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

test('every regular expression of the host takes time that grows linearly with the length of its worst input', () => {
  const patterns = files.flatMap((file) =>
    regexLiterals(readFileSync(file, 'utf8')).map((pattern) => ({ pattern, file: relative(root, file) })),
  );
  assert.ok(patterns.length > 150, `only ${patterns.length} patterns were found`);
  const problems = patterns.flatMap(({ pattern, file }) => {
    const found = superlinearInput(pattern);
    return found === undefined ? [] : [`${file}: ${found}`];
  });
  assert.deepEqual(problems, []);
});

test('finds regular expressions that take more than linear time, and no others', () => {
  for (const pattern of [/a.*b/, /\s+$/, /(?:\d+)+x/, /\bkey[\w-]*:/, /^(\w+\s?)*$/, /v\d+\w*$/]) {
    assert.notEqual(superlinearInput(pattern), undefined, String(pattern));
  }
  for (const pattern of [/^a.*b/, /a.{0,100}b/, /\s+/g, /<[^>]{0,200}>/, /[?&]key=[^&]*/g]) {
    assert.equal(superlinearInput(pattern), undefined, String(pattern));
  }
});

test('finds the regular expressions in a source file, but none in divisions, comments or strings', () => {
  const template = ['`$', "{x.replace(/two/, '/no/')} /no/`);"].join('');
  const source = `const a = b / c / d; // /no/\n/* /no/ */ f('/no/', /[/]yes\\//gi, ${template}`;
  assert.deepEqual(regexLiterals(source).map(String), ['/[/]yes\\//gi', '/two/']);
});
