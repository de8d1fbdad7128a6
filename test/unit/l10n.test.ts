import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isTranslation, keyOf, type Node, parseFile, visit } from './syntax.ts';

/** Checks that every text a person reads can be translated, and that the Simplified Chinese translation is complete. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const paths = globSync('src/**/*.ts', { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .sort();
const sources = paths.map((path) => ({ path, ...parseFile(join(root, path)) }));

/** Texts by their keys. */
type Texts = Readonly<Record<string, string>>;

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

const chineseTexts = readJson('l10n/bundle.l10n.zh-cn.json') as Texts;
const chineseManifest = readJson('package.nls.zh-cn.json') as Texts;

/** The English text of a key; a key can end in a slash and a comment for translators. */
function englishOf(bundle: Record<string, unknown>, key: string): string {
  const entry = bundle[key];
  return typeof entry === 'string' ? entry : (entry as { message: string }).message;
}

function lineOf(text: string, node: Node): number {
  return text.slice(0, node.start).split('\n').length;
}

test('every text that is translated is a literal and extracted: “npm run l10n” does that', () => {
  const used = new Set<string>();
  const wrong: string[] = [];
  for (const { path, text, program } of sources) {
    visit(program, (node) => {
      if (isTranslation(node)) {
        const key = keyOf(node);
        key === undefined ? wrong.push(`${path}:${lineOf(text, node)}`) : used.add(key);
      }
    });
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(Object.keys(readJson('l10n/bundle.l10n.json')).sort(), [...used].sort());
});

test('no text is translated while a module loads, because the translations are set afterwards', () => {
  const wrong: string[] = [];
  for (const { path, text, program } of sources) {
    visit(program, (node, parents) => {
      const isDeferred = parents.some(
        ({ type, static: isStatic }) =>
          type.includes('Function') || (type === 'PropertyDefinition' && isStatic !== true),
      );
      if (isTranslation(node) && !isDeferred) {
        wrong.push(`${path}:${lineOf(text, node)}`);
      }
    });
  }
  assert.deepEqual(wrong, []);
});

/** Placeholders, links to commands and settings, and icons: what a translation must contain as well. */
function marksOf(text: string): string[] {
  return (text.match(/\{\d+\}|\]\([^)]*\)|`#[^#]*#`|\$\([\w-]+\)/g) ?? []).sort();
}

test('every text has a Simplified Chinese translation with the same placeholders', () => {
  const bundle = readJson('l10n/bundle.l10n.json');
  assert.deepEqual(Object.keys(chineseTexts).sort(), Object.keys(bundle).sort());
  assert.ok(Object.keys(bundle).length > 500);
  for (const key of Object.keys(bundle)) {
    const text = englishOf(bundle, key);
    const chinese = chineseTexts[key] ?? '';
    // The singular of English has its number in words; Chinese has no singular.
    const isSingular = marksOf(text).length === 0 && /\b(?:one|1)\b/i.test(text);
    assert.deepEqual(marksOf(chinese), isSingular ? marksOf(chinese) : marksOf(text), key);
  }
});

test('no English sentence is left in the Chinese texts, and their punctuation is full-width', () => {
  const all = Object.entries({ ...chineseTexts, ...chineseManifest }).map(
    // Code, placeholders and the targets of links are the same in every language.
    ([key, text]) => [key, text.replaceAll(/`[^`]*`|\{\d+\}|\]\([^)]*\)|https?:\S+/g, ' ')] as const,
  );
  const english = all.filter(([, text]) => /[A-Za-z][\w'’-]*(?:[ ,]+[A-Za-z][\w'’-]*){3,}/.test(text));
  assert.deepEqual(english, []);
  const halfWidth = all.filter(([, text]) => /\p{Script=Han}[,;:?!()]|[,;?!()]\p{Script=Han}/u.test(text));
  assert.deepEqual(halfWidth, []);
});
