import { FileSearch } from '../../src/core/chat/context/fileSearch.ts';
import { randomNumbers } from '../randomNumbers.ts';
import { atMost, type Measured, median, rounded } from './figures.ts';
import { amount, fileRounds } from './settings.ts';

const folders = ['src', 'core', 'chat', 'editor', 'webview', 'context', 'models', 'test', 'unit', 'ui', 'components'];
const names = ['index', 'contextFinder', 'userService', 'orderController', 'conversationView', 'modelList', 'cart'];
/** From one letter, which nearly all paths have, to letters spread over folders and names. */
const queries = ['e', 'ca', 'ctxf', 'order12', 'chat/conv', 'scecw', 'nothing-like-it'];
const rowsShown = 30;

/** Measures how long finding files takes for each key press after `#`, and the preparation of a new list of them. */
export function files(): Measured {
  const measured = [amount(10_000, 100), amount(50_000, 500)].map((count) => ({ count, ...measure(count) }));
  return {
    title: `files: longest median of ${fileRounds.counted} searches among ${queries.length} queries`,
    rows: measured.map(({ count, keystroke, prepare }) => ({
      files: count,
      keystroke: rounded(keystroke),
      'new list': rounded(prepare),
    })),
    bars: measured.map(({ count, keystroke }) =>
      atMost(`a key press among ${count.toLocaleString('en')} files`, keystroke, count === 10_000 ? 100 : 50),
    ),
  };
}

function measure(count: number): { keystroke: number; prepare: number } {
  const random = randomNumbers(1);
  const oneOf = (all: readonly string[]) => all[Math.floor(random() * all.length)];
  const paths = Array.from({ length: count }, (_, index) =>
    [...Array.from({ length: 2 + Math.floor(random() * 5) }, () => oneOf(folders)), `${oneOf(names)}${index}.ts`].join(
      '/',
    ),
  );
  const prepared: number[] = [];
  const searched = new Map(queries.map((query) => [query, [] as number[]]));
  for (let round = -fileRounds.warmUp; round < fileRounds.counted; round++) {
    const from = performance.now();
    const search = new FileSearch(paths);
    const taken = performance.now() - from;
    for (const query of queries) {
      const began = performance.now();
      search.find(query, rowsShown);
      if (round >= 0) {
        searched.get(query)?.push(performance.now() - began);
      }
    }
    if (round >= 0) {
      prepared.push(taken);
    }
  }
  return { keystroke: Math.max(...[...searched.values()].map(median)), prepare: median(prepared) };
}
