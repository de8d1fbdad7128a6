/**
 * Runs in the extension host: connects Ask Model, and measures the longest time that the host was blocked, the size of
 * its heap, and when it was asked to explain code. A 1 ms timer shows by its delay how long the host was blocked. On a busy machine other programs delay it
 * too, so the processor time of the thread is measured as well. The figures are written to a file.
 */
const { writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

let longest = 0;
let longestOnProcessor = 0;
let timer;

/** The processor time of this thread in milliseconds; undefined if Node doesn't provide it. */
function onProcessor() {
  const usage = process.threadCpuUsage?.();
  return usage && (usage.user + usage.system) / 1_000;
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('askModelBench.begin', () => {
      clearInterval(timer);
      longest = 0;
      longestOnProcessor = 0;
      let last = performance.now();
      let used = onProcessor();
      timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (used !== undefined) {
          const nowUsed = onProcessor();
          longestOnProcessor = Math.max(longestOnProcessor, nowUsed - used);
          used = nowUsed;
        }
      }, 1);
    }),
    vscode.commands.registerCommand('askModelBench.end', () => {
      clearInterval(timer);
      writeFileSync(
        process.env.ASK_MODEL_BENCH_FILE,
        JSON.stringify({ longestMs: longest, longestOnProcessorMs: longestOnProcessor }),
      );
    }),
    vscode.commands.registerCommand('askModelBench.heap', async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc');
      // Collect several times, because memory that a finalizer releases is freed by the next collection.
      for (let round = 0; round < 5; round++) {
        collect();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const heapMB = process.memoryUsage().heapUsed / 1_048_576;
      writeFileSync(process.env.ASK_MODEL_BENCH_FILE, JSON.stringify({ heapMB }));
    }),
    vscode.commands.registerCommand('askModelBench.explain', async () => {
      const clickedAt = [];
      for (let round = 0; round < Number(process.env.ASK_MODEL_BENCH_ROUNDS); round++) {
        const content = `export const round = ${round};\nexport const twice = 2 * round;\n`;
        const document = await vscode.workspace.openTextDocument({ content, language: 'typescript' });
        const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
        // Ask Model asks the person first when commands send more than three questions and nobody types in between.
        await vscode.commands.executeCommand('type', { text: ' ' });
        editor.selection = new vscode.Selection(0, 0, 2, 0);
        await new Promise((resolve) => setTimeout(resolve, 4_000));
        clickedAt.push(performance.timeOrigin + performance.now());
        await vscode.commands.executeCommand('askModel.explainSelection');
      }
      writeFileSync(process.env.ASK_MODEL_BENCH_FILE, JSON.stringify({ clickedAt }));
    }),
  );
  const askModel = await vscode.extensions.getExtension('ask-model.ask-model').activate();
  await askModel.connect(process.env.ASK_MODEL_BENCH_URL, 'bench-key-0123456789');
  await vscode.commands.executeCommand('workbench.view.extension.askModel');
};
