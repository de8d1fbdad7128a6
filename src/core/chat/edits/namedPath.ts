import * as l10n from '@vscode/l10n';

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
