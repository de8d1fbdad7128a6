import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { numberText, plural } from '../../core/base/localization.ts';
import { filesText } from '../../core/chat/context/filesText.ts';
import { joinedFiles } from '../../core/chat/context/prompt.ts';
import { fileLimit } from './fileContexts.ts';
import type { FileTokens } from './fileTokens.ts';
import type { IncludableContext, ReadContext } from './foundContext.ts';
import { readFileContext } from './readFileContext.ts';
import type { WorkspaceFiles, WorkspaceFolder } from './workspaceFiles.ts';

/** A folder with more files is not included as a whole. */
const maxFiles = 200;

/** A row that includes the files of a folder, apart from those that are excluded from the list. */
export function folderRow(
  { uri, path, files }: WorkspaceFolder,
  workspaceFiles: Pick<WorkspaceFiles, 'filesIn'>,
  tokens: FileTokens,
): IncludableContext {
  const at = path.lastIndexOf('/') + 1;
  return {
    id: `folder:${uri.toString()}`,
    kind: 'folder',
    label: `${path.slice(at)}/`,
    detail: path.slice(0, Math.max(0, at - 1)),
    size: filesText(files),
    read: () => readFolder(path, workspaceFiles.filesIn(uri)),
    ...(files <= maxFiles && {
      countTokens: async () => {
        const counts = await Promise.all(workspaceFiles.filesIn(uri).map((file) => tokens.of(file)));
        return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
      },
    }),
  };
}

/** Reads the files of a folder as one piece. */
export async function readFolder(path: string, uris: readonly vscode.Uri[]): Promise<ReadContext> {
  if (uris.length > maxFiles) {
    return {
      pieces: [],
      note: l10n.t(
        '{0} is too large to include: it has {1} files, and the limit is {2}. Include a folder in it, or single files.',
        path,
        numberText(uris.length),
        numberText(maxFiles),
      ),
    };
  }
  const read = await Promise.all(uris.map(readFileContext));
  const files = read.flatMap(({ pieces }) => pieces);
  const text = joinedFiles(files);
  if (files.length === 0) {
    return { pieces: [], note: l10n.t('{0} has no text files that can be included.', path) };
  }
  if (text.length > fileLimit) {
    return {
      pieces: [],
      note: l10n.t(
        '{0} is too large to include: its files have {1} characters, and the limit is {2}. Include a folder in it, or single files.',
        path,
        numberText(text.length),
        numberText(fileLimit),
      ),
    };
  }
  const left = uris.length - files.length;
  return {
    pieces: [
      {
        kind: 'folder',
        id: crypto.randomUUID(),
        path,
        languageId: 'text',
        startLine: 1,
        endLine: text.split('\n').length - 1,
        text,
        count: files.length,
      },
    ],
    ...(left > 0 && {
      note: plural(
        left,
        l10n.t("1 file of {0} isn't included, because it's too large or isn't a text file.", path),
        l10n.t(
          "{0} files of {1} aren't included, because they're too large or aren't text files.",
          numberText(left),
          path,
        ),
      ),
    }),
  };
}
