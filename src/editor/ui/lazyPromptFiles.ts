import * as vscode from 'vscode';

/** The scheme of the files that system prompts are edited in. The activation events name it too. */
export const systemPromptScheme = 'ask-model-system-prompt';

/** Reads and writes system prompts as if each was a file. */
export type PromptFiles = Pick<vscode.FileSystemProvider, 'stat' | 'readFile' | 'writeFile'>;

/** Registers the files of system prompts. What they need is loaded on their first use, also after a reload. */
export function offerPromptFiles(load: () => Promise<PromptFiles>): vscode.Disposable {
  const refuse = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return vscode.workspace.registerFileSystemProvider(
    systemPromptScheme,
    {
      // Saving compares with what is stored, so that nothing needs an event.
      onDidChangeFile: () => ({ dispose: () => undefined }),
      watch: () => ({ dispose: () => undefined }),
      stat: async (uri) => (await load()).stat(uri),
      readFile: async (uri) => (await load()).readFile(uri),
      writeFile: async (uri, content, options) => (await load()).writeFile(uri, content, options),
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );
}
