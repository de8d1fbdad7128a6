import * as l10n from '@vscode/l10n';
import { linesOf } from './codePlace.ts';
import { namedPath } from './namedPath.ts';

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
    const middle = lines.findIndex((line, index) => index > at && searchEnd.test(line));
    const end = lines.findIndex((line, index) => index > at && replaceEnd.test(line));
    const next = lines.findIndex((line, index) => index > at && searchStart.test(line));
    if (middle === -1 || end < middle || (next !== -1 && next < end)) {
      return l10n.t('A SEARCH/REPLACE block of this answer is incomplete. Nothing was changed. Ask for it again.');
    }
    // Roo Code writes `:start_line:12` and dashes before the code.
    const from = lines.findIndex((line, index) => index > at && !/^\s*(?::(?:start|end)_line:.*|-{5,})\s*$/.test(line));
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
  let [old, now] = [linesOf(search), linesOf(replace)];
  while (old.length > 1 && now.length > 1 && old.at(-1)?.trim() === '' && now.at(-1)?.trim() === '') {
    [old, now] = [old.slice(0, -1), now.slice(0, -1)];
  }
  while (old.length > 1 && now.length > 1 && old[0]?.trim() === '' && now[0]?.trim() === '') {
    [old, now] = [old.slice(1), now.slice(1)];
  }
  return { search: old.join('\n'), replace: now.join('\n') };
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
