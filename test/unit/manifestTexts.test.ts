import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';

/** Checks the texts of the manifest in all languages. */

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const manifest = read('package.json');
const english: Record<string, string> = JSON.parse(read('package.nls.json'));
const translations = globSync('package.nls.*.json', { cwd: projectRoot }).map((path) => ({
  path,
  texts: JSON.parse(read(path)) as Record<string, string>,
}));

/** Names of the product, which are the same in all languages. */
const names = new Set(['Ask Model']);

/** All texts of a part of the manifest, other than names; `key` is the field that holds it. */
function textsOf(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each) => textsOf(each, key));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, each]) => textsOf(each, name));
  }
  const isText =
    /^(?:title|category|name|label|altText|contents|contextualTitle|displayName|\w*[dD]escriptions?)$/.test(key);
  return isText && !names.has(String(value)) ? [String(value)] : [];
}

test('every text of the manifest is in package.nls.json, which has no others', () => {
  const { name: _, ...rest } = JSON.parse(manifest);
  assert.deepEqual(
    [...new Set(textsOf(rest))].sort(),
    Object.keys(english)
      .map((key) => `%${key}%`)
      .sort(),
  );
});

test('of the commands with “Ask Model” in their titles, the palette lists the one that asks first, in each language', () => {
  const { commands, menus } = JSON.parse(manifest).contributes as {
    commands: { command: string; title: string; category?: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
  const hidden = menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command);
  for (const [language, texts] of [
    ['en', english] as const,
    ...translations.map((each) => [each.path.split('.')[2], each.texts] as const),
  ]) {
    const titles = commands
      .filter(({ command }) => !hidden.includes(command))
      .map(({ category, title }) => [category, texts[title.slice(1, -1)]].filter(Boolean).join(': '))
      .filter((title) => title.includes('Ask Model'));
    // VS Code sorts commands that were not used yet by their titles.
    titles.sort((a, b) => a.localeCompare(b, language));
    assert.equal(titles[0], texts['command.ask']);
  }
});

test('the palette lists at most 36 commands, with a connection, a repository, a terminal, and a panel or a selection', () => {
  const { commands, menus } = JSON.parse(manifest).contributes as {
    commands: { command: string; enablement?: string }[];
    menus: { commandPalette: { command: string; when: string }[] };
  };
  const places = new Map(menus.commandPalette.map(({ command, when }) => [command, when]));
  const always = [
    undefined,
    'askModel.state != disconnected',
    'gitOpenRepositoryCount != 0',
    'terminalIsOpen',
    'resourceScheme != ask-model-change',
  ];
  for (const place of ["activeWebviewPanelId == 'askModel.conversation'", 'editorHasSelection']) {
    const holds = (condition: string | undefined) => [...always, place].includes(condition);
    const listed = commands.filter(({ command, enablement }) => holds(enablement) && holds(places.get(command)));
    assert.ok(listed.length > 25 && listed.length <= 36, `${listed.length} with ${place}`);
  }
});

test('every translation of the manifest is complete, with the same links, settings and ellipses', () => {
  const linksOf = (text = '') => [...text.matchAll(/\(command:[^)]+\)|`#[\w.]+#`/g)].map(([link]) => link);
  const labelsOf = (text = '') => [text, ...[...text.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label)];
  assert.deepEqual(
    translations.map(({ path }) => path),
    ['package.nls.zh-cn.json'],
  );
  for (const { texts } of translations) {
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      assert.deepEqual(linksOf(texts[key]), linksOf(text), key);
      const endsIn = (all: string | undefined) => labelsOf(all).map((each) => each.endsWith('…'));
      assert.deepEqual(endsIn(texts[key]), endsIn(text), key);
      assert.notEqual(texts[key], text, key);
    }
  }
});
