import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from './endings.ts';

const isWindows = process.platform === 'win32';
const running = new Map<ChildProcess, () => void>();

/**
 * Starts a process as the leader of its own process group, so that it can be ended together with everything it starts.
 * What is still running when this process ends is ended too, unless this process is killed.
 */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: !isWindows });
  running.set(
    child,
    atEnd(() => signalGroup(child, 'SIGKILL')),
  );
  child.once('exit', () => {
    // Other processes of the group may still run: VS Code's extension hosts outlive their server for a while.
    signalGroup(child, 'SIGTERM');
    setTimeout(() => forget(child), 2_000).unref();
  });
  return child;
}

/** Ends a process and everything it started: with SIGTERM, and after `graceMs` with SIGKILL. Safe to call twice. */
export async function stopGroup(child: ChildProcess, graceMs = 3_000): Promise<void> {
  const until = Date.now() + graceMs;
  signalGroup(child, 'SIGTERM');
  while (isGroupAlive(child) && Date.now() < until) {
    await delay(50);
  }
  forget(child);
}

function forget(child: ChildProcess): void {
  const removeFromEnd = running.get(child);
  if (removeFromEnd) {
    running.delete(child);
    removeFromEnd();
    signalGroup(child, 'SIGKILL');
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) {
    return;
  }
  if (isWindows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has already ended.
  }
}

function isGroupAlive(child: ChildProcess): boolean {
  if (child.pid === undefined) {
    return false;
  }
  try {
    process.kill(isWindows ? child.pid : -child.pid, 0);
    return true;
  } catch {
    return false;
  }
}
