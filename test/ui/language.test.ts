import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pseudoLanguage, pseudoTexts, withoutTranslated } from '../pseudoLocale.ts';
import { projectRoot } from '../vscode/paths.ts';
import { questionPanel } from './support/connectedWorkbench.ts';
import { type ScreenTexts, walkThrough } from './support/languageWalk.ts';
import { openForSuite } from './support/openForSuite.ts';

/** The texts of the code and of the manifest in a language, by their keys. */
type Language = Record<'texts' | 'manifest', Readonly<Record<string, string>>>;

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(projectRoot, ...path), 'utf8'));

const english = { texts: readJson('l10n', 'bundle.l10n.json'), manifest: readJson('package.nls.json') };

/** A folder with the extension in the made-up language. */
function writePseudoExtension(folder: string, { texts, manifest }: Language): void {
  for (const name of ['dist', 'l10n', 'media', 'package.json', 'package.nls.json']) {
    // Not links: VS Code finds out by the path of a file which extension it is from.
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  const bundle = join(folder, 'l10n', `bundle.l10n.${pseudoLanguage}.json`);
  writeFileSync(bundle, JSON.stringify(texts));
  writeFileSync(join(folder, `package.nls.${pseudoLanguage}.json`), JSON.stringify(manifest));
}

/** The English names of days and months: the made-up language has no others. */
const dateWords = ['long', 'short'].flatMap((style) => {
  const names = new Intl.DateTimeFormat('en', { weekday: style as 'long', month: style as 'long' });
  const days = Array.from({ length: 12 }, (_, index) => new Date(2026, index));
  return days.flatMap((day) => names.formatToParts(day).filter(({ type }) => type !== 'literal'));
});

/** What is the same in every language, and what VS Code itself adds in English. */
const sameEverywhere = new RegExp(
  [
    String.raw`VS Code|https?:\S*|application/\S*|req_\w+|What is \d\?`,
    // Ids of models and their vendors, and filters.
    String.raw`\b\w+(?:[-/:.]\w+)+\b|\b\w*[A-Z]\w*[A-Z]\w*\b|Anthropic|Google|Meta|Mistral|Moonshot|Qwen|Zhipu|@[\w:<>]+`,
    String.raw`\(Press 'Enter' to confirm or 'Escape' to cancel\)|Toggle all checkboxes|Actions for|Inspect this in .*`,
    String.raw`(?:Control|Ctrl|Shift|Alt)\+\S+|Back|Progress|\d+ (?:Results|Selected)|Section|Not completed`,
    // The end of an address, which the report wraps, and a finish reason, as the gateway says it.
    String.raw`\{ "cost": 2 \}|completions|\bstop\b`,
    'has actions|actions|More Actions|Collapse All|Del|There is no data provider registered .*',
    String.raw`\b(?:${dateWords.map(({ value }) => value).join('|')})\b`,
    // Words that Chinese has as well, and the names of settings, which VS Code makes of their ids.
    String.raw`Token|Enter|Markdown|Linux|\x60{3}text|charset|glob|\.gitignore|Ask Model(?: › \w+: \w+)?`,
  ].join('|'),
  'g',
);

/** The texts with English words of three letters or more. In a document with a request, only the comments are texts. */
function left(recorded: readonly ScreenTexts[]): string[] {
  return recorded.flatMap(({ where, texts }) => {
    const shown = texts.filter((text) => where !== 'request' || /^\/\/ (?![\w-]+: )/.test(text));
    // A text may go over several elements. Editors show blanks as non-breaking ones.
    const rest = withoutTranslated(shown.join('\n')).split('\n');
    return rest
      .filter((text) => /[A-Za-z]{3}/.test(text.replaceAll('\u00a0', ' ').replaceAll(sameEverywhere, ' ')))
      .map((text) => `${where}: ${text}`);
  });
}

describe('in another display language', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');

  // `npm run test:long` runs the first two.
  const isShort = process.env.ASK_MODEL_CASES !== 'all';

  it('shows every text in that language', { skip: isShort }, async () => {
    const pseudo = { texts: pseudoTexts(english.texts), manifest: pseudoTexts(english.manifest) };
    const extension = suite.folder('extension');
    writePseudoExtension(extension, pseudo);
    const gateway = await suite.gateway({ delayMs: 0 });
    const workbench = await suite.workbench({
      folder,
      extensionDevelopmentPaths: [extension],
      language: pseudoLanguage,
      viewport: { width: 1400, height: 1100 },
    });
    assert.deepEqual(left(await walkThrough(workbench, gateway, pseudo.manifest, '90-pseudo')), []);
    await workbench.dispose();
  });

  it('shows every text in Simplified Chinese', { skip: isShort }, async () => {
    const gateway = await suite.gateway({ delayMs: 0 });
    const workbench = await suite.workbench({ folder, language: 'zh-cn', viewport: { width: 1400, height: 1100 } });
    assert.deepEqual(left(await walkThrough(workbench, gateway, readJson('package.nls.zh-cn.json'), '91-chinese')), []);
    await workbench.dispose();
  });

  it('shows texts of the manifest, of the code and of the panel in Simplified Chinese', async () => {
    const workbench = await suite.workbench({ folder, language: 'zh-cn' });
    const bar = await workbench.sideBar('Ask Model');
    await bar.locator('.monaco-button', { hasText: '连接到网关…' }).waitFor();
    await workbench.start('askModel.connect');
    await workbench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: '连接网关' }).waitFor();
    await workbench.screenshot('91-chinese');
    await workbench.page.keyboard.press('Escape');
    await workbench.start('askModel.newConversation');
    const panel = await questionPanel(workbench);
    assert.match((await panel.locator('textarea').getAttribute('placeholder')) ?? '', /\p{Script=Han}/u);
  });
});
