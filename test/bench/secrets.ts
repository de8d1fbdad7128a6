import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MaskedDraft } from '../../src/core/chat/masking/maskedDraft.ts';
import { KeyRemover, removedKey } from '../../src/core/secrets/keyRemover.ts';
import { projectRoot } from '../vscode/paths.ts';
import { atMost, inRounds, type Measured } from './figures.ts';
import { amount } from './settings.ts';

const mostMs = 50;

/** Measures the search for secrets and for the keys of three connections in code that is added to a question. */
export async function secrets(): Promise<Measured> {
  const code = sources();
  const keys = new KeyRemover(removedKey, true);
  for (const key of ['Sh3r8gKKqNgmmUvh4HBkTP1XHZhC7VOcs', '3f2b8c1e9a4d4c7b8e215d6f7a8b9c0d', 'Zk7qPw2vTn9rXb4mLc8d']) {
    keys.add(`sk-${key}`);
  }
  const sizes = [100_000, 400_000].map((size) => ({ name: `${size / 1_000} KB`, text: code.slice(0, size) }));
  const times = await inRounds({ warmUp: amount(2), counted: amount(9) }, (times, round) => {
    for (const { name, text } of sizes) {
      const draft = new MaskedDraft('k3f9x2a8b7c6', undefined, keys);
      const began = performance.now();
      draft.contexts([{ ...file, id: String(round), text }]);
      times.add(name, performance.now() - began);
    }
  });
  return {
    title: `secrets: median of ${amount(9)} searches`,
    rows: times.rows(),
    bars: sizes.map(({ name }) => atMost(name, times.median(name), mostMs)),
  };
}

const file = { kind: 'file', path: 'src/all.ts', languageId: 'typescript', startLine: 1, endLine: 1 } as const;

/** The code of this project. */
function sources(): string {
  const folder = join(projectRoot, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}
