import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import { filesText } from '../../core/chat/context/filesText.ts';
import { joinedFiles } from '../../core/chat/context/prompt.ts';
import { fileLimit } from './fileContexts.ts';
import type { FileTokens } from './fileTokens.ts';
import type { IncludableContext, ReadContext } from './foundContext.ts';
import { readFile } from './readFileContext.ts';
import type { WorkspaceFiles, WorkspaceFolder } from './workspaceFiles.ts';

/** A folder with more files is not included as a whole. */
const maxFiles = 200;

/** A row that includes the files of a folder, apart from those that are excluded from the list. */
export function folderRow(
  { uri, path, files }: WorkspaceFolder,
  workspaceFiles: Pick<WorkspaceFiles, 'filesIn' | 'follow'>,
  tokens: FileTokens,
): IncludableContext {
  const at = path.lastIndexOf('/') + 1;
  return {
    id: `folder:${uri.toString()}`,
    kind: 'folder',
    label: `${path.slice(at)}/`,
    detail: path.slice(0, Math.max(0, at - 1)),
    size: filesText(files),
    read: () => readFolder(path, workspaceFiles.filesIn(uri), workspaceFiles),
    ...(files <= maxFiles && {
      countTokens: async () => {
        const counts = await Promise.all(workspaceFiles.filesIn(uri).map((file) => tokens.of(file)));
        return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
      },
    }),
  };
}

/** Reads the files of a folder as one piece, without those that a link leads to out of the workspace. */
export async function readFolder(
  path: string,
  uris: readonly vscode.Uri[],
  workspaceFiles: Pick<WorkspaceFiles, 'follow'>,
): Promise<ReadContext> {
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
  const followed = await Promise.all(uris.map(async (uri) => ({ uri, ...(await workspaceFiles.follow(uri)) })));
  const ofFiles = followed.filter(({ isFile }) => isFile);
  const inside = ofFiles.filter(({ outside }) => outside === undefined);
  const read = await Promise.all(inside.map(({ uri }) => readFile(uri)));
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
  const left = inside.length - files.length;
  const links = ofFiles.length - inside.length;
  const note = sentences(
    left > 0 &&
      plural(
        left,
        l10n.t("1 file of {0} isn't included, because it's too large or isn't a text file.", path),
        l10n.t(
          "{0} files of {1} aren't included, because they're too large or aren't text files.",
          numberText(left),
          path,
        ),
      ),
    links > 0 &&
      plural(
        links,
        l10n.t("1 file of {0} isn't included, because it's a link out of the workspace.", path),
        l10n.t(
          "{0} files of {1} aren't included, because they're links out of the workspace.",
          numberText(links),
          path,
        ),
      ),
  );
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
    note: note || undefined,
  };
}
