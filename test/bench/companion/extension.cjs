/**
 * Inside the extension host: connects Ask Model, and tells how long the host was held up at a time. A timer of one
 * millisecond that comes late says by how much. The figures go into a file, because nothing else leaves the host.
 */
const { writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const vscode = require('vscode');

let longest = 0;
let timer;

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('askModelBench.begin', () => {
      clearInterval(timer);
      longest = 0;
      let last = performance.now();
      timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }, 1);
    }),
    vscode.commands.registerCommand('askModelBench.end', () => {
      clearInterval(timer);
      writeFileSync(process.env.ASK_MODEL_BENCH_FILE, JSON.stringify({ longestMs: longest }));
    }),
  );
  const askModel = await vscode.extensions.getExtension('ask-model.ask-model').activate();
  await askModel.connect(process.env.ASK_MODEL_BENCH_URL, 'bench-key-0123456789');
  await vscode.commands.executeCommand('workbench.view.extension.askModel');
};
