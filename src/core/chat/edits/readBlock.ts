import * as l10n from '@vscode/l10n';
import { linesOf } from './codeTarget.ts';

/** Lines of a file that others replace. `search` is empty where they are all of a new file. */
export type Hunk = { readonly search: string; readonly replace: string };

/** What a code block proposes for one file: its code, or hunks. */
export type FileEdit = {
  /** The path that the answer gives; undefined when it names no file. */
  readonly path: string | undefined;
  /** The block's code; undefined when there are hunks. */
  readonly code?: string;
  readonly hunks?: readonly Hunk[];
};

/** An editor opens for each. */
const maxFiles = 50;

const searchStart = /^\s*(?:<{5,}|-{5,}) ?SEARCH\b/;
const searchEnd = /^\s*={5,}\s*$/;
const replaceEnd = /^\s*(?:>{5,}|\+{5,}) ?REPLACE\b/;

/**
 * Reads what a code block of an answer proposes. Unified diffs and SEARCH/REPLACE blocks become hunks. Line numbers are
 * removed from other code.
 *
 * @param lead the line of the answer before the block.
 * @returns a reason when the block can't be applied.
 */
export function readBlock(fence: string, text: string, lead: string): readonly FileEdit[] | string {
  const edits = editsIn(fence, text, lead);
  return typeof edits !== 'string' && edits.length > maxFiles
    ? l10n.t('This code changes more than {0} files. Nothing was changed. Ask for fewer at a time.', maxFiles)
    : edits;
}

function editsIn(fence: string, text: string, lead: string): readonly FileEdit[] | string {
  const lines = linesOf(text);
  if (lines.some((line) => searchStart.test(line) || replaceEnd.test(line))) {
    return readSearches(lines, (before) => namedPath(fence, before, lead));
  }
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(fence) || lines.some(isHunkHeader) || hasFileHeader(lines);
  if (isDiff && lines.some((line) => /^[-+@]/.test(line))) {
    const fenced = fence.replace(/^\w+/, '');
    return readDiff(lines, namedPath(fenced, text, lead));
  }
  const code = withoutLineNumbers(lines).join('\n');
  return [{ path: namedPath(fence, code, lead), code }];
}

const isHunkHeader = (line: string) => /^@@ (?=.*-\d)(?=.*\+\d).* @@|^@@ (?:\.\.\. )?@@|^@@\s*$/.test(line);

const isHeader = (line: string) =>
  /^(?:diff --git |index [\da-f]+\.\.|new file mode |old mode |new mode |similarity index )/.test(line);

function hasFileHeader(lines: readonly string[]): boolean {
  return lines.some((line, index) => /^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[index + 1] ?? ''));
}

function readSearches(
  lines: readonly string[],
  nameIn: (line: string) => string | undefined,
): readonly FileEdit[] | string {
  const files: { path: string | undefined; hunks: Hunk[] }[] = [];
  let outside: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!searchStart.test(lines[at] ?? '')) {
      outside.push(lines[at] ?? '');
      continue;
    }
    const after = (isWanted: (line: string) => boolean) => {
      let line = at + 1;
      while (line < lines.length && !isWanted(lines[line] ?? '')) {
        line++;
      }
      return line < lines.length ? line : -1;
    };
    const middle = after((line) => searchEnd.test(line));
    const end = after((line) => replaceEnd.test(line));
    const next = after((line) => searchStart.test(line));
    if (middle === -1 || end < middle || (next !== -1 && next < end)) {
      return l10n.t('A SEARCH/REPLACE block of this answer is incomplete. Nothing was changed. Ask for it again.');
    }
    // Roo Code writes `:start_line:12` and dashes before the code.
    const from = after((line) => !/^\s*(?::(?:start|end)_line:.*|-{5,})\s*$/.test(line));
    const hunk = {
      search: withoutLineNumbers(lines.slice(from, middle)).join('\n'),
      replace: withoutLineNumbers(lines.slice(middle + 1, end)).join('\n'),
    };
    const label = outside.findLast((line) => line.trim() !== '')?.trim();
    const named = label === undefined ? undefined : nameIn(/^[\w./\\-]+$/.test(label) ? `// ${label}` : label);
    const last = files.at(-1);
    if (last !== undefined && (named === undefined || named === last.path)) {
      last.hunks.push(hunk);
    } else {
      files.push({ path: named ?? nameIn(''), hunks: [hunk] });
    }
    outside = [];
    at = end;
  }
  return files.length > 0
    ? files
    : l10n.t('A SEARCH/REPLACE block of this answer is incomplete. Nothing was changed. Ask for it again.');
}

