import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '../../../vscode/paths.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';

let bundle: Promise<string> | undefined;

/** The environment variable with the folder of the built panel, for the processes that this one starts. */
const sharedFolder = 'ASK_MODEL_SHARED_PANEL';

/** Builds the pages as they ship, once, unless the parent process already did. @returns their folder. */
export function builtPanel(): Promise<string> {
  bundle ??= (async () => {
    const given = process.env[sharedFolder];
    const folder = given ?? makeTemporary('panel');
    await (given ??
      promisify(execFile)(process.execPath, ['esbuild.mjs', '--production', `--panel=${folder}`], {
        cwd: projectRoot,
      }));
    return folder;
  })();
  return bundle;
}

/** Builds the panel for all processes that this one starts from now on. */
export async function sharePanel(): Promise<void> {
  process.env[sharedFolder] = await builtPanel();
}
