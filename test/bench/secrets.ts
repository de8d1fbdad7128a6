import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MaskedDraft } from '../../src/core/chat/masking/maskedDraft.ts';
import { KeyRemover, removedKey } from '../../src/core/secrets/keyRemover.ts';
import { projectRoot } from '../vscode/paths.ts';
import { amount, type Bench, inRounds } from './bench.ts';

const mostMs = 50;
const file = { kind: 'file', path: 'src/all.ts', languageId: 'typescript', startLine: 1, endLine: 1 } as const;

/** Measures the search for secrets and for the keys of three connections in code that is added to a question. */
export async function secrets(bench: Bench): Promise<void> {
  const counted = amount(9);
  bench.title = `secrets: median of ${counted} searches`;
  const code = sources();
  const keys = new KeyRemover(removedKey, true);
  for (const key of ['Sh3r8gKKqNgmmUvh4HBkTP1XHZhC7VOcs', '3f2b8c1e9a4d4c7b8e215d6f7a8b9c0d', 'Zk7qPw2vTn9rXb4mLc8d']) {
    keys.add(`sk-${key}`);
  }
  const sizes = { '100 KB': 100_000, '400 KB': 400_000 };
  const figures = await inRounds({ warmUp: amount(2), counted }, async (figures, round) => {
    for (const [name, size] of Object.entries(sizes)) {
      const draft = new MaskedDraft('k3f9x2a8b7c6', undefined, keys);
      const context = { ...file, id: String(round), text: code.slice(0, size) };
      await figures.time(name, () => draft.contexts([context]));
    }
  });
  bench.rows.push(...figures.rows());
  for (const name of Object.keys(sizes)) {
    bench.atMost(name, figures.median(name), mostMs);
  }
}

/** The code of this project. */
function sources(): string {
  const folder = join(projectRoot, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}