function readDiff(lines: readonly string[], named: string | undefined): readonly FileEdit[] | string {
  const files: { path: string | undefined; hunks: Hunk[] }[] = [];
  let hunk: { old: string[]; now: string[] } = { old: [], now: [] };
  let file: (typeof files)[number] = { path: named, hunks: [] };
  // Answers often leave out the space before unchanged lines.
  const hasMargin = !lines.some((line) => /^[^-+ @\\]/.test(line) && !isHeader(line));
  const endHunk = () => {
    if (hunk.old.join('\n') !== hunk.now.join('\n') || hunk.old.length !== hunk.now.length) {
      file.hunks.push({ search: hunk.old.join('\n'), replace: hunk.now.join('\n') });
    }
    hunk = { old: [], now: [] };
  };
  const endFile = () => {
    endHunk();
    if (file.hunks.length > 0) {
      files.push(file);
    }
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (/^(?:rename|copy) (?:from|to) |^deleted file mode/.test(line) || (/^\+\+\+ \/dev\/null/.test(line) && at > 0)) {
      return l10n.t("This diff deletes, renames or copies a file, which can't be applied here. Nothing was changed.");
    }
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      endFile();
      const path = pathOf(next);
      file = { path: path === '/dev/null' ? named : path, hunks: [] };
      at += path === '/dev/null' ? 0 : 1;
    } else if (isHunkHeader(line)) {
      endHunk();
    } else if (isHeader(line)) {
      endFile();
      file = { path: named, hunks: [] };
    } else if (!line.startsWith('\\')) {
      const isOld = line.startsWith('-');
      const isNew = line.startsWith('+');
      const text = isOld || isNew || (hasMargin && line.startsWith(' ')) ? line.slice(1) : line;
      if (!isNew) {
        hunk.old.push(text);
      }
      if (!isOld) {
        hunk.now.push(text);
      }
    }
  }
  endFile();
  return files.length > 0
    ? files.map((each) => ({ ...each, hunks: each.hunks.map(withoutBlankEnds) }))
    : l10n.t('This diff has no lines to change.');
}

/** Without blank lines that stand around both texts, as before a header. */
function withoutBlankEnds({ search, replace }: Hunk): Hunk {
  const [old, now] = [linesOf(search), linesOf(replace)];
  while (old.length > 1 && now.length > 1 && old.at(-1)?.trim() === '' && now.at(-1)?.trim() === '') {
    old.pop();
    now.pop();
  }
  let blank = 0;
  const most = Math.min(old.length, now.length) - 1;
  while (blank < most && old[blank]?.trim() === '' && now[blank]?.trim() === '') {
    blank++;
  }
  return { search: old.slice(blank).join('\n'), replace: now.slice(blank).join('\n') };
}

/** The path in a line `+++ b/src/a.ts`. */
function pathOf(line: string): string {
  const [path = ''] = line.slice(4).split('\t');
  return path
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[ab]\//, '');
}

