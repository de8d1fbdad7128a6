import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { listText } from '../../core/base/localization.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { type CodeContext, newPieces } from '../../core/chat/context/prompt.ts';
import {
  builtInPrompts,
  type EditorVariable,
  type FoundPrompts,
  filledPrompt,
  mergedPrompts,
  type NamedPrompt,
  promptVariables,
} from '../../core/chat/prompts/namedPrompt.ts';
import { askText } from '../ui/askText.ts';
import { shownPath } from '../ui/lastEditor.ts';
import type { ContextSources } from './contextFinder.ts';
import { problemsContext, selectedCode, symbolAround, symbolContext } from './fileContexts.ts';
import { type ReadContext, readAll } from './foundContext.ts';
import type { GitChanges } from './gitChanges.ts';
import { ownPrompts } from './ownPrompts.ts';
import { readFileContext } from './readFiles.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

type FollowedFiles = Pick<WorkspaceFiles, 'follow'>;

/** A prompt for the question box: its text, and the context it refers to, with sentences about what is missing. */
export type ReadyPrompt = Required<Omit<ReadContext, 'isOnlyNote'>> & { readonly text: string };

/** What a variable stands for in the text, and the context that is included for it. */
export type Reference = Partial<ReadContext> & { readonly words: string };

/** All prompts: the extension's own, and the person's, which replace those of the same name. */
export async function allPrompts({ lastEditor, home }: ContextSources): Promise<FoundPrompts> {
  const { prompts, problems } = await ownPrompts(home);
  return { prompts: mergedPrompts(builtInPrompts(problemsHere(lastEditor.current).length > 0), prompts), problems };
}

/**
 * Asks for the inputs of a prompt, reads the context it refers to, and replaces its variables.
 *
 * @param changes what `${changes}` stands for; by default the uncommitted changes of all repositories.
 * @returns undefined when the person cancelled.
 */
export async function fillPrompt(
  prompt: NamedPrompt,
  { lastEditor, files, changes: git }: ContextSources,
  changes = () => allChanges(git),
): Promise<ReadyPrompt | undefined> {
  const variables = promptVariables(prompt.text);
  const values = new Map<string, string>();
  const answers = new Map<string, string>();
  const inputs = variables.filter((variable) => variable.kind === 'input');
  for (const { raw, name, placeholder } of inputs) {
    const answer = answers.get(name) ?? (await askInput(prompt, name, placeholder));
    if (answer === undefined) {
      return undefined;
    }
    answers.set(name, answer);
    values.set(raw, answer);
  }
  const pieces: CodeContext[] = [];
  const notes: string[] = [];
  const unknown: string[] = [];
  for (const variable of variables) {
    if (variable.kind === 'unknown') {
      unknown.push(variable.raw);
    } else if (variable.kind !== 'input') {
      const reference = await referenceTo(variable.kind, lastEditor.current, files, changes);
      values.set(variable.raw, reference.words);
      pieces.push(...newPieces(reference.pieces ?? [], pieces));
      notes.push(...(reference.notes ?? []));
    }
  }
  if (unknown.length > 0) {
    notes.push(l10n.t('{0} has no meaning in a prompt and stays as it is.', listText(unknown.map(visibleName))));
  }
  return { text: filledPrompt(prompt.text, values), pieces, notes };
}

async function askInput({ name: prompt }: NamedPrompt, name: string, placeholder: string): Promise<string | undefined> {
  const asked = await askText<string, string>({
    title: `/${prompt}`,
    placeholder: placeholder || name,
    prompt: () => l10n.t('Enter a value for "{0}". It becomes part of the question. Nothing is sent yet.', name),
    read: (text) => ({ ok: true, value: text }),
    accept: async (text) => ({ done: text }),
  });
  return asked.status === 'done' ? asked.value : undefined;
}

/** Where nothing is selected: the symbol around the cursor or, outside all symbols, the file. The words say which. */
async function around(editor: vscode.TextEditor | undefined, files: FollowedFiles): Promise<Reference> {
  const found = editor && (await symbolAround(editor.document, editor.selection.active));
  const symbol = found && symbolContext(editor.document, found);
  return symbol?.name
    ? { words: l10n.t('"{0}" in the file {1}', symbol.name, symbol.path), pieces: [symbol] }
    : wholeFile(editor, files);
}

async function wholeFile(editor: vscode.TextEditor | undefined, files: FollowedFiles): Promise<Reference> {
  if (editor === undefined) {
    return { words: l10n.t('the file'), notes: [l10n.t('No file is open.')] };
  }
  const { uri } = editor.document;
  return { words: l10n.t('the file {0}', shownPath(uri)), ...(await readFileContext(uri, files)) };
}

async function referenceTo(
  variable: EditorVariable,
  editor: vscode.TextEditor | undefined,
  files: FollowedFiles,
  changes: () => Promise<Reference>,
): Promise<Reference> {
  switch (variable) {
    case 'selection': {
      const pieces = selectedCode(editor);
      return pieces.length > 0 ? { words: l10n.t('the selected code'), pieces } : around(editor, files);
    }
    case 'file':
      return wholeFile(editor, files);
    case 'problems': {
      const pieces = problemsHere(editor);
      const notes = pieces.length === 0 ? [l10n.t('No problems are reported in this code.')] : [];
      return { words: l10n.t('the reported problems'), pieces, notes };
    }
    case 'changes':
      return changes();
    case 'language': {
      const words = editor?.document.languageId;
      return words === undefined
        ? { words: l10n.t('the language of the code'), notes: [l10n.t('No file is open.')] }
        : { words };
    }
  }
}

/** The problems of the selected code, or of the whole file if nothing is selected. */
function problemsHere(editor: vscode.TextEditor | undefined): readonly CodeContext[] {
  const ranges = editor?.selections.filter(({ isEmpty }) => !isEmpty) ?? [];
  const problems = editor && problemsContext(editor.document, ranges);
  return problems === undefined ? [] : [problems];
}

/** The uncommitted changes of all repositories. */
async function allChanges(git: GitChanges): Promise<Reference> {
  const words = l10n.t('the uncommitted changes');
  const rows = git.rows();
  return rows.length === 0
    ? { words, notes: [l10n.t('There are no uncommitted changes in a Git repository.')] }
    : { words, ...(await readAll(rows.map(({ read }) => read))) };
}
