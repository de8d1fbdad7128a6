/**
 * The main process of `npm start`: runs the local gateway and a real VS Code connected to it, until Ctrl-C or until the
 * window is closed. All state is stored under `.vscode-test/start`, so the next start continues from there.
 */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { atEnd, beforeSignalEnds } from '../vscode/endings.ts';
import { cacheFolder, projectRoot } from '../vscode/paths.ts';
import { findVSCode } from './findVSCode.ts';
import { type Opened, openDesktop, openOffline } from './openVSCode.ts';

const home = join(cacheFolder, 'start');
const workspace = join(home, 'workspace');

mkdirSync(home, { recursive: true });
exitIfRunning(join(home, 'running'));
if (!existsSync(workspace)) {
  cpSync(join(projectRoot, 'test', 'start', 'workspace'), workspace, { recursive: true });
}

const gateway = await startGateway({
  // Use the same address every time if possible, because a connection stores it.
  ports: Array.from({ length: 50 }, (_, index) => 8787 + index),
  stateFile: join(home, 'gateway-state.json'),
  recordedRequests: 0,
});
let opened: Opened | undefined;
const close = async () => {
  await opened?.close();
  await gateway.close();
};
beforeSignalEnds(close);
// The process that the person started holds the other end of the channel; end when it is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

const where = {
  home,
  workspace,
  extensions: [projectRoot, join(projectRoot, 'test', 'start', 'companion')],
  env: {
    ASK_MODEL_START_GATEWAY: gateway.consoleUrl,
    ASK_MODEL_START_BASE_URL: gateway.baseUrl,
    ASK_MODEL_START_GATEWAY_ID: gatewayId(gateway),
  },
};
const desktop = process.argv.includes('--offline') ? undefined : findVSCode();
opened = await (desktop ? openDesktop(desktop, where) : openOffline(where)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
console.log(`
${opened.message}

Ask Model connects to a local gateway automatically. Its models give scripted answers and say so. Nothing costs money.
Try this:
  · Select a function in src/cart/discount.ts, right-click it, and select "Explain Selection with Ask Model".
  · Run "Ask Model" from the Command Palette (F1) and ask your own question.
  · Open the Ask Model view in the side bar to see the models of your key. Click the speech bubble of a model to ask it.
  · Create a key with a quota or a fault in the gateway's console: ${gateway.consoleUrl}

Press Ctrl+C to stop.
`);
await opened.closed;
await close();
process.exit(0);

/** Exits if another `npm start` is running: two at once would write the same profile and gateway state. */
function exitIfRunning(file: string): void {
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (other > 0 && isAlive(other)) {
    console.error(`npm start is already running (process ${other}). Stop it first with Ctrl+C in its terminal.`);
    process.exit(1);
  }
  writeFileSync(file, String(process.pid));
  atEnd(() => rmSync(file, { force: true }));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** An id for the gateway's state. It changes with a new state, because keys of an earlier state don't work then. */
function gatewayId({ isNew }: Gateway): string {
  const file = join(home, 'gateway-id');
  if (isNew || !existsSync(file)) {
    writeFileSync(file, randomUUID());
  }
  return readFileSync(file, 'utf8');
}
