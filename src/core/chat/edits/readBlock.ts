import * as l10n from '@vscode/l10n';
import { isInside } from '../context/contextPath.ts';
import { linesOf } from './codeTarget.ts';

/** Lines of a file that others replace. `search` is empty where they are all of a new file. */
export type Hunk = {
  readonly search: string;
  readonly replace: string;
  /** The class, function or the like that a diff says the hunk is in, as `@@ class A:` does; the outer one first. */
  readonly scope?: readonly string[];
};

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

/** Models also write `ORIGINAL`, `HEAD` or the path there, and markers of other lengths (aider#1817, cline#4427). */
const searchStart = /^\s*(?:(<{5,}) ?\w|(-{5,}) ?SEARCH\b)/;
const searchEnd = /^\s*(={5,})\s*$/;
const replaceEnd = /^\s*(?:>{5,} ?\w|\+{5,} ?REPLACE\b)/;
/** What Roo Code writes before code, also before the new one (Roo-Code#4013, Roo-Code#12199). */
const labels = /^(?:\s*:(?:start|end)_line:.*\n(?:\d+\n)?)+(?:\s*-{5,}\s*\n)?/;

/**
 * Reads what a code block of an answer proposes. Unified diffs and SEARCH/REPLACE blocks become hunks. Line numbers are
 * removed from other code.
 *
 * @param lead the line of the answer before the block, below the heading above it.
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
  const has = (pattern: RegExp) => lines.some((line) => pattern.test(line));
  if (has(searchStart) || has(/^\s*(?:>{5,}|\+{5,}) ?REPLACE\b/)) {
    return readSearches(lines, (before) => namedPath(fence, before, lead));
  }
  const named = () => namedPath(fence.replace(/^\w+/, ''), text, lead);
  // The format in which OpenAI's models edit (pwnkit#275, agent-os#2224).
  const begin = lines.findIndex((line) => /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/.test(line));
  if (begin >= 0) {
    const end = lines.findIndex((line, at) => at > begin && /^\*\*\* End Patch/.test(line));
    return readDiff(lines.slice(begin, end < 0 ? undefined : end), named());
  }
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(fence) || lines.some(isHunkHeader) || hasFileHeader(lines);
  // Without any header, as in vscode#255347. Methods of Objective-C begin with a sign and a parenthesis.
  const hasMarks =
    !/^(?:mdx?|markdown|rst|org|te?xt|plaintext|ya?ml)\b/i.test(fence) &&
    has(/^\+(?! ?\()/) &&
    (has(/^-(?! ?\()/) || !has(/^[^-+\s]/));
  if (hasMarks || (isDiff && has(/^(?:[-+@]|diff --git )/))) {
    return readDiff(lines, named());
  }
  // A second fence around the code: without an end of its own (appmap-js#1950), or with one (simstudioai/sim#6289).
  const [inner = -1, ...more] = [...lines.keys()].filter((at) => /^`{3,}[\w+#-]*$/.test(lines[at] ?? ''));
  const isAround =
    (inner === 0 || (inner === 1 && inFirstLine(text) !== undefined)) &&
    // Markdown may consist of such a block.
    (!markdown.test(fence) || markdown.test((lines[inner] ?? '').replace(/^`+/, ''))) &&
    more.length < 2 &&
    more.every((at) => /^`+$/.test(lines[at] ?? '') && lines.slice(at + 1).every((line) => line.trim() === ''));
  const bare = isAround ? lines.filter((_, at) => at !== inner && at !== more[0]) : lines;
  const code = withoutLineNumbers(bare).join('\n');
  return [{ path: namedPath(fence, code, lead), code }];
}

const markdown = /^(?:markdown|mdx?)\b/i;

const isHunkHeader = (line: string) => /^@@ (?=.*-\d)(?=.*\+\d).* @@|^@@ (?:\.\.\. )?@@|^@@\s*$/.test(line);

const isHeader = (line: string) =>
  /^(?:diff --git |index [\da-f]+\.\.|(?:new file|old|new) mode |similarity index |Index: |={30,}$|Binary files |GIT bin|\*\*\* )/.test(
    line,
  );

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
    const end = after((line) => replaceEnd.test(line));
    const next = after((line) => searchStart.test(line));
    const [, ...marker] = searchStart.exec(lines[at] ?? '') ?? [];
    const dividers = lines.slice(at + 1, Math.max(0, end)).flatMap((line, index) => {
      const found = searchEnd.exec(line)?.[1];
      return found === undefined ? [] : [{ index: at + 1 + index, isAlike: found.length === marker.join('').length }];
    });
    // The underline of a heading is as long as its text.
    const [middle, ...others] = dividers.length > 1 ? dividers.filter(({ isAlike }) => isAlike) : dividers;
    if (middle === undefined || others.length > 0 || (next !== -1 && next < end)) {
      return unclear();
    }
    const linesIn = (from: number, to: number) =>
      linesOf([...lines.slice(from, to), ''].join('\n').replace(labels, '')).slice(0, -1);
    const hunk = withoutBlankEnds(withoutNumbers(linesIn(at + 1, middle.index), linesIn(middle.index + 1, end)));
    const label = outside.findLast((line) => !/^\s*(?:`{3}.*)?$/.test(line))?.trim();
    const named =
      label && nameIn(/^(?:\/[/*]|#|--|<!)/.test(label) ? label : `// ${label.replace(/^[*`]+|[*`:]+$/g, '')}`);
    const last = files.at(-1);
    if (last !== undefined && (named === undefined || named === last.path)) {
      last.hunks.push(hunk);
    } else {
      files.push({ path: named ?? nameIn(''), hunks: [hunk] });
    }
    outside = [];
    at = end;
  }
  return files.length > 0 ? files : unclear();
}

const unclear = () =>
  l10n.t('A SEARCH/REPLACE block of this answer is incomplete or unclear. Nothing was changed. Ask for it again.');

function readDiff(lines: readonly string[], named: string | undefined): readonly FileEdit[] | string {
  const files: { path: string | undefined; hunks: Hunk[] }[] = [];
  let hunk: { old: string[]; now: string[]; scope: string[] } = { old: [], now: [], scope: [] };
  let file: (typeof files)[number] = { path: named, hunks: [] };
  // Answers often leave out the space before unchanged lines.
  const hasMargin = !lines.some((line) => /^[^-+ @\\]/.test(line) && !isHeader(line));
  const endHunk = () => {
    if (hunk.old.join('\n') !== hunk.now.join('\n') || hunk.old.length !== hunk.now.length) {
      const scope = hunk.scope.length > 0 && { scope: hunk.scope };
      file.hunks.push({ search: hunk.old.join('\n'), replace: hunk.now.join('\n'), ...scope });
    }
    hunk = { old: [], now: [], scope: hunk.old.length + hunk.now.length > 0 ? [] : hunk.scope };
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
    if (
      /^(?:rename|copy) (?:from|to) |^deleted file mode|^\*\*\* (?:Delete File|Move to):/.test(line) ||
      (/^\+\+\+ \/dev\/null/.test(line) && at > 0)
    ) {
      return l10n.t("This diff deletes, renames or copies a file, which can't be applied here. Nothing was changed.");
    }
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      endFile();
      file = { path: pathOf(next) ?? named, hunks: [] };
      at += next.startsWith('+++ /dev/null') ? 0 : 1;
    } else if (/^@{2,3}(?:\s|$)|^\*\*\* End of/.test(line)) {
      endHunk();
      const scope = line.replace(/^@+(?: -\d.*? \+\d.*? @+)?|@+$|^\*.*/g, '').trim();
      hunk.scope.push(...(/\w/.test(scope) ? [scope] : []));
    } else if (isHeader(line)) {
      endFile();
      const path = /^\*\*\* \w+ File: (.*)$/.exec(line)?.[1];
      file = { path: path ?? named, hunks: [] };
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

/** Without blank lines that stand around both texts, as before a header, or that models add at the start (Aider-AI/aider#25). */
function withoutBlankEnds({ search, replace, ...rest }: Hunk): Hunk {
  const [old, now] = [linesOf(search), linesOf(replace)];
  while (old.length > 1 && now.length > 1 && old.at(-1)?.trim() === '' && now.at(-1)?.trim() === '') {
    old.pop();
    now.pop();
  }
  while (old.length > 1 && now.length > 1 && old[0]?.trim() === '' && now[0]?.trim() === '') {
    old.shift();
    now.shift();
  }
  return { ...rest, search: old.join('\n'), replace: now.join('\n') };
}

/** The path in a line such as `+++ b/src/a.ts` or `+++ src/a.ts (new)`; undefined for a word such as `modified`. */
function pathOf(line: string): string | undefined {
  const path = line
    .slice(4)
    .replace(/\s+(?:\(|\d{4}-\d\d|\t).*$|\t.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return /[\\/]/.test(path) || isPath(path) ? path.replaceAll('\\', '/').replace(/^[ab]\//, '') : undefined;
}

/** A hunk without line numbers. Where the old lines have them, some of the new ones may lack them (Zoo-Code#910). */
function withoutNumbers(search: readonly string[], replace: readonly string[]): Hunk {
  const [old, own] = [withoutLineNumbers(search), withoutLineNumbers(replace)];
  const at = old.findIndex((line) => line.trim() !== '');
  const begin = search[at]?.slice(0, -(old[at]?.length ?? 0)) ?? '';
  const [, number = '', mark = ''] = /^(\s*\d+)(.+)$/.exec(begin) ?? [];
  const bare = (line: string) => {
    const [, digits = '', rest = ''] = /^(\s*\d+)(.*)$/.exec(line) ?? [];
    // Others are data: numbers far from those of the old lines, or indented in another way.
    const isNear = Math.abs(Number(digits) - Number(number)) < search.length + replace.length;
    const isNumber = isNear && digits === `${Number(digits)}`.padStart(number.length);
    return isNumber && (rest.startsWith(mark) || rest === mark.trimEnd()) ? rest.slice(mark.length) : line;
  };
  return { search: old.join('\n'), replace: (own === replace && mark !== '' ? own.map(bare) : own).join('\n') };
}

/** Lines of code without the consecutive numbers that all of them begin with, such as `12 | code`. */
function withoutLineNumbers(lines: readonly string[]): readonly string[] {
  const filled = lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
  const numbered = filled.map((line) => /^\s*(\d+)(\s*[|│→]|\t|:(?=\s|$)|(?=\s{2}|$))(.*)$/.exec(line));
  const [first] = numbered;
  const isNumbered =
    first && numbered.length > 1 && numbered.every((each, index) => Number(each?.[1]) === Number(first[1]) + index);
  // Numbers before quotes or with commas after them are data, such as the lines of a dictionary.
  const isData = numbered.every((each) => each !== null && /^\d+: ?(?:["'\d].*)?,?$/.test(each[0].trim()));
  const code = numbered.map((each) => each?.[3] ?? '');
  if (!isNumbered || isData || !code.some(Boolean)) {
    return lines;
  }
  // The blank after a mark belongs to it only if all lines have one (hermes-agent#46465).
  const blanks = Math.min(...code.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0));
  const most = first[2] === '' ? blanks : first[2] === '\t' ? 0 : 1;
  return code.map((line) => line.slice(Math.min(blanks, most)));
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
const pathUnits = String.raw`(?![=*-])[^\s\x60"'<>|*?!,;（]+`;
const pathComment = new RegExp(
  String.raw`^\s*${commentStart}[\s=*-]*(?:(?:file(?:\s?name|\s?path)?|path|文件(?:名|路径)?|路径)\s*[:：]?\s*|:\s*)?[\x60"']?(${pathUnits})[\x60"']?` +
    String.raw`(?:\s*[(（][^)）]*[)）])?[\s=*-]*${commentEnd}\s*$`,
  'i',
);
/** What begins a file before a comment with its path (CodeWebChat#263). */
const prologue = /^(?:#!.*|(?:<\?php|(["'])use \w+\1;?)[ \t]*)\r?\n(?:[ \t]*\r?\n)*/;
/** The path alone, before a line of code; not what a shell runs. */
const pathLine = new RegExp(
  String.raw`^(?=[^\n]*[\\/])(${pathUnits}\.(?!sh|bash|zsh|ps1|bat|cmd)\w+)\n(?=.*[\s(){};=<])`,
);

/** Whether a word is the path of a file: it has a folder and an extension, or it has a usual name. */
function isPath(word: string): boolean {
  return !/:\/\//.test(word) && !/^@/.test(word) && !product.test(word) && (fileName.test(word) || inFolder.test(word));
}

/**
 * The file that a code block names: in its info string, such as `ts src/a.ts`, `ts:src/a.ts` or `ts title="src/a.ts"`,
 * in a comment in its first line or the first after such as `<?php`, or in the sentence before it.
 */
export function namedPath(fence: string, text: string, lead: string): string | undefined {
  return (inFence(fence) ?? inFirstLine(text) ?? inLead(lead, fence))?.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}

function inFence(fence: string): string | undefined {
  const quoted = /=\s*(["'])(.+?)\1/.exec(fence)?.[2];
  const [first = '', ...rest] = fence.split(/[\s{}=,"']+|:(?![\\/])/).filter(Boolean);
  return quoted !== undefined && isPath(quoted)
    ? quoted
    : (rest.findLast(isPath) ?? (/[\\/]/.test(first) && isPath(first) ? first : undefined));
}

function inFirstLine(text: string): string | undefined {
  const begin = text.trimStart().replace(prologue, '').slice(0, 400);
  const found = pathComment.exec(begin.split('\n', 1)[0] ?? '') ?? pathLine.exec(begin);
  const path = found?.[1]?.replace(/:(?:\d[\d:-]*)?$/, '');
  return path !== undefined && isPath(path) ? path : undefined;
}

/** Without the line with a path that `namedPath` found, unless the file has that line too. */
export function withoutPathLine(text: string, file: string): string {
  const [head = ''] = prologue.exec(text.trimStart()) ?? [];
  const [first = '', ...rest] = text.trimStart().slice(head.length).split('\n');
  const isInFile = file.trimStart().replace(prologue, '').split(/\r?\n/, 1)[0]?.trim() === first.trim();
  return inFirstLine(text) && !isInFile ? head + rest.join('\n').replace(/^(?:[ \t]*\n)+/, '') : text;
}

/** A heading, bold words, the words before a colon, or what is to be done with a file (CodeWebChat#303). */
const intro =
  /[:：][`*_\s]*$|^#+\s|^[\d.)\s-]*(?:\*\*.*\*\*$|(?:create|update|edit|modify|change|replace|save)\b|创建|新建|修改|更新|编辑|替换)/i;

/** In the line before the code, otherwise in the heading above that (geekr-dev/gpt-engineer#4) if it has no other words. */
function inLead(lead: string, fence: string): string | undefined {
  const lines = lead.split('\n');
  const heading = lines.length > 1 ? (lines[0] ?? '').replace(/^#+\s+|[:：]\s*$/g, '') : '';
  return inLine(lines.at(-1) ?? '', fence) ?? inLine(heading, fence);
}

function inLine(lead: string, fence: string): string | undefined {
  const line = lead.replace(/^\s*<!--|-->\s*$/g, '').trim();
  const marked = [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.trim()).filter(isPath);
  const all = line
    .replaceAll('](', '] (')
    .split(/[\s`*<>"'“”，：、。]+|(?<![.,:;!?])[.,:;!?]+(?=\s|$)/)
    // Those around a word, not those in `app/[id]/page.tsx` (copilot-workspace-user-manual#79).
    .map((word) => word.replace(/^[([]*([^()[\]]*)[)\]]*$/, '$1').replace(/^[#_]+|(?<![_:])[_:]+$/g, ''))
    .filter(isPath);
  const words = marked.length > 0 ? marked : all;
  const [path] = words;
  // A name before the last clause, or after such a word, is not that of the block's file.
  const isMention =
    path === undefined ||
    new Set(words).size !== 1 ||
    /\b(?:from|imports?|unlike|like|than|run|running|execute|with)\s*[`*"'(]*$/i.test(
      line.slice(0, line.indexOf(path)),
    );
  const isAlone =
    line
      .replace(/^(?:[\d.)]+\s|[^\p{L}\p{N}./])+/u, '')
      .replace(/[`*:：_\s]|^(?:file(?:name|\s?path)?|path|文件(?:名|路径)?|路径)/gi, '') ===
    path?.replace(/[_\s]/g, '');
  if (isMention || !(isAlone || intro.test(line))) {
    return undefined;
  }
  const [language = ''] = fence.split(/[\s:{,]+/);
  return shell.test(language) && !/\.(?:sh|bash|zsh|ps1|bat|cmd|txt|log)$/i.test(path) ? undefined : path;
}

/**
 * Says that a path of an answer may not be that of a file to change; undefined if it is relative and stays in its folder
 * and out of Git's. Links are not resolved.
 */
export function pathProblem(path: string): string | undefined {
  // Windows ignores dots and spaces at the end of a name, and has a short name for the folder.
  const isOfGit = path.split('/').some((name) => /^(?:\.git[. ]*|git~\d+)$/i.test(name));
  return isOfGit || !isInside(path) || path.includes(':')
    ? l10n.t(
        'The answer names the file {0}, which is outside the workspace or belongs to Git. Nothing was changed.',
        path,
      )
    : undefined;
}

/** Whether a file sets how VS Code works in the workspace, which includes commands that it runs. */
export function isSettingsPath(path: string): boolean {
  return /(?:^|\/)(?:\.vscode[. ]*|vscode~\d+)\/|\.code-workspace[. ]*$/i.test(path);
}
