import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type FoundPrompts,
  mergedPrompts,
  type NamedPrompt,
  promptLimit,
} from '../../core/chat/prompts/namedPrompt.ts';
import { promptFileEnd, promptFolder, promptsOfSetting, readPromptFile } from '../../core/chat/prompts/promptFile.ts';

/** More files than anyone chooses from, few enough to be read while the list opens. */
const maxFiles = 300;

/**
 * The person's own prompts: those of the setting, and those of the files in the folder of another setting. A prompt of
 * the setting replaces a file's with the same name. Both settings are the person's own: a workspace can't change them.
 *
 * @param home the folder that `~` stands for.
 */
export async function ownPrompts(home: vscode.Uri): Promise<FoundPrompts> {
  const configuration = vscode.workspace.getConfiguration();
  const { prompts, problems } = await promptsOfFolder(configuration.get<unknown>('askModel.promptFiles.folder'), home);
  return {
    prompts: mergedPrompts(prompts, promptsOfSetting(configuration.get<unknown>('askModel.prompts'))),
    problems,
  };
}

async function promptsOfFolder(setting: unknown, home: vscode.Uri): Promise<FoundPrompts> {
  const path = typeof setting === 'string' ? setting.trim() : '';
  const folderPath = promptFolder(path, home.fsPath);
  if (path === '') {
    return { prompts: [], problems: [] };
  }
  if (folderPath === undefined) {
    const problem = l10n.t('The setting askModel.promptFiles.folder needs a full path, or one that begins with ~/.');
    return { prompts: [], problems: [problem] };
  }
  const folder = vscode.Uri.file(folderPath);
  let names: readonly string[];
  try {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    names = entries.flatMap(([name, type]) =>
      name.endsWith(promptFileEnd) && (type & vscode.FileType.Directory) === 0 ? [name] : [],
    );
  } catch {
    return { prompts: [], problems: [l10n.t("The folder of prompts {0} can't be read.", path)] };
  }
  const sorted = names.toSorted().slice(0, maxFiles);
  const read = await Promise.all(sorted.map((name) => readPrompt(vscode.Uri.joinPath(folder, name), name)));
  return {
    prompts: read.filter((each) => typeof each !== 'string'),
    problems: read.filter((each) => typeof each === 'string'),
  };
}

/** The prompt of a file, or a sentence that says what it lacks. */
async function readPrompt(uri: vscode.Uri, name: string): Promise<NamedPrompt | string> {
  const unusable = l10n.t(
    'The prompt file {0} is left out: it must be UTF-8 text of at most 100 KB, with a name without blanks.',
    name,
  );
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // Reading a pipe would never end.
    if ((type & vscode.FileType.File) === 0 || size > promptLimit) {
      return unusable;
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
    return readPromptFile(name, text) ?? unusable;
  } catch {
    return unusable;
  }
}