/** Lines of code without the consecutive numbers that all of them begin with, such as `12 | code`. */
function withoutLineNumbers(lines: readonly string[]): readonly string[] {
  const filled = lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
  const numbered = filled.map((line) => /^\s*(\d+)(?:\s*[|│→]\s?|\t|:(?:\s|$)|\s{2,})(.*)$/.exec(line));
  const [first] = numbered;
  const isNumbered =
    first && numbered.length > 1 && numbered.every((each, index) => Number(each?.[1]) === Number(first[1]) + index);
  // Numbers before quotes or with commas after them are data, such as the lines of a dictionary.
  const isData = numbered.every((each) => each !== null && /^\d+: ?(?:["'\d].*)?,?$/.test(each[0].trim()));
  return isNumbered && !isData ? numbered.map((each) => each?.[2] ?? '') : lines;
}

const extensions =
  'ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte|astro|py|pyi|ipynb|rb|go|rs|java|kt|kts|scala|c|h|cc|cpp|cxx|hpp|cs|fs|vb|php|swift|' +
  'dart|lua|pl|r|jl|ex|exs|erl|hs|clj|html|htm|css|scss|sass|less|json|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|svg|md|mdx|rst|' +
  'txt|sh|bash|zsh|fish|ps1|bat|cmd|sql|graphql|gql|proto|tf|gradle|properties|lock|csv|code-workspace';
const fileName = new RegExp(
  `(?:^|[\\\\/])(?:[^\\\\/]+\\.(?:${extensions})|\\.[a-z][\\w.-]*|Makefile|Dockerfile)$`,
  'i',
);
const inFolder = /^[^\\/]*[\\/].*\.[a-z]\w*$/i;
/** Names of products that look like those of files. */
const product = /^(?:node|vue|next|nuxt|nest|react|three|express|angular|d3|p5|chart|socket)\.js$/i;
const shell =
  /^(?:sh|bash|zsh|shell(?:script|session)?|console|terminal|powershell|pwsh|ps1|cmd|bat|batch|text|txt|output|log)$/i;
const commentStart = String.raw`(?://+|#+|--|;+|%+|'|"|<!--|/\*+|\(\*|\{/\*|\{-|REM\s)`;
const commentEnd = String.raw`(?:-->|\*+/\}?|\*\)|-\})?`;
const pathComment = new RegExp(
  String.raw`^\s*${commentStart}\s*(?:file(?:\s?name|\s?path)?|path)?\s*:?\s*[\x60"']?([^\s\x60"'<>|*?!@,;()]+)[\x60"']?` +
    String.raw`(?:\s*\([^)]*\))?\s*${commentEnd}\s*$`,
  'i',
);

/** Whether a word is the path of a file: it has a folder and an extension, or it has a usual name. */
function isPath(word: string): boolean {
  return !/:\/\//.test(word) && !/^@/.test(word) && !product.test(word) && (fileName.test(word) || inFolder.test(word));
}

/**
 * The file that a code block names: in its info string, such as `ts src/a.ts`, `ts:src/a.ts` or `ts title="src/a.ts"`,
 * in a comment in its first line, or in the sentence before it.
 */
export function namedPath(fence: string, text: string, lead: string): string | undefined {
  return (inFence(fence) ?? inFirstLine(text) ?? inLead(lead, fence))?.replace(/^(?:\.\/)+/, '');
}

function inFence(fence: string): string | undefined {
  const [first = '', ...rest] = fence.split(/[\s{}=,"']+|:(?![\\/])/).filter(Boolean);
  return rest.findLast(isPath) ?? (/[\\/]/.test(first) && isPath(first) ? first : undefined);
}

function inFirstLine(text: string): string | undefined {
  const path = pathComment.exec(text.trimStart().split('\n', 1)[0] ?? '')?.[1]?.replace(/:$/, '');
  return path !== undefined && isPath(path) ? path : undefined;
}

/** Without the line with a path that `namedPath` found, unless the file has that line too. */
export function withoutPathLine(text: string, file: string): string {
  const [first = '', ...rest] = text.trimStart().split('\n');
  const isInFile = file.trimStart().split(/\r?\n/, 1)[0]?.trim() === first.trim();
  return inFirstLine(text) && !isInFile ? rest.join('\n').replace(/^(?:[ \t]*\n)+/, '') : text;
}

function inLead(lead: string, fence: string): string | undefined {
  const line = lead.trim();
  const words = line
    .split(/[\s`*()[\]<>"'“”，：、。]+|(?<![.,:;!?])[.,:;!?]+(?=\s|$)/)
    .map((word) => word.replace(/^[#_]+|(?<![_:])[_:]+$/g, ''))
    .filter(isPath);
  const [path] = words;
  // A name before the last clause, or after such a word, is not that of the block's file.
  const isMention =
    path === undefined ||
    new Set(words).size !== 1 ||
    /\b(?:from|imports?|unlike|like|than|run|running|execute|with)\s*[`*"'(]*$/i.test(
      line.slice(0, line.indexOf(path)),
    );
  const isAlone =
    line.replace(/^[\s#\d.)>*-]+/, '').replace(/[`*:：_\s]|^(?:file|path)/gi, '') === path?.replace(/_/g, '');
  if (isMention || !(isAlone || /[:：][`*_\s]*$/.test(line))) {
    return undefined;
  }
  const [language = ''] = fence.split(/[\s:{,]+/);
  return shell.test(language) && !/\.(?:sh|bash|zsh|ps1|bat|cmd|txt|log)$/i.test(path) ? undefined : path;
}

/**
 * Says why a path of an answer may not be that of a file to change; undefined if it is relative and stays in its folder.
 * Links are not resolved.
 */
export function pathProblem(path: string): string | undefined {
  const names = path.split('/');
  const isInside =
    !/[\\:]/.test(path) &&
    ![...path].some((unit) => unit < ' ') &&
    names.every((name) => name !== '' && !/^\.\.?$/.test(name));
  if (!isInside) {
    return l10n.t(
      'The answer names the file {0}, which is not a path inside the workspace. Nothing was changed.',
      path,
    );
  }
  // Windows ignores dots and spaces at the end of a name, and has a short name for the folder.
  return names.some((name) => /^(?:\.git[. ]*|git~\d+)$/i.test(name))
    ? l10n.t('The answer names the file {0}, which belongs to Git. Nothing was changed.', path)
    : undefined;
}

/** Whether a file sets how VS Code works in the workspace, which includes commands that it runs. */
export function isSettingsPath(path: string): boolean {
  return /(?:^|\/)(?:\.vscode[. ]*|vscode~\d+)\/|\.code-workspace[. ]*$/i.test(path);
}
