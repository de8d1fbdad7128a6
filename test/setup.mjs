/**
 * Makes a fresh machine ready: the project's own dependencies, and on request the offline VS Code and a browser.
 * Runs before anything is installed, so: plain JavaScript, no dependency, any Node from 18 on.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const isWindows = process.platform === 'win32';

/** The Node every later step runs with: the version VS Code itself runs on, whatever the machine has. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** A missing piece of the machine, in words for the person who started the command. */
export class SetupError extends Error {}

/** The environment of a later step: the project's Node and tools are found first. */
export function projectEnvironment(extra = {}) {
  const env = { ...process.env, ...extra };
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin'), env[name]];
  env[name] = folders.filter(Boolean).join(delimiter);
  return env;
}

// Errors are shown even where this was started by a silent npm.
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Runs npm in `folder`; throws a SetupError with `purpose` when it fails. */
function npm(args, folder, purpose) {
  // Started by npm, its own script is known: no shell is needed then, which on Windows would be.
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const command = script ? process.execPath : 'npm';
  const options = { cwd: folder, env: projectEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] };
  const result = spawnSync(command, script ? [script, ...args] : args, { ...options, shell: !script && isWindows });
  if (result.error?.code === 'ENOENT') {
    throw new SetupError('npm was not found. Install Node.js 20 or newer (npm comes with it) and run this again.');
  }
  if (result.status !== 0) {
    throw new SetupError(
      `${purpose} failed: npm ${args[0]} ended with ${result.status ?? result.signal}. ` +
        'Its message is above; without a network this step can not work, so check the connection or proxy first.',
    );
  }
}

/**
 * Whether what npm last installed in `folder` is what the lock file asks for. npm writes `.package-lock.json` as
 * its last act, so an interrupted install is seen as none. Optional packages belong to other platforms.
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

/** Installs the project's dependencies when they are missing or not those of the lock file. */
export function ensureDependencies() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 18) {
    throw new SetupError(
      `Node.js ${process.versions.node} is too old. Install Node.js 20 or newer and run this again.`,
    );
  }
  if (!isInstalled(root) || !existsSync(projectNode)) {
    console.log('Installing the dependencies of package-lock.json …');
    npm(['ci', ...quiet], root, 'Installing the dependencies');
  }
  const probe = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (!probe.stdout?.startsWith('v24')) {
    throw new SetupError(
      `The Node.js that belongs to the project does not start (${projectNode}). ` +
        'Its install script may have been forbidden: run "npm ci --foreground-scripts" and read its message.',
    );
  }
}

/**
 * Installs the VS Code server and workbench into `.vscode-test/code-server`, once for each version of its lock
 * file. It grows in a folder of another name and is renamed when whole, so an interrupted install leaves nothing
 * that looks like one. No install scripts: they compile native modules that the tests do without.
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
  console.log('Installing the offline VS Code for the tests (about 600 MB on disk, once) …');
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
 * The web workbench loads an extension under development in two cases only: when run from its sources, or in a
 * smoke test, where it shows no notification. A person's view needs both, so this drops the condition. The version is
 * pinned; with another one that has no such place this fails and says so.
 */
function takeDevelopmentExtensions(server) {
  const file = join(server, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.js');
  const code = readFileSync(file, 'utf8');
  const parts = code.split('this.payload&&(!this.isBuilt||this.enableSmokeTestDriver)');
  if (parts.length !== 2) {
    throw new SetupError('This version of the offline VS Code is not known: see takeDevelopmentExtensions.');
  }
  writeFileSync(file, parts.join('this.payload'));
}

/** Makes sure there is a Chrome, Edge or Chromium for the offline VS Code; on Debian as root it installs one. */
export function ensureBrowser() {
  const script = join(root, 'test', 'vscode', 'browser.ts');
  const isFound = () => spawnSync(projectNode, [script], { stdio: 'ignore' }).status === 0;
  if (isFound()) {
    return;
  }
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env, stdio: ['ignore', 'inherit', 'inherit'] };
    spawnSync('apt-get', ['update'], options);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  }
  if (!isFound()) {
    throw new SetupError(
      'No Chrome, Edge or Chromium was found; the tests inside VS Code need one. Install one of them ' +
        '(on Debian or Ubuntu: sudo apt-get install chromium), or set ASK_MODEL_BROWSER to the path of its executable.',
    );
  }
}

/** Runs `work` and turns a SetupError into its words and exit code 1. */
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
