/**
 * Runs the suite of test/host inside a real VS Code: the desktop one when it is available, otherwise the offline one,
 * with the same arguments. `--offline` always uses the offline one; other words select tests by their titles.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { outFolder, projectRoot } from '../vscode/paths.ts';
import { writeSettings } from '../vscode/profile.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { findDesktopVSCode } from './desktop.ts';
import { listenForReport } from './report.ts';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isOffline = process.argv.includes('--offline');

// Removed first, so that a suite that was deleted does not run again.
rmSync(join(outFolder, 'host'), { recursive: true, force: true });
if (spawnSync(process.execPath, ['esbuild.mjs'], { cwd: projectRoot, stdio: 'inherit' }).status !== 0) {
  console.error("The extension and its tests couldn't be built. See the messages above.");
  process.exit(1);
}

const offline = join(projectRoot, 'test', 'vscode', process.platform === 'win32' ? 'code.cmd' : 'code');
const desktop = isOffline ? undefined : await findDesktopVSCode();
console.log(desktop ? `VS Code: ${desktop}` : 'VS Code: the offline one');

const folder = makeTemporary('suite');
const workspace = join(folder, 'workspace');
mkdirSync(workspace);
writeFileSync(join(workspace, 'sample.ts'), 'export const answer = 42;\n');
// Only a workspace with a file gets and loses folders without a restart of its extensions.
const workspaceFile = join(folder, 'suite.code-workspace');
writeFileSync(workspaceFile, JSON.stringify({ folders: [{ path: 'workspace' }] }));
// In a browser VS Code saves by itself after a second, and a test of unsaved text would depend on its speed.
// Some limits and the consent are in settings of an earlier version.
writeSettings(join(folder, 'user'), {
  'files.autoSave': 'off',
  // The offline VS Code draws with the processor, and lays out what nobody looks at.
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'breadcrumbs.enabled': false,
  'workbench.editor.showTabs': 'none',
  'workbench.statusBar.visible': false,
  'workbench.activityBar.location': 'hidden',
  'askModel.dailyLimit': { tokens: 900_000_000 },
  'askModel.dailyLimit.calls': 1000,
  'askModel.timeouts.connect': 20,
  'askModel.timeouts.total': 900,
  'askModel.languageModels.allowedExtensions': ['ask-model.ask-model-caller'],
});
const report = await listenForReport();
let failure: unknown;
try {
  await runTests({
    vscodeExecutablePath: desktop ?? offline,
    // The second one is the other extension, which asks models.
    extensionDevelopmentPath: [projectRoot, join(projectRoot, 'test', 'host', 'companion')],
    extensionTestsPath: join(outFolder, 'host', 'index.cjs'),
    launchArgs: [
      workspaceFile,
      '--user-data-dir',
      join(folder, 'user'),
      '--extensions-dir',
      join(folder, 'extensions'),
    ],
    extensionTestsEnv: {
      ASK_MODEL_HOST_REPORT_PORT: String(report.port),
      ASK_MODEL_HOST_SETTINGS: join(folder, 'user', 'User', 'settings.json'),
      ...(words.length > 0 ? { ASK_MODEL_HOST_GREP: words.join(' ') } : {}),
    },
  });
} catch (error) {
  failure = error;
} finally {
  report.close();
}

const { passed, failed } = report.totals() ?? { passed: 0, failed: 0 };
// A run without results, or one that failed although no test did, counts as one failure.
const extra = failed === 0 && (failure !== undefined || passed === 0) ? 1 : 0;
if (extra > 0) {
  console.error(failure instanceof Error ? failure.message : 'The suite ended without a result.');
}
console.log(`host: ${passed} passed, ${failed + extra} failed`);
process.exit(failed + extra > 0 ? 1 : 0);
