import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isNode, type Node, parseFile, visit } from './syntax.ts';

/** Checks that names, comments and test titles use no retired words, and that comments cite existing documents. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Retired parts of names. CONTRIBUTING.md has the terms to use instead. */
const retiredNames = /^(?:wish|obey|carrier|kept|news|told|heard|claim|aim|look|seen)(?:e?s|ed)?$/;
/** Retired words of comments and titles. */
const retiredWords =
  /\b(?:wish(?:es|ed)?|obey(?:s|ed)?|carriers?|kept|news|told|heard|claim(?:s|ed)?|aim(?:s|ed)?|seen|anew|whoever|nobody|unasked|can not|by hand)\b/i;

type Source = {
  readonly path: string;
  readonly names: Set<string>;
  readonly comments: readonly string[];
  readonly titles: readonly string[];
};

/** The text of a string literal, of the fixed parts of a template, or of both joined with `+`. */
function textOf(node: unknown): string {
  if (!isNode(node)) {
    return '';
  }
  switch (node.type) {
    case 'Literal':
      return String(node.value);
    case 'TemplateLiteral':
      return (node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join(' … ');
    case 'BinaryExpression':
      return `${textOf(node.left)}${textOf(node.right)}`;
    default:
      return '';
  }
}

/** `test`, `it.skip`, `t.test` and their like. */
function isTitled({ callee }: Node): boolean {
  const name = isNode(callee) && callee.type === 'MemberExpression' ? callee.property : callee;
  return isNode(name) && /^(?:test|it|describe|suite)$/.test(String(name.name));
}

function sourceOf(path: string): Source {
  const { program, comments } = parseFile(join(root, path));
  const source = { path, names: new Set<string>(), comments, titles: [] as string[] };
  visit(program, (node) => {
    if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') {
      source.names.add(String(node.name));
    } else if (node.type === 'CallExpression' && isTitled(node)) {
      source.titles.push(textOf((node.arguments as unknown[])[0]));
    }
  });
  return source;
}

const exclude = (name: string) => name === 'node_modules';
const sources = globSync(['src/**/*.ts', 'test/**/*.{ts,mjs,cjs}', '*.mjs'], { cwd: root, exclude }).map(sourceOf);
const styles = globSync('src/**/*.css', { cwd: root }).map((path) => ({
  path,
  comments: readFileSync(join(root, path), 'utf8').match(/\/\*[\s\S]*?\*\//g) ?? [],
}));
const texts = [...sources, ...styles].flatMap(({ path, comments }) => comments.map((text) => ({ path, text })));
const documents = new Map(
  globSync(['*.md', 'docs/*.md'], { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

test('names use the terms of the field', () => {
  const isRetired = (name: string) => name.split(/(?=[A-Z])|_/).some((part) => retiredNames.test(part.toLowerCase()));
  const retired = sources.flatMap(({ path, names }) => [...names].filter(isRetired).map((name) => `${path}: ${name}`));
  assert.deepEqual(retired, []);
});

test('comments and titles of tests use plain words', () => {
  const titles = sources.flatMap(({ path, titles }) => titles.map((text) => ({ path, text })));
  const retired = [...texts, ...titles].filter(({ text }) => retiredWords.test(text));
  assert.deepEqual(
    retired.map(({ path, text }) => `${path}: ${text.trim()}`),
    [],
  );
});

test('comments cite quirks and sections that the documents have', () => {
  const wire = documents.get('docs/wire.md') ?? '';
  const service = documents.get('docs/service.md') ?? '';
  const missing: string[] = [];
  let cited = 0;
  const expect = (path: string, name: string, isThere: boolean) => {
    cited++;
    if (!isThere) {
      missing.push(`${path}: ${name}`);
    }
  };
  for (const { path, text } of texts) {
    for (const [, quirks = ''] of text.matchAll(/\bwire\s+(Q\d+(?:(?:–|, | and )Q\d+)*)/g)) {
      for (const [quirk] of quirks.matchAll(/Q\d+/g)) {
        expect(path, `wire ${quirk}`, wire.includes(`| ${quirk} |`));
      }
    }
    for (const [name, section] of text.matchAll(/\bwire\s+(\d\.\d)/g)) {
      expect(path, name, wire.includes(`### ${section} `));
    }
    for (const [name, document, section] of text.matchAll(/\b(wire|service)\s+section\s+(\d)/g)) {
      expect(path, name, (document === 'wire' ? wire : service).includes(`\n## ${section}. `));
    }
  }
  assert.ok(cited > 50);
  assert.deepEqual(missing, []);
});

test('every document that is cited or linked is here', () => {
  const names = new Set([...documents.keys()].map((path) => basename(path)));
  const missing = texts.flatMap(({ path, text }) =>
    (text.match(/\b[\w-]+\.md\b/g) ?? []).filter((name) => !names.has(name)).map((name) => `${path}: ${name}`),
  );
  for (const [path, text] of documents) {
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|command:)([^)#]+)/g)) {
      if (globSync(join(dirname(path), link), { cwd: root }).length === 0) {
        missing.push(`${path}: ${link}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});
