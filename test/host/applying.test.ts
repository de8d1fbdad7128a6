import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CodeContext } from '../../src/core/chat/context/prompt.ts';
import { type Conversation, noDraft } from '../../src/core/chat/conversation/conversation.ts';
import { findSecrets } from '../../src/core/chat/masking/findSecrets.ts';
import { Masks } from '../../src/core/chat/masking/masks.ts';
import { selectedCode } from '../../src/editor/code/fileContexts.ts';
import { ProposedChanges } from '../../src/editor/code/proposedChanges.ts';
import { applyFiles, filesOf, useCode } from '../../src/editor/code/useCode.ts';
import { WorkspaceFiles } from '../../src/editor/code/workspaceFiles.ts';
import { LastEditor } from '../../src/editor/ui/lastEditor.ts';
import { realPath } from '../../src/node/system/machine.ts';
import type { CodeAction } from '../../src/protocol/protocol.ts';
import { until } from '../until.ts';
import { proposals } from './proposals.ts';

const shows = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;

describe('applying code of an answer', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'applied');
  const original = shows.map((show) => [show, vscode.window[show]] as const);
  const lastEditor = new LastEditor();
  const changes = new ProposedChanges();
  const masks = new Masks('k3f9x2a8b7c6');
  /** The messages since the last action, and the buttons to press in the next ones. */
  let said: string[] = [];
  let presses: string[] = [];

  const uriOf = (path: string) => vscode.Uri.file(join(folder, path));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    return uriOf(path);
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const files = new WorkspaceFiles(async () => undefined, realPath);
  const deps = { lastEditor, changes, masks, files, panelColumn: undefined };
  const conversationWith = (answer: string, contexts: readonly CodeContext[]): Conversation => {
    const reply = { id: 'r1', model: 'm', host: 'h', state: 'complete' as const, text: answer, reasoning: '' };
    return {
      id: 'c1',
      createdAt: 0,
      draft: noDraft,
      turns: [{ id: 't1', question: 'q', contexts, replies: [{ ...reply, startedAt: 0 }] }],
    };
  };
  const blocksOf = (answer: string) =>
    [...answer.matchAll(/(?<=^|\n)```(.*)\n([\s\S]*?)\n?```/g)].map(([, fence = '', text = ''], block) => {
      return { block, fence, text };
    });
  /** Uses the first code block of an answer, as its buttons do. */
  const use = async (action: CodeAction, answer: string, contexts: readonly CodeContext[] = []) => {
    said = [];
    const [first] = blocksOf(answer);
    const shown = { type: 'useCode' as const, action, replyId: 'r1', ...(first ?? assert.fail('no block')) };
    await useCode(shown, conversationWith(answer, contexts), deps);
  };
  const proposal = () => {
    const [one, ...others] = proposals();
    assert.equal(others.length, 0);
    return one ?? assert.fail(`Nothing was proposed. ${said.join(' ')}`);
  };
  const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();

  before(() => {
    for (const show of shows) {
      Object.assign(vscode.window, {
        [show]: async (message: string, ...rest: unknown[]) => {
          said.push(message);
          const [press] = presses;
          return press !== undefined && rest.includes(press) ? presses.shift() : undefined;
        },
      });
    }
  });

  after(async () => {
    Object.assign(vscode.window, Object.fromEntries(original));
    changes.dispose();
    lastEditor.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    presses = [];
    for (const { modified } of proposals()) {
      await changes.discard(modified);
    }
    // An editor with unsaved changes asks before it closes.
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('asks before a masked value of one file gets into another, and names the file that it is from', async () => {
    const secret = 'DB_PASSWORD=Tr0ubKybfPf6%38';
    const placeholder = masks.mask(secret, findSecrets(secret, ''), 'applied/own.env').slice('DB_PASSWORD='.length);
    const block = (path: string) => `\`\`\`sh ${path}\nURL=https://db.example/?p=${placeholder}\n\`\`\``;
    write('own.env', 'URL=\n');
    write('public.env', 'URL=\n');
    await use('apply', block('applied/public.env'));
    assert.deepEqual(said, ['This code contains a masked value from applied/own.env. Put it into applied/public.env?']);
    assert.deepEqual(proposals(), []);
    presses = ['Compare with Whole File'];
    await use('apply', block('applied/own.env'));
    assert.equal(await textOf(proposal().modified), 'URL=https://db.example/?p=Tr0ubKybfPf6%38\n');
    assert.ok(!said.some((message) => message.includes('masked value')), said.join(' '));
  });

  describe('of a notebook', () => {
    const json = readFileSync(join(__dirname, '../../test/fixtures/reports/notebook.json'), 'utf8');
    const answer = '```python\ndef area(w, h):\n    return abs(w * h)\nprint(area(2, 3))\n```';
    let name = '';
    const openCell = async () => {
      name = `shapes${Date.now()}.ipynb`;
      const notebook = await vscode.workspace.openNotebookDocument(write(name, json));
      const shown = await vscode.window.showNotebookDocument(notebook);
      const cell = notebook.cellAt(0);
      await vscode.commands.executeCommand('notebook.cell.edit');
      await until(() => vscode.window.activeTextEditor?.document === cell.document);
      const editor = vscode.window.activeTextEditor ?? assert.fail();
      editor.selection = new vscode.Selection(0, 0, 2, 17);
      return { notebook, cell, shown, editor };
    };

    it('changes the cell that the code was selected in, and never the JSON (RooCode#4956, aelix-ai#45)', async () => {
      const { notebook, cell, editor } = await openCell();
      const contexts = selectedCode(editor);
      assert.deepEqual(
        contexts.map(({ path, cell: number, startLine, endLine }) => [path, number, startLine, endLine]),
        [[`applied/${name}`, 1, 1, 3]],
      );
      await use('apply', answer, contexts);
      const { modified } = proposal();
      assert.equal((await vscode.workspace.openTextDocument(modified)).languageId, 'python');
      assert.equal(await textOf(modified), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
      await changes.accept(modified);
      assert.equal(cell.document.getText(), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
      // VS Code tells the change of a cell before the change of its notebook, and saves only a changed one.
      await until(() => notebook.isDirty);
      await notebook.save();
      assert.deepEqual(JSON.parse(read(name)).cells[0].source, [
        'def area(w, h):\n',
        '    return abs(w * h)\n',
        'print(area(2, 3))',
      ]);
      await vscode.commands.executeCommand('undo');
      assert.match(cell.document.getText(), /return w \* h/);
    });

    it('compares a changed cell with its old lines, not with the JSON (RooCode#4956)', async () => {
      const { cell, editor } = await openCell();
      const contexts = selectedCode(editor);
      await editor.edit((builder) => builder.replace(new vscode.Range(1, 4, 1, 16), 'return h * w'));
      presses = ['Compare with Lines 1–3'];
      await use('apply', answer, contexts);
      await changes.accept(proposal().modified);
      assert.match(cell.document.getText(), /^def area\(w, h\):\n {4}return abs/);
      assert.equal(read(name), json);
    });

    it('replaces a cell that was added whole, without its output', async () => {
      const { cell } = await openCell();
      const text = `${cell.document.getText()}\n\n--- Output ---\n6\n`;
      await use('apply', answer, [
        {
          kind: 'cell',
          id: 'k',
          path: `applied/${name}`,
          languageId: 'python',
          startLine: 1,
          endLine: 3,
          text,
          cell: 1,
        },
      ]);
      await changes.accept(proposal().modified);
      assert.equal(cell.document.getText(), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
    });

    it('inserts into the cell and replaces its selection', async () => {
      const { cell, editor } = await openCell();
      await use('replace', '```python\npass\n```');
      assert.equal(cell.document.getText(), 'pass');
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await use('insert', '```python\nx = 1;\n```');
      assert.equal(cell.document.getText(), 'x = 1;pass');
      assert.equal(read(name), json);
    });

    it('refuses code for the JSON of its file, whatever the button (RooCode#4956)', async () => {
      const document = await vscode.workspace.openTextDocument(write('text.ipynb', json));
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, 20);
      const whole = `\`\`\`json\n${json}\`\`\``;
      for (const action of ['apply', 'insert', 'replace'] as const) {
        for (const contexts of action === 'apply' ? [[], selectedCode(editor)] : [[]]) {
          await use(action, action === 'apply' ? whole : answer, contexts);
          assert.match(said.join(), /text\.ipynb is a notebook, so code can only go into one of its cells\./);
        }
      }
      assert.equal(document.getText(), json);
      assert.equal(proposals().length, 0);
    });
  });

  describe('of files', () => {
    const area = 'export function area(r: number) {\n  return 3.14 * r * r;\n}\n\nexport const unit = 1;\n';
    const tax =
      'export function tax(price: number) {\n  return price * 0.2;\n}\n\nexport const none = 0;\nconst b = 1;\n';
    const better = 'export function tax(price: number) {\n  return price * 0.19;\n}';
    const selection = (path: string, text: string, more: Partial<CodeContext> = {}): CodeContext => ({
      kind: 'selection',
      id: 'k',
      path,
      languageId: 'typescript',
      startLine: 1,
      endLine: text.split('\n').length,
      text,
      ...more,
    });
    const ofArea = () => [selection('applied/area.ts', area.split('\n').slice(0, 3).join('\n'))];
    const accepted = async (uri: vscode.Uri) => {
      await changes.accept(proposal().modified);
      return textOf(uri);
    };

    it('changes the file that the block names, also by its full path, not that of the question (defilantech/LLMKube#945)', async () => {
      const uri = write('area.ts', area);
      for (const [name, fence, first] of [
        ['cart/first.ts', '```ts', '// applied/cart/first.ts\n'],
        ['cart/header.ts', '```ts applied/cart/header.ts', ''],
        ['cart/full.ts', `\`\`\`ts ${join(folder, 'cart/full.ts')}`, ''],
        ['cart/sentence.ts', 'In `cart/sentence.ts`:\n\n```ts', ''],
      ]) {
        const named = write(name ?? '', tax);
        await until(async () => (await vscode.workspace.findFiles(`**/${name}`)).length === 1);
        await use('apply', `${fence}\n${first}${better}\n\`\`\``, ofArea());
        assert.equal(await accepted(named), tax.replace('0.2', '0.19'));
      }
      assert.equal(await textOf(uri), area);
      await vscode.commands.executeCommand('undo');
      assert.equal(await textOf(uriOf('cart/sentence.ts')), tax);
    });

    it('inserts code with the indentation of the line it gets into (microsoft/vscode-copilot-release#1223)', async () => {
      const methods = '```python\ndef area(self):\n    return f"{self.w} \\$"\n\ndef name(self):\n    pass\n```';
      const further = methods.replaceAll(/^(?=.*[^`\n])(?!```)/gm, '    ');
      const inClass = 'def area(self):\n        return f"{self.w} \\$"\n\n    def name(self):\n        pass';
      for (const [name, before, code, inserted] of [
        ['spaces.py', 'class A:\n    ', methods, inClass],
        ['further.py', 'class A:\n    ', further, inClass],
        ['top.py', 'import a\n', methods, 'def area(self):\n    return f"{self.w} \\$"\n\ndef name(self):\n    pass'],
        ['copy.py', 'class A:\n', further, `    ${inClass}`],
      ] as const) {
        const document = await vscode.workspace.openTextDocument(write(name, before));
        const editor = await vscode.window.showTextDocument(document);
        const end = document.lineAt(1).range.end;
        editor.selection = new vscode.Selection(end, end);
        await use('insert', code);
        assert.equal(document.getText(), before + inserted);
        await vscode.commands.executeCommand('undo');
        assert.equal(document.getText(), before);
      }
    });

    it('creates a new file at its path only when it is accepted', async () => {
      for (const action of ['apply', 'newFile'] as const) {
        const path = `cart/${action}/rate.ts`;
        const code = `// applied/${path}\nexport const rate = 2;`;
        const patch = `*** Begin Patch\n*** Add File: applied/${path}\n+export const rate = 2;\n*** End Patch`;
        await use(action, `\`\`\`ts\n${action === 'apply' ? code : patch}\n\`\`\``, ofArea());
        const { original, modified } = proposal();
        assert.deepEqual([await textOf(original), await textOf(modified)], ['', 'export const rate = 2;\n']);
        assert.equal(existsSync(join(folder, path)), false);
        await changes.accept(modified);
        assert.equal(read(path), 'export const rate = 2;\n');
      }
    });

    it('creates a new file in the encoding that is set (claude-code#28316)', async () => {
      const settings = vscode.workspace.getConfiguration('files');
      await settings.update('encoding', 'gbk', vscode.ConfigurationTarget.Global);
      try {
        await use('apply', '```py applied/price.py\n# 价格\n```');
        await changes.accept(proposal().modified);
        assert.equal(readFileSync(join(folder, 'price.py'), 'hex'), '2320bcdbb8f10a');
        assert.equal(await textOf(uriOf('price.py')), '# 价格\n');
      } finally {
        await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('opens a new file without a path for code whose path exists, leads elsewhere or is not named', async () => {
      write('area.ts', area);
      const elsewhere = ['// //server/share/x.ts', '// .git/hooks/pre-commit.sh'];
      const lines = ['// applied/area.ts', ...elsewhere, '// no path'];
      for (const line of lines) {
        await use('newFile', `\`\`\`ts\n${line}\na();\n\`\`\``);
      }
      const untitled = vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled);
      assert.deepEqual(
        untitled.map((document) => document.getText()),
        lines.map((line) => `${line}\na();\n`),
      );
      assert.deepEqual([...new Set(untitled.map(({ languageId }) => languageId))], ['typescript']);
      assert.equal(proposals().length, 0);
      for (const document of untitled) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    });

    it('refuses what leaves out code, also in place of a selection (qwen-code#2575, cody#6584, RooCode#2990)', async () => {
      const uri = write('area.ts', area);
      const placeholder = readFileSync(join(__dirname, '../../test/fixtures/reports/answer-placeholder.md'), 'utf8');
      await use('apply', placeholder, ofArea());
      assert.match(said.join(), /^This code leaves out parts of area\.ts: "\/\/ \.\.\. existing code \.\.\."/);
      const editor = await vscode.window.showTextDocument(uri);
      editor.selection = new vscode.Selection(0, 0, 2, 1);
      await use('replace', placeholder);
      assert.match(said.join(), /^This code leaves out parts/);
      await use('apply', '```ts applied/new.ts\na();\n// ... rest of the file\n```');
      assert.match(said.join(), /^This code leaves out parts of applied\/new\.ts/);
      assert.equal(proposals().length, 0);
      assert.equal(await textOf(uri), area);
    });

    it('applies a diff to each of its files, or says which part was not found', async () => {
      const uri = write('area.ts', area);
      write('cart/tax.ts', tax);
      const diff = (old: string) =>
        `\`\`\`diff\n--- a/applied/area.ts\n+++ b/applied/area.ts\n@@ -1,2 +1,2 @@\n-${old}\n+  return Math.PI * r * r;\n--- a/applied/cart/tax.ts\n+++ b/applied/cart/tax.ts\n@@ @@\n-const b = 1;\n\`\`\``;
      await use('apply', diff('  return 3.14 * r * r;'), ofArea());
      assert.equal(proposals().length, 2);
      assert.deepEqual(changes.blocks, [
        { replyId: 'r1', block: 0 },
        { replyId: 'r1', block: 0 },
      ]);
      await changes.decide({ replyId: 'r1', block: 1 }, true);
      assert.equal(proposals().length, 2, 'those of another block stay');
      await changes.decide({ replyId: 'r1', block: 0 }, true);
      assert.deepEqual(changes.blocks, []);
      assert.equal(await textOf(uri), area.replace('3.14', 'Math.PI'));
      assert.equal(await textOf(uriOf('cart/tax.ts')), tax.replace('const b = 1;\n', ''));
      await use('apply', diff('  return 3 * r;'), ofArea());
      assert.match(said.join(), /^Part 1 of this change was not found in area\.ts: "return 3 \* r;"/);
    });

    it('lists the files of an answer, and changes each in one step, with its line ends and byte order mark', async () => {
      const windows = `\ufeff${tax.replaceAll('\n', '\r\n')}`;
      write('area.ts', area);
      const uri = write('cart/tax.ts', windows);
      await until(async () => assert.equal((await vscode.workspace.findFiles('applied/cart/tax.ts')).length, 1));
      // An earlier test has opened it, and VS Code reads it again a moment later.
      await until(async () => assert.equal(await textOf(uri), windows.slice(1)));
      const answer = [
        'Run it:\n\n```sh\nnpm test\n```',
        `In \`applied/cart/tax.ts\`:\n\n\`\`\`ts\n${better}\n\`\`\``,
        '```ts applied/cart/rates.ts\nexport const rate = 2;\n```',
        '```ts ../outside.ts\nexport const no = 1;\n```',
      ].join('\n\n');
      const conversation = conversationWith(answer, []);
      const blocks = blocksOf(answer);
      const listed = await filesOf({ type: 'findFiles', replyId: 'r1', blocks }, conversation, files);
      assert.deepEqual(listed, [
        { block: 1, files: [{ path: 'applied/cart/tax.ts', isNew: false }] },
        { block: 2, files: [{ path: 'applied/cart/rates.ts', isNew: true }] },
      ]);
      const one = blocks.slice(0, 2);
      assert.deepEqual(await filesOf({ type: 'findFiles', replyId: 'r1', blocks: one }, conversation, files), []);
      const all = listed.flatMap(({ block }) => blocks[block] ?? []);
      await applyFiles({ type: 'applyFiles', replyId: 'r1', blocks: all }, conversation, deps);
      assert.equal(proposals().length, 2, said.join());
      await changes.decide({ replyId: 'r2' }, true);
      assert.equal(proposals().length, 2, 'those of another answer stay');
      await changes.decide({ replyId: 'r1' }, true);
      assert.equal(read('cart/rates.ts'), 'export const rate = 2;\n');
      const document = await vscode.workspace.openTextDocument(uri);
      await document.save();
      assert.equal(read('cart/tax.ts'), windows.replace('0.2', '0.19'));
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('undo');
      await document.save();
      assert.equal(read('cart/tax.ts'), windows);
    });

    it('accepts the blocks for one file in one step, and shows again what changed beside another (opencode#3914)', async () => {
      const lines = Array.from({ length: 20 }, (_, line) => `line${line}();`);
      const block = (...changed: number[]) =>
        [
          '```diff applied/many.ts',
          ...changed.flatMap((line) => [`-line${line}();`, `+changed${line}();`]),
          '```',
        ].join('\n');
      const uri = write('many.ts', lines.join('\n'));
      const answer = [block(1), block(10), block(18), block(11)].join('\n');
      const blocks = blocksOf(answer);
      await applyFiles({ type: 'applyFiles', replyId: 'r1', blocks }, conversationWith(answer, []), deps);
      said = [];
      await changes.decide({ replyId: 'r1' }, true);
      const after = (...changed: number[]) =>
        lines.map((text, line) => (changed.includes(line) ? `changed${line}();` : text)).join('\n');
      assert.equal(await textOf(uri), after(1, 10, 18), said.join());
      assert.match(said.join(), /^many\.ts changed after this comparison was made/);
      await changes.accept(proposal().modified);
      assert.equal(await textOf(uri), after(1, 10, 11, 18));
    });

    it('refuses paths that lead out of the workspace or into Git, also by links', async () => {
      const outside = join(folder, '../../outside');
      mkdirSync(outside, { recursive: true });
      writeFileSync(join(outside, 'x.ts'), 'x');
      mkdirSync(folder, { recursive: true });
      symlinkSync(outside, join(folder, 'link'));
      for (const path of [
        '../x.ts',
        '/tmp/x.ts',
        'C:\\x.ts',
        'applied/.git/x.ts',
        'applied/link/x.ts',
        'applied/link/new.ts',
      ]) {
        await use('apply', `\`\`\`ts ${path}\na();\n\`\`\``);
        assert.match(said.join(), /Nothing was changed\.$/, path);
      }
      await use('newFile', '```ts applied/link/new.ts\na();\n```');
      assert.match(said.join(), /leads out of the workspace by a link\. Nothing was changed\.$/);
      assert.equal(proposals().length, 0);
      rmSync(outside, { recursive: true });
    });

    it('names a file that sets how VS Code works before it shows the change', async () => {
      for (const action of ['apply', 'newFile'] as const) {
        for (const path of ['.vscode/tasks.json', 'applied/.VSCode/settings.json', 'applied/a.code-workspace']) {
          const answer = `\`\`\`json ${path}\n{}\n\`\`\``;
          await use(action, answer);
          assert.equal(said.join(), `${path} sets how VS Code works in this workspace.`);
          assert.equal(proposals().length, 0);
          presses = ['Show Changes'];
          await use(action, answer);
          await changes.discard(proposal().modified);
        }
      }
    });

    it('says that code of an old version is old, and changes the file (qdk#1754, vscode#36019)', async () => {
      const uri = write('circle.ts', area);
      const old = write('circle.ts.old', area);
      vscode.workspace.registerTextDocumentContentProvider('older', { provideTextDocumentContent: () => area });
      await vscode.commands.executeCommand('vscode.diff', old.with({ scheme: 'older' }), uri);
      const left = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'older');
      assert.ok(left);
      left.selection = new vscode.Selection(1, 0, 1, 22);
      const contexts = selectedCode(left);
      assert.deepEqual(
        contexts.map(({ path, isOld }) => [path, isOld]),
        [['applied/circle.ts', true]],
      );
      await use('apply', '```ts\n  return r;\n```', contexts);
      assert.equal(await accepted(uri), area.replace('3.14 * r * r', 'r'));
      await use('apply', '```ts\n  return 2;\n```', contexts);
      assert.match(said.join(), /is from an old version of circle\.ts and is no longer in it\./);
    });

    it('offers the file of the editor when the question had no code', async () => {
      const uri = write('offered.ts', area);
      await vscode.window.showTextDocument(uri);
      presses = ['Compare with offered.ts'];
      await use('apply', '```ts\nexport function area(r: number, pi: number) {\n  return pi * r * r;\n}\n```');
      assert.equal(said[0], 'This question included no code from a file.');
      assert.match(await accepted(uri), /^export function area\(r: number, pi: number\) \{\n {2}return pi/);
    });
  });
});
