import { fenceFor, userMessage } from '../context/prompt.ts';
import { visibleTurns } from '../conversation/branches.ts';
import { keptReply } from '../conversation/comparison.ts';
import { type Conversation, type Reply, type Turn, titleOf } from '../conversation/conversation.ts';
import { replyFacts, shownRequestId } from '../conversation/replyFacts.ts';

/**
 * A conversation for reading: the questions on the branch that is shown with their code, every answer, and what was
 * reported about it. Nothing in a
 * question or in code can pass for a part of the document; an answer that was cut inside of a code block is closed.
 */
export function conversationMarkdown(conversation: Conversation): string {
  const { createdAt } = conversation;
  const turns = visibleTurns(conversation);
  const hidden = conversation.turns.length - turns.length;
  const hosts = [...new Set(turns.flatMap(({ replies }) => replies.map(({ host }) => host)))];
  const head = [
    `# ${plain(titleOf(conversation))}`,
    [
      `- Created: ${timeText(createdAt)}`,
      ...(hosts.length > 0 ? [`- Gateway: ${hosts.map(plain).join(', ')}`] : []),
      `- Questions: ${turns.length}`,
      ...(hidden > 0 ? [`- On other branches, not in this file: ${hidden}`] : []),
    ].join('\n'),
  ];
  const body = turns.flatMap((turn, index) => [...questionParts(turn, index + 1), ...answerParts(turn)]);
  const { draft, edit } = conversation;
  const unsent = [draft, ...(edit ? [edit] : [])]
    .filter(({ text, contexts }) => text.trim() !== '' || contexts.length > 0)
    .flatMap(({ text, contexts }) => ['## Not sent', ...saidParts(text, contexts)]);
  return `${[...head, ...body, ...unsent].join('\n\n')}\n`;
}

function questionParts({ question, contexts }: Turn, number: number): string[] {
  return [`## Question ${number}`, ...saidParts(question, contexts)];
}

function saidParts(text: string, contexts: Turn['contexts']): string[] {
  const code = userMessage('', contexts).trimStart();
  return [...(text.trim() === '' ? [] : [quoted(withoutMargin(text))]), ...(code === '' ? [] : [code])];
}

function answerParts(turn: Turn): string[] {
  const { replies } = turn;
  const kept = keptReply(turn);
  return replies.flatMap((reply, index) => {
    const number = replies.length > 1 ? ` ${index + 1} of ${replies.length}` : '';
    return [
      `### Answer${number} · ${plain(reply.model)}${reply === kept ? ' · kept' : ''}`,
      ...(reply.reasoning.trim() === '' ? [] : ['Reasoning:', fenced(reply.reasoning)]),
      ...(reply.text.trim() === '' ? ['*No text arrived.*'] : [closed(withoutMargin(reply.text))]),
      `*${plain(facts(reply).join(' · '))}*`,
    ];
  });
}

function facts(reply: Reply): string[] {
  const { state, problem, startedAt, echoedModel, totalMs } = reply;
  const words = problem?.words === undefined ? '' : `: ${problem.words}`;
  const requestId = shownRequestId(reply);
  return [
    timeText(startedAt),
    ...(echoedModel === undefined ? [] : [`answered by ${echoedModel}`]),
    `${state}${problem ? ` (${problem.kind}${words})` : ''}`,
    ...(totalMs === undefined ? [] : [`${(totalMs / 1_000).toFixed(1)} s`]),
    ...replyFacts(reply),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ];
}

function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

/** Without blank lines around it. What the first line begins with stays: four blanks make it code. */
function withoutMargin(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** The text with an end to the code block that it leaves open. */
function closed(text: string): string {
  let open: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, marks = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marks === '') {
      continue;
    }
    if (open === undefined) {
      // Back-ticks in the words behind them make it no fence.
      open = marks.startsWith('`') && rest.includes('`') ? undefined : marks;
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === '') {
      open = undefined;
    }
  }
  return open === undefined ? text : `${text}\n${open}`;
}

/** One line whose characters mean nothing to Markdown. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** `2026-11-21 09:30 UTC`: the same wherever it is read. */
function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A name for the file, without its ending: letters of any script, digits and dashes, at most 60 characters. */
export function fileNameOf(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...name].slice(0, 60).join('').replace(/-$/, '');
  // Windows keeps some names for devices.
  return short === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(short)
    ? `conversation${short && `-${short}`}`
    : short;
}
