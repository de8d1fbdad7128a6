/**
 * Inside the extension host: activates the extensions it is told of one after the other and writes into a file what each
 * took. Being loaded itself, it has already made the host do what the first extension of all pays for.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { setTimeout: delay } = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** The start of a window leaves work behind: until the host has come back in time from 20 pauses in a row. */
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
  // Without the time the host waits for the window, which answers the later the busier the machine is.
  const { active: busyMs } = performance.eventLoopUtilization(loop);
  const heapBytes = process.memoryUsage().heapUsed - heapBefore;
  collect();
  return { ms, busyMs, heapBytes, keptBytes: process.memoryUsage().heapUsed - heapBefore };
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
