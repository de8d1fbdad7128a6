import { linesOf } from './codeTarget.ts';

const dots = String.raw`(?:\.{3,}|…)`;
/** Names of what may be left out. They are compared as `code`. */
const nouns =
  /\b(?:file|imports?|functions?|methods?|class(?:es)?|components?|module|implementations?|logic|body|content|styles?|rules|config(?:uration)?|fields?|props|properties|tests?|definitions?|declarations?|lines|section|parts?|script)\b/gi;
/** What the words of an omission say with dots beside them. */
const withDots =
  /\b(?:existing|rest|remain(?:s|ing|der)|unchanged|omitted|previous|other|same|original|code|more|etc|snip|truncated)\b|[其剩]余|其[他它]|省略|不变|现有|原有|已有|保持|同上/i;
/** What is an omission without dots too. */
const alone = [
  /^(?:\W|the|your|keep|all)*(?:rest|remainder) of (?:the |this |your )?(?:\w+ )?code\b/i,
  /^\W*(?:(?:the|your|keep|all|leave)\W+)*(?:existing|remaining|unchanged) code(?:\W+(?:goes here|here|above|below|unchanged|as is|(?:remains? |stays? )?(?:the )?(?:same|unchanged)))?\W*$/i,
  /^\W*(?:(?:the|all|everything|rest|remaining|existing|other|else)\W+)+(?:code )?(?:remains?|stays?|is|are|unchanged|same)(?: the)?(?: same| unchanged| as before| as is)?\W*$/i,
  /^\W*(?:code )?(?:unchanged|omitted(?: for (?:brevity|clarity))?|same as (?:before|above)|no changes?(?: (?:here|needed|below|above))?|as before|snip|truncated(?: for brevity)?)\W*$/i,
  /^[\s(（]*(?:[其剩]余|其[他它]|现有|原有|已有|此处|以下|以上)?(?:的)?(?:代码|部分|内容|逻辑|方法|函数)?(?:保持)?(?:不变|省略|同上)[\s)）。]*$/,
  /^[\s(（]*(?:现有|原有|已有|其余|剩余)(?:的)?代码[\s)）。]*$/,
];
const comment =
  /^(.*?)(?:^|\s|(?<=[{([,;]))(?:\{\s*\/\*+|\/\*+|\/\/+|<!--|#+|--|;+|%+|'|\(\*|\{-|REM\b|\{\{!--|\{#)(.*)$/;
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

function isCommentOmission(words: string, isFirst: boolean, isWhole: boolean): boolean {
  const starts = new RegExp(`^\\W{0,2}${dots}`).test(words);
  const ends = new RegExp(`${dots}\\W{0,2}$`).test(words);
  const said = words.replaceAll(new RegExp(dots, 'g'), ' ').replaceAll(nouns, 'code').trim();
  const isOnlyDots = !/[\p{L}\p{N}]/u.test(said);
  return (
    (starts && (isOnlyDots || ends || isFirst || (!isWhole && withDots.test(said)))) ||
    (isWhole && alone.some((each) => each.test(said)))
  );
}

/** Dots in place of code, outside comments. Python has them as a value and in place of a body. */
function isBareOmission(text: string, isPython: boolean): boolean {
  return (
    text === '…' ||
    (new RegExp(`^[\\[(<{]?\\s*${dots}\\s+\\w[\\w\\s'/-]*${dots}[\\])>}]?$`).test(text) && withDots.test(text)) ||
    (!isPython && (/^\.{3,}$/.test(text) || new RegExp(`\\{\\s*${dots}\\s*\\}[;,)]*$`).test(text)))
  );
}

function hasClosedQuotes(text: string): boolean {
  return ['"', "'", '`'].every((quote) => text.split(quote).length % 2 === 1);
}
