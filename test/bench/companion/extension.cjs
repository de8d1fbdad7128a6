/**
 * Runs in the extension host. Its commands connect Ask Model, and measure what happens in the host: how long it is
 * blocked, its heap, when it is asked to explain code, and the activation of extensions.
 */
const { performance } = require('node:perf_hooks');
const { setTimeout: delay } = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

let longestMs = 0;
let onProcessorMs = 0;
let timer;

/** The processor time of this thread in milliseconds; NaN if Node doesn't provide it. */
function onProcessor() {
  const { user, system } = process.threadCpuUsage?.() ?? {};
  return (user + system) / 1_000;
}

/**
 * A 1 ms timer shows by its delay how long the host was blocked. On a busy machine other programs delay it too, so the
 * processor time of the thread is measured as well.
 */
function begin() {
  clearInterval(timer);
  longestMs = 0;
  onProcessorMs = 0;
  let last = performance.now();
  let used = onProcessor();
  timer = setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    const nowUsed = onProcessor();
    onProcessorMs = Math.max(onProcessorMs, nowUsed - used || 0);
    used = nowUsed;
  }, 1);
}

function end() {
  clearInterval(timer);
  return { longestMs, onProcessorMs };
}

const usedMB = () => process.memoryUsage().heapUsed / 1_048_576;

async function heapMB() {
  // Collect several times, because memory that a finalizer releases is freed by the next collection.
  for (let round = 0; round < 5; round++) {
    collect();
    await delay(50);
  }
  return usedMB();
}

/** Returns when each command was called, in Unix milliseconds. */
async function explain(rounds) {
  const clickedAt = [];
  for (let round = 0; round < rounds; round++) {
    const content = `export const round = ${round};\nexport const twice = 2 * round;\n`;
    const document = await vscode.workspace.openTextDocument({ content, language: 'typescript' });
    const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    // Ask Model asks the person first when commands send more than three questions and nobody types in between.
    await vscode.commands.executeCommand('type', { text: ' ' });
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    await delay(4_000);
    clickedAt.push(performance.timeOrigin + performance.now());
    await vscode.commands.executeCommand('askModel.explainSelection');
  }
  return clickedAt;
}

/** Waits until the work of the window's start is done: until 20 timers in a row are on time. */
async function quiet() {
  const end = performance.now() + 20_000;
  for (let inTime = 0; inTime < 20 && performance.now() < end; ) {
    const start = performance.now();
    await delay(25);
    inTime = performance.now() - start < 30 ? inTime + 1 : 0;
  }
}

/** The time that something takes, with and without the time that the host waits for the window, which varies. */
async function timed(act) {
  const loop = performance.eventLoopUtilization();
  const start = performance.now();
  await act();
  return { ms: performance.now() - start, busyMs: performance.eventLoopUtilization(loop).active };
}

/**
 * Activates extensions one after the other. Returns the cost of each: time with and without waiting, heap with and without
 * garbage; and of ours the time of its first use, which loads the app.
 */
async function activate(...ids) {
  const figures = {};
  for (const id of ids) {
    const extension = vscode.extensions.getExtension(id);
    if (extension === undefined || extension.isActive) {
      throw new Error(`${id} is ${extension ? 'active already' : 'not there'}`);
    }
    await quiet();
    collect();
    const heapBefore = usedMB();
    const activation = await timed(() => extension.activate());
    const heapMB = usedMB() - heapBefore;
    collect();
    const keptMB = usedMB() - heapBefore;
    // Does nothing else when there is no filter.
    const use = () => id === 'ask-model.ask-model' && vscode.commands.executeCommand('askModel.clearFilter');
    const { busyMs: firstUseMs } = await timed(use);
    figures[id] = { ...activation, heapMB, keptMB, firstUseMs };
  }
  return figures;
}

async function connect(baseUrl) {
  const askModel = await vscode.extensions.getExtension('ask-model.ask-model').activate();
  await askModel.connect(baseUrl, 'bench-key-0123456789');
  await vscode.commands.executeCommand('workbench.view.extension.askModel');
}

exports.activate = (context) => {
  for (const [name, run] of Object.entries({ activate, begin, connect, end, explain, heapMB })) {
    context.subscriptions.push(vscode.commands.registerCommand(`askModelBench.${name}`, run));
  }
};
