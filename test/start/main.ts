/**
 * The lasting part of `npm start`: the local gateway and a real VS Code connected to it, until Ctrl-C or until the
 * window is closed. Everything is kept under `.vscode-test/start`, so the next time goes on where this one ended.
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
takeTurn(join(home, 'running'));
if (!existsSync(workspace)) {
  cpSync(join(projectRoot, 'test', 'start', 'workspace'), workspace, { recursive: true });
}

const gateway = await startGateway({
  // The same address every time, where possible: a connection remembers it.
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
// The process that was started by hand holds the other end; when it is gone, so is the wish for all this.
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
${opened.words}

Ask Model connects to a gateway on this machine by itself. Its models answer from scripts and say so; nothing costs money.
Try:
  · select a function in src/cart/discount.ts, right-click, "Explain Selection"
  · "Ask Model" in the command palette (F1), then a question of your own
  · the Ask Model view at the left: the models of the key; the speech bubble on a row asks that one
  · a key with a quota or a fault, made in the gateway's console: ${gateway.consoleUrl}

Ctrl-C ends it all.
`);
await opened.closed;
await close();
process.exit(0);

/** Two at once would write the same profile and the same wallet. */
function takeTurn(file: string): void {
  const other = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (other > 0 && isAlive(other)) {
    console.error(`It is running already, as process ${other}. End that one first (Ctrl-C in its terminal).`);
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

/** Tells one gateway's memory from another's: a key of a state that is gone is of no use. */
function gatewayId({ isNew }: Gateway): string {
  const file = join(home, 'gateway-id');
  if (isNew || !existsSync(file)) {
    writeFileSync(file, randomUUID());
  }
  return readFileSync(file, 'utf8');
}
