import { linesOf } from './codeTarget.ts';

const dots = String.raw`(?:\.{3,}|…)`;
/** The words of a comment that stands for code: what is left out, how that is said, and what is between them. */
const words = new Set(
  (
    'code file import function method class classe component module implementation logic body content style rule config ' +
    'configuration field prop property properties test definition declaration line section part script template query ' +
    'existing current remaining remain rest remainder unchanged omitted previous other same original more etc snip truncated no ' +
    'change the your of as is are for it this that to from in and with all everything else keep leave stay continue go ' +
    'add include here above below before brevity clarity needed will some exactly html jsx'
  ).split(' '),
);
const kept = '(?:existing|previous|remaining|original) (?:code|imports?|methods?|functions?|logic|styles?)';
/** What says without dots that code is left out (bolt.new#64, bolt.new#1274, cline#456). */
const alone = new RegExp(
  String.raw`\b(?:unchanged|omitted|truncated|snip|remains?|stays?|(?:rest|remainder) of|no changes? \w+|same\b.*as (?:before|above)|${kept}|code (?:goes )?here)\b`,
  'i',
);
const withDots =
  /\b(?:existing|rest|remain\w*|unchanged|omitted|previous|other|same|original|code|more|etc|snip|truncated)\b|[其剩]余|其[他它]|现有|原有|已有/i;
const chinese =
  /^(?:[其剩]余|其[他它]|现有|原有?|已有|之前|前面|后[面续]|[以此]下|以上|此处|您?的|部分|代码|内容|逻辑|方法|函数|样式|保[持留]|不变|省略|同上|相同|一致|与|未修?改动?|\P{L})+$/u;
const chineseAlone =
  /不变|省略|同上|未修?改|(?:代码|与.*)(?:相同|一致)|(?:[其剩]余|其[他它]|现有|原有|已有|之前|前面|后[面续])(?:部分|的)*代码/;
const comment =
  /^(.*?)(?:^|\s|(?<=[{([,;]))(?:\{\s*\/\*+|\/\*+|\/\/+|<!--|#+|--|;+|%+|'(?![^']*'\W{0,20}$)|\(\*|\{-|REM\b|\{\{!--|\{#)(.*)$/;
const inBlock = /^\s*\*\s*(.*)$/;

/**
 * The first line of code that stands for code the answer leaves out, such as `// ... existing code ...`. Written into a
 * file as it is, it would delete that code.
 *
 * @param language a name as in a code fence.
 * @param known text that has such a line rightfully: the file, or the code to search for.
 * @returns the line, trimmed.
 */
export function findOmission(code: string, language: string, known: string): string | undefined {
  const own = new Set(linesOf(known).map((line) => line.trim()));
  const isPython = /^(?:py|pyi|python\d?)$/i.test(language);
  const isData = /^(?:ya?ml|md|markdown|text|txt|plaintext|diff)$/i.test(language);
  let isAfterComment = false;
  for (const line of linesOf(code)) {
    const text = line.trim();
    const [, before = '', rest] = comment.exec(line) ?? [];
    const words = rest === undefined ? undefined : withoutEnd(rest);
    const inComment = words !== undefined && hasClosedQuotes(before) ? words : inBlock.exec(line)?.[1];
    const isWhole = before.trim() === '' && inComment !== undefined;
    const isOmitted =
      inComment === undefined
        ? !isData && isBareOmission(text, isPython)
        : isCommentOmission(inComment, isWhole && !isAfterComment && words !== undefined, isWhole);
    if (isOmitted && !own.has(text)) {
      return text;
    }
    isAfterComment = isWhole;
  }
  return undefined;
}

/** The words of a comment without what ends it and the code. */
function withoutEnd(rest: string): string {
  const open = rest.trimEnd().replace(/(?<![)\]},;])[)\]},;]+$/, '');
  return open
    .trimEnd()
    .replace(/(?:(?<!\*)\*+\/?|--?>?|#)$/, '')
    .trim();
}

function isCommentOmission(text: string, isFirst: boolean, isWhole: boolean): boolean {
  const starts = new RegExp(`^\\W{0,2}${dots}`).test(text);
  const ends = new RegExp(`${dots}\\W{0,2}$`).test(text);
  return (
    (starts && (ends || isFirst || !/[\p{L}\p{N}]/u.test(text) || (!isWhole && withDots.test(text)))) ||
    (isWhole && (says(text, alone, chineseAlone) || (ends && says(text, withDots, withDots))))
  );
}

/** Whether a text has only the words of an omission, and one of those that make it one. */
function says(text: string, english: RegExp, han: RegExp): boolean {
  const own = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isEnglish = own.every((word) => words.has(word.replace(/s$/, '')) || words.has(word));
  return isEnglish ? english.test(text) : chinese.test(text) && han.test(text);
}

/** Dots in place of code, outside comments (gemini-cli#19858). Python has them as a value and in place of a body. */
function isBareOmission(text: string, isPython: boolean): boolean {
  const inner = new RegExp(`^[\\[(<{]?\\s*(?:${dots}\\s+\\w.*|\\w.*\\s${dots})[\\])>}]?$`).test(text);
  return (
    text === '…' ||
    // What agents write where they cut a text, which models repeat (NousResearch/hermes-agent#83752).
    /(?:\.{3}|…)\s?\[truncated[^\]]{0,40}\]$/.test(text) ||
    (inner && says(text, withDots, withDots)) ||
    (!isPython && (/^\.{3,}$/.test(text) || new RegExp(`\\{\\s*${dots}\\s*\\}[;,)]*$`).test(text)))
  );
}

function hasClosedQuotes(text: string): boolean {
  return ['"', "'", '`'].every((quote) => text.split(quote).length % 2 === 1);
}
