/**
 * Runs in the extension host: activates the given extensions one after the other and writes the cost of each to a file.
 * Loading this extension first also takes the one-time cost that the first extension in a host has.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { setTimeout: delay } = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Waits until the work of the window's start is done: until 20 timers in a row are on time. */
async function quiet() {
  const end = performance.now() + 20_000;
  for (let inTime = 0; inTime < 20 && performance.now() < end; ) {
    const start = performance.now();
    await delay(25);
    inTime = performance.now() - start < 30 ? inTime + 1 : 0;
  }
}

async function activation(id) {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined || extension.isActive) {
    throw new Error(`${id} is ${extension ? 'active already' : 'not there'}`);
  }
  await quiet();
  collect();
  const heapBefore = process.memoryUsage().heapUsed;
  const loop = performance.eventLoopUtilization();
  const start = performance.now();
  await extension.activate();
  const ms = performance.now() - start;
  // Exclude the time that the host waits for the window, which is longer on a busy machine.
  const { active: busyMs } = performance.eventLoopUtilization(loop);
  const heapBytes = process.memoryUsage().heapUsed - heapBefore;
  collect();
  return { ms, busyMs, heapBytes, retainedBytes: process.memoryUsage().heapUsed - heapBefore };
}

exports.activate = async () => {
  const file = process.env.ASK_MODEL_BENCH_FILE;
  const figures = {};
  try {
    for (const id of process.env.ASK_MODEL_BENCH_EXTENSIONS.split(' ')) {
      figures[id] = await activation(id);
    }
  } catch (error) {
    figures.error = String(error);
  }
  writeFileSync(`${file}.part`, JSON.stringify(figures));
  renameSync(`${file}.part`, file);
};
