import { isRunning, type Reply, type Turn } from './conversation.ts';

/**
 * An answer that was continued is one answer of several calls. The record has a reply for each of them; what shows, uses
 * or sends answers has them joined. The joined reply has the id, the state and the problem of the last call.
 */

/** The turn with one reply for each answer, in the order in which the answers began. */
export function withJoined<T extends Pick<Turn, 'replies'>>(turn: T): T {
  if (turn.replies.every(({ continues }) => continues === undefined)) {
    return turn;
  }
  const answers: Reply[] = [];
  for (const reply of turn.replies) {
    const at = answers.findIndex((each) => partsOf(each).some(({ id }) => id === reply.continues?.replyId));
    const before = answers[at];
    if (before) {
      answers[at] = joined(before, reply);
    } else {
      answers.push(reply);
    }
  }
  return { ...turn, replies: answers };
}

/** The answer that a reply is, or is a part of. */
export function answerWith(turn: Pick<Turn, 'replies'>, replyId: string): Reply | undefined {
  return withJoined(turn).replies.find((answer) => partsOf(answer).some(({ id }) => id === replyId));
}

/** The text of the answer up to the end of this reply. */
export function textUpTo({ replies }: Pick<Turn, 'replies'>, replyId: string): string {
  const end = replies.findIndex(({ id }) => id === replyId) + 1;
  return answerWith({ replies: replies.slice(0, end) }, replyId)?.text ?? '';
}

/** The replies of the calls that an answer consists of. */
export function partsOf(answer: Reply): readonly Reply[] {
  return answer.parts ?? [answer];
}

function joined(before: Reply, reply: Reply): Reply {
  // A gateway that searches again usually reports the same sources with the same numbers.
  const known = new Set(before.sources?.map(({ url }) => url));
  const own = reply.sources ?? [];
  const sources = [...(before.sources ?? []), ...own.filter(({ url }) => !known.has(url))].map((source, at) => {
    // Another number in the text of each part: a link could lead to the wrong one.
    const isSame = own[at] === undefined || own[at].url === source.url;
    return isSame ? source : { ...source, isAmbiguous: true as const };
  });
  const more = added(before, reply);
  return {
    ...reply,
    text: before.text + more.text,
    reasoning: before.reasoning + more.reasoning,
    ...(sources.length > 0 && { sources }),
    ...((before.hasPicture || reply.hasPicture) && { hasPicture: true }),
    parts: [...partsOf(before), reply],
  };
}

/**
 * What a reply adds to the answer before it. Its text follows without a space, because an answer may be cut inside a word
 * (huggingface/chat-ui#707). An answer that is cut inside a code block goes on in that block: many models open it once more
 * (twinnydotdev/twinny#156, continuedev/continue#2980) and begin with the line that was cut.
 */
export function added(
  before: Pick<Reply, 'text' | 'reasoning'>,
  reply: Pick<Reply, 'text' | 'reasoning' | 'state'>,
): Pick<Reply, 'text' | 'reasoning'> {
  const isApart = before.reasoning !== '' && reply.reasoning !== '';
  return {
    text: inSameBlock(before.text, reply.text, !isRunning(reply)),
    reasoning: isApart ? `\n\n${reply.reasoning}` : reply.reasoning,
  };
}

/** @returns nothing while more of the text is needed to tell whether it opens the block again. */
function inSameBlock(before: string, text: string, isWhole: boolean): string {
  const isUndecided = !isWhole && /^\s*(?:[`~]{0,2}|[`~]{3}[^\n]{0,200})$/.test(text);
  const [opening, language] = /^\s*(?:`{3,}|~{3,})[^\S\n]*([^\s`~][^\n`]*)?(?:\n|$)/.exec(text) ?? [];
  if ((!isUndecided && opening === undefined) || openFence(before) === undefined) {
    return text;
  }
  if (isUndecided || opening === undefined) {
    return '';
  }
  const cut = before.slice(before.lastIndexOf('\n') + 1).trimStart();
  const code = text.slice(opening.length);
  if (language === undefined) {
    if (cut === '' || /^\s*\n\s*\S/.test(opening)) {
      return text;
    }
    // It closes the block, unless that was cut in a line which goes on like code (DFIR-Companion#188).
    if (!/^[ \t]*[^\s\p{Lu}\p{Lo}\d*>#-]/u.test(code)) {
      return !isWhole && /^[ \t]*$/.test(code) ? '' : `\n${text.trimStart()}`;
    }
  }
  const again = code.trimStart();
  if (/^(?:`{3}|~{3})/.test(cut)) {
    return `\n${code}`;
  }
  if (cut !== '' && again.startsWith(cut)) {
    return again.slice(cut.length);
  }
  return !isWhole && cut.startsWith(again) && cut !== '' ? '' : code;
}

/** The fence of the code block that a text leaves open. */
export function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marks === '') {
      continue;
    }
    if (open === undefined) {
      // With back-ticks in the info string the line is not a fence.
      open = marks.startsWith('`') && rest.includes('`') ? undefined : marks;
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === '') {
      open = undefined;
    }
  }
  return open;
}
