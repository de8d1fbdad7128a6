import * as l10n from '@vscode/l10n';

/**
 * The question for a commit message.
 *
 * @param prompt the filled prompt.
 * @param note what is in the box for the message: the person's note, or what git or a template put there.
 * @param subjects of the last commits.
 */
export function commitQuestion(prompt: string, note: string, subjects: readonly string[]): string {
  const list = subjects.map((subject) => `- ${subject}`).join('\n');
  return [
    prompt.trim(),
    ...(subjects.length === 0 ? [] : [l10n.t('Use the language and the style of the last commits:\n{0}', list)]),
    ...(note.trim() === ''
      ? []
      : [l10n.t('Consider this note. Keep lines that git or a template put there:\n{0}', note.trim())]),
    l10n.t('Answer with the commit message alone.'),
  ].join('\n\n');
}

/**
 * A fence around a whole text, or after a line that introduces it and ends in a colon. The text may begin in the line of
 * the fence (gethnet/litellm-connector-copilot#57).
 */
const fenced = /^(?:[^\n]*[:：]\**\s*)?(`{3,20}|~{3,20})(?:[^\S\n]*[\w.+-]*[^\S\n]*\n)?(.*?)\n?\1[^\S\n]*(?:\n|$)/s;
/** What an introduction begins with; a subject may end in a colon too. */
const intro = String.raw`(?:(?:here|looking at|based on|let me|sure|okay|i|i'\w+)\b|以下是|根据)`;
/** A label that some models put before the message, or a line that introduces it. */
const label = new RegExp(
  String.raw`^(?:[*_#\s]*(?:commit message|提交(?:消息|信息|说明))[*_\s]*[:：][*_]*\s*|${intro}[^\n]{0,200}\bcommit message\b[^\n]{0,200}[:：][*_]*\n\s*)`,
  'i',
);
const subject = String.raw`(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([^)\n]*\))?!?: `;
/** Thoughts before a subject of the form that many projects have; they begin with a line that ends in a colon. */
const thoughts = new RegExp(String.raw`^${intro}[^\n]*[:：]\**\n(?:.*\n)*?(?=${subject})`, 'i');
/** What some models say of the message after it; other words may be what the commit is about. */
const remark =
  /\n[^\S\n]*\n(?:please )?(?:note that )?(?:the|this|these) commit messages? (?:(?:follows?|adheres?)\b[^\n]*\b(?:convention|guideline|standard|practice)|(?:is|are) (?:just|only)\b[^\n]*\b(?:suggestion|example)).*$/is;

/** A tag that some models write around or after the message; one beside other words is what the message is about. */
const tag = /^<commit[ _-]?message>(?! )|(?<! )<commit[ _-]?message>$|<\/commit[ _-]?message>$/gim;
/** A subject that is bold as a whole. */
const bold = /^\*\*([^*\n]+)\*\*(?=\n|$)/;

/** The message in an answer: without a fence, a tag, a label, and bold or quotes around it; empty if it has none. */
export function commitText(answer: string): string {
  const plain = answer.replaceAll('\r\n', '\n').trim().replace(tag, '').trim();
  const [, , inFence = plain] = fenced.exec(plain) ?? [];
  const message = inFence.trim().replace(tag, '').trim().replace(thoughts, '').replace(label, '');
  const text = message.replace(remark, '').replace(bold, '$1');
  const [, quoted] =
    /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”|`([^`]*)`)$/.exec(text)?.filter((each) => each !== undefined) ?? [];
  return (quoted ?? text)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
