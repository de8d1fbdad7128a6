import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { downloadAndUnzipVSCode, ProgressReportStage } from '@vscode/test-electron';
import { cacheFolder } from '../vscode/paths.ts';

/** How long to wait for the first sign that a download is possible. */
const probeMs = 10_000;

/**
 * The executable of a desktop VS Code for tests: the one in `ASK_MODEL_VSCODE`, otherwise one downloaded earlier or
 * now. Undefined when there is no display to show it on, or it can't be downloaded.
 */
export async function findDesktopVSCode(): Promise<string | undefined> {
  const given = process.env.ASK_MODEL_VSCODE;
  if (given) {
    if (!existsSync(given)) {
      throw new Error(`ASK_MODEL_VSCODE names a file that is not there: ${given}`);
    }
    return given;
  }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return undefined;
  }
  let isAvailable = false;
  const report = ({ stage }: { stage: ProgressReportStage }) => {
    isAvailable ||= stage === ProgressReportStage.Downloading || stage === ProgressReportStage.FoundMatchingInstall;
  };
  const download = downloadAndUnzipVSCode({
    cachePath: cacheFolder,
    timeout: probeMs,
    reporter: { report, error() {} },
  });
  const failure = download.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([failure, delay(probeMs, undefined, { ref: false })]);
  return isAvailable ? download : undefined;
}
