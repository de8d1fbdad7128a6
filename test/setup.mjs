/**
 * Prepares a fresh machine: installs the dependencies of the project, and on request the offline VS Code and a browser.
 * Runs before anything is installed, so it is plain JavaScript without dependencies, for any Node from 18 on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const isWindows = process.platform === 'win32';

/** The Node that runs every later step: the version that VS Code itself runs on, whatever the machine has. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** Something is missing on the computer; the message is for the person who ran the command. */
export class SetupError extends Error {}

/** The environment of a later step: the Node and the tools of the project come first in the PATH. */
export function projectEnvironment(extra = {}) {
  const env = { ...process.env, ...extra };
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin'), env[name]];
  env[name] = folders.filter(Boolean).join(delimiter);
  return env;
}

// Shows errors even when a silent npm started this.
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Runs npm in `folder`. @throws SetupError with `purpose` when it fails. */
function npm(args, folder, purpose) {
  // When npm started this, the path of its script is known and no shell is needed; on Windows, `npm` itself needs one.
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const command = script ? process.execPath : 'npm';
  const options = { cwd: folder, env: projectEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] };
  const result = spawnSync(command, script ? [script, ...args] : args, { ...options, shell: !script && isWindows });
  if (result.error?.code === 'ENOENT') {
    throw new SetupError('npm was not found. Install Node.js 20 or newer, which includes npm, and run this again.');
  }
  if (result.status !== 0) {
    throw new SetupError(
      `${purpose} failed: npm ${args[0]} ended with ${result.status ?? result.signal}. ` +
        'See its message above. This step needs a network, so check your connection or proxy first.',
    );
  }
}

/**
 * Whether the packages of the lock file are installed in `folder`. npm writes `.package-lock.json` last, so an
 * interrupted install counts as none. Optional packages may belong to other platforms and are not checked.
 */
function isInstalled(folder) {
  try {
    const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
    const have = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || have[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

/** Installs the dependencies of the project when they are missing or differ from the lock file. */
export function ensureDependencies() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 18) {
    throw new SetupError(
      `Node.js ${process.versions.node} is too old. Install Node.js 20 or newer and run this again.`,
    );
  }
  if (!isInstalled(root) || !existsSync(projectNode)) {
    console.log('Installing the dependencies…');
    npm(['ci', ...quiet], root, 'Installing the dependencies');
  }
  const probe = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (!probe.stdout?.startsWith('v24')) {
    throw new SetupError(
      `The project's own Node.js doesn't start (${projectNode}). ` +
        'Its install script may have been blocked. Run "npm ci --foreground-scripts" to see its message.',
    );
  }
}

/** Installs the clients that the benchmarks compare with into `.vscode-test/bench`. No install scripts run. */
export function ensurePeers() {
  const target = join(root, '.vscode-test', 'bench');
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(join(root, 'test', 'bench', name), join(target, name));
  }
  if (!isInstalled(target)) {
    console.error('Installing the clients and tokenizers to compare with (once, about 230 MB on disk)…');
    npm(['ci', '--ignore-scripts', ...quiet], target, 'Installing the clients to compare with');
  }
}

/**
 * Installs the VS Code server and workbench into `.vscode-test/code-server`, once for each version of its lock file. It
 * is installed into a folder with another name, which is renamed when it is complete, so that an interrupted install is
 * never used. No install scripts run: they compile native modules that the tests do not need.
 */
export function ensureOfflineVSCode() {
  const source = join(root, 'test', 'vscode');
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8').replaceAll('\r\n', '\n');
  const hash = createHash('sha256').update(lock).update(String(takeDevelopmentExtensions)).digest('hex');
  const cache = join(root, '.vscode-test');
  const target = join(cache, 'code-server');
  const stamp = join(target, 'complete.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return;
  }
  console.log('Installing the offline VS Code for the tests (once, about 600 MB on disk)…');
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((entry) => /^code-server(\.\d+\.partial)?$/.test(entry))) {
    rmSync(join(cache, name), { recursive: true, force: true });
  }
  const partial = `${target}.${process.pid}.partial`;
  mkdirSync(partial);
  cpSync(join(source, 'package.json'), join(partial, 'package.json'));
  cpSync(join(source, 'package-lock.json'), join(partial, 'package-lock.json'));
  const purpose = 'Installing the offline VS Code';
  const server = join(partial, 'node_modules', 'code-server', 'lib', 'vscode');
  npm(['ci', '--ignore-scripts', ...quiet], partial, purpose);
  npm(['install', '--omit=dev', '--ignore-scripts', ...quiet], server, purpose);
  npm(['install', '--omit=dev', '--ignore-scripts', ...quiet], join(server, 'extensions'), purpose);
  takeDevelopmentExtensions(server);
  writeFileSync(join(partial, 'complete.txt'), hash);
  renameSync(partial, target);
}

/**
 * Makes the web workbench always load an extension under development. By itself it does so in two cases only: when run
 * from its sources, or in a smoke test, where it shows no notification. The UI tests need both, so this removes the
 * condition. The version is pinned; with a version that does not contain this code, it fails with an error.
 */
function takeDevelopmentExtensions(server) {
  const file = join(server, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js');
  const code = readFileSync(file, 'utf8');
  const parts = code.split('this.payload&&(!this.isBuilt||this.enableSmokeTestDriver)');
  if (parts.length !== 2) {
    throw new SetupError('This version of the offline VS Code is unknown. See takeDevelopmentExtensions.');
  }
  writeFileSync(file, parts.join('this.payload'));
}

/** Makes sure that there is a Chrome, Edge or Chromium for the offline VS Code; on Debian as root it installs one. */
export function ensureBrowser() {
  const script = join(root, 'test', 'vscode', 'browser.ts');
  const isFound = () => spawnSync(projectNode, [script], { stdio: 'ignore' }).status === 0;
  if (isFound()) {
    return;
  }
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env, stdio: ['ignore', 'inherit', 'inherit'] };
    spawnSync('apt-get', ['update'], options);
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (!isFound()) {
        spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
      }
    }
  }
  if (!isFound()) {
    throw new SetupError(
      "Chrome, Edge or Chromium wasn't found. The tests inside VS Code need one of them. Install one " +
        '(on Debian or Ubuntu: sudo apt-get install chromium), or set ASK_MODEL_BROWSER to the path of its executable.',
    );
  }
}

/** Runs `work`. A SetupError prints its message and ends the process with exit code 1. */
export async function reportingSetupErrors(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) {
      throw error;
    }
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await reportingSetupErrors(() => {
    ensureDependencies();
    ensureOfflineVSCode();
    ensureBrowser();
  });
}
