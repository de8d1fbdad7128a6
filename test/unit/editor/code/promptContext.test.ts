import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { TextEditor } from 'vscode';
import type { ContextSources } from '../../../../src/editor/code/contextFinder.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code's API that prompts ask for: one file with a function in its first two lines.
const fakeVscode = `data:text/javascript,
  export class DocumentSymbol {
    constructor(name, kind, range) { Object.assign(this, { name, kind, range, children: [] }); }
  }
  export class SymbolInformation {}
  export const SymbolKind = { Function: 11 };
  export class Range {
    constructor(line, character, endLine, endCharacter) {
      this.start = { line, character };
      this.end = { line: endLine, character: endCharacter };
    }
  }
  const total = new DocumentSymbol('total', 11, new Range(0, 0, 1, 1));
  export const commands = { executeCommand: async () => [total] };
  export const languages = { getDiagnostics: () => [] };
  export const window = { tabGroups: { all: [] }, createInputBox: () => new FakePick() };
  export const workspace = {
    textDocuments: [],
    fs: { stat: async () => ({ size: 60 }) },
    openTextDocument: async () => globalThis.promptDocument,
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(1),
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { fillPrompt } = await import('../../../../src/editor/code/promptContext.ts');
afterEach(FakePick.forget);
const { builtInPrompts } = await import('../../../../src/core/chat/prompts/namedPrompt.ts');

const text = 'function total() {\n}\nconst other = total();\n';
const uri = { scheme: 'file', path: '/src/cart.ts', toString: () => 'file:///src/cart.ts' };
const document = {
  uri,
  languageId: 'typescript',
  lineCount: 4,
  lineAt: () => ({ firstNonWhitespaceCharacterIndex: 0 }),
  getText: (range?: { start: { line: number } }) => (range ? text.split('\n').slice(0, 2).join('\n') : text),
};
Object.assign(globalThis, { promptDocument: document });
const files = { follow: async () => ({ isFile: true, size: 1 }) };
const sources = (current?: TextEditor) => ({ lastEditor: { current }, files }) as unknown as ContextSources;

/** Runs a prompt with the cursor in a line. */
async function run(name: string, line?: number) {
  const prompt = builtInPrompts(false).find((each) => each.name === name);
  const active = { line, character: 0 };
  const selection = { isEmpty: true, start: active, end: active, active };
  const editor = { document, selection, selections: [selection] } as unknown as TextEditor;
  const current = line === undefined ? undefined : editor;
  return (prompt && (await fillPrompt(prompt, sources(current)))) ?? assert.fail();
}

test('means the symbol around the cursor, or else the file, where nothing is selected, and says which', async () => {
  for (const name of ['explain', 'fix', 'tests', 'document', 'improve', 'review']) {
    const symbol = await run(name, 1);
    assert.match(symbol.text, /"total" in the file src\/cart\.ts/);
    const file = await run(name, 2);
    assert.match(file.text, /[a-z] the file src\/cart\.ts/);
    assert.deepEqual(
      [symbol, file].map(({ pieces, notes }) => [pieces.map((piece) => [piece.kind, piece.text]), notes]),
      [
        [[['symbol', 'function total() {\n}']], []],
        [[['file', text]], []],
      ],
    );
  }
});

test('says that no file is open where a prompt has nothing to mean', async () => {
  const { pieces, notes } = await run('review');
  assert.deepEqual([pieces, notes], [[], ['No file is open.']]);
});

test('asks for each input of a prompt file once, and fills it in as it was typed', async () => {
  const prompt = {
    name: 'rename',
    description: 'Ask for better names',
    text: `Rename \${input:what:Which name} to \${input:to}, not \${input:what}.`,
  };
  const answers: Record<string, string> = { 'Which name': `amountOf and \${selection}`, to: `$& or \${input:to}` };
  const asked: string[] = [];
  FakePick.onShow = (box) => {
    asked.push(box.placeholder);
    box.value = answers[box.placeholder] ?? '';
    box.accept();
  };
  const filled = await fillPrompt(prompt, sources());
  assert.deepEqual(asked, ['Which name', 'to']);
  assert.equal(
    filled?.text,
    `Rename amountOf and \${selection} to $& or \${input:to}, not amountOf and \${selection}.`,
  );
  FakePick.onShow = (box) => box.hide();
  assert.equal(await fillPrompt(prompt, sources()), undefined);
});
