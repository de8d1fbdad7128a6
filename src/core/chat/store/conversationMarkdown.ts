import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import { pictureKind, picturesIn, replacePictures } from '../../base/pictures.ts';
import { unreadText } from '../../reply/finishReason.ts';
import type { Source } from '../../reply/sources.ts';
import { fenceFor, userMessage } from '../context/prompt.ts';
import { visibleTurns } from '../conversation/branches.ts';
import { chosenReply } from '../conversation/comparison.ts';
import { openFence, partsOf, withJoined } from '../conversation/continued.ts';
import { type Conversation, type Reply, type Turn, titleOf } from '../conversation/conversation.ts';
import { leftOutText } from '../conversation/messagesFor.ts';
import { pictureText, replyFacts } from '../conversation/replyFacts.ts';

/**
 * A conversation as Markdown for reading: the questions on the shown branch with their code, every answer, and the
 * facts about it. Nothing in a question or in code can pass for a part of the document. A code block that a cut answer
 * leaves open is closed. The data of pictures is at the end.
 *
 * @param pictures those of the answers, as base64 by their names.
 */
export function conversationMarkdown(
  conversation: Conversation,
  pictures: ReadonlyMap<string, string> = new Map(),
): string {
  const { createdAt } = conversation;
  const turns = visibleTurns(conversation);
  const hidden = conversation.turns.length - turns.length;
  const hosts = [...new Set(turns.flatMap(({ replies }) => replies.map(({ host }) => host)))];
  const head = [
    `# ${plain(titleOf(conversation))}`,
    [
      `- ${l10n.t('Created: {0}', timeText(createdAt))}`,
      ...(hosts.length > 0 ? [`- ${l10n.t('Gateway: {0}', hosts.map(plain).join(', '))}`] : []),
      `- ${l10n.t('Questions: {0}', numberText(turns.length))}`,
      ...(hidden > 0 ? [`- ${l10n.t('Questions on other branches, not in this file: {0}', numberText(hidden))}`] : []),
    ].join('\n'),
  ];
  let shownPrompt: string | undefined;
  /** The system prompt of a reply, where it isn't that of the reply before. */
  const promptParts = ({ systemPrompt }: Reply) => {
    const isShown = systemPrompt === shownPrompt;
    shownPrompt = systemPrompt;
    return isShown || systemPrompt === undefined ? [] : [l10n.t('System prompt:'), fenced(systemPrompt)];
  };
  const body = turns.flatMap((turn, index) => [...questionParts(turn, index + 1), ...answerParts(turn, promptParts)]);
  const { draft, edit } = conversation;
  const unsent = [draft, ...(edit ? [edit] : [])]
    .filter(({ text, contexts }) => text.trim() !== '' || contexts.length > 0)
    .flatMap(({ text, contexts }) => [`## ${l10n.t('Not sent')}`, ...messageParts(text, contexts)]);
  const written = withReferences([...head, ...body, ...unsent].join('\n\n'), pictures);
  return `${[written, ...pictureLines(turns, pictures)].join('\n\n')}\n`;
}

/** What the pictures in answers refer to. */
function pictureLines(turns: readonly Turn[], pictures: ReadonlyMap<string, string>): string[] {
  const names = turns.flatMap(({ replies }) => replies.flatMap(({ text }) => picturesIn(text)));
  return [...new Set(names)].flatMap((name) => {
    const base64 = pictures.get(name);
    const type = pictureKind(base64 ?? '')?.type ?? `image/${name.split('.')[1]}`;
    return base64 === undefined ? [] : [`[${name}]: data:${type};base64,${base64}`];
  });
}

/** Answers with references to the pictures whose data follows, and with words in place of the others. */
function withReferences(text: string, pictures: ReadonlyMap<string, string> = new Map()): string {
  return replacePictures(text, (name, alt) => {
    const words = `[${alt || l10n.t('Picture')}]`;
    return pictures.has(name) ? `!${words}[${name}]` : words;
  });
}

/** A question with its code, its answers, and the facts about them. */
export function turnMarkdown(turn: Turn): string {
  return withReferences(`${[...questionParts(turn, 1), ...answerParts(turn, () => [])].join('\n\n')}\n`);
}

function questionParts({ question, contexts }: Turn, number: number): string[] {
  return [`## ${l10n.t('Question {0}', numberText(number))}`, ...messageParts(question, contexts)];
}

function messageParts(text: string, contexts: Turn['contexts']): string[] {
  const code = userMessage('', contexts).trimStart();
  return [...(text.trim() === '' ? [] : [quoted(withoutMargin(text))]), ...(code === '' ? [] : [code])];
}

function answerParts(turn: Turn, promptParts: (reply: Reply) => string[]): string[] {
  const { replies } = withJoined(turn);
  const chosen = chosenReply(turn);
  return replies.flatMap((reply, index) => {
    const name =
      replies.length > 1
        ? l10n.t('Answer {0} of {1}', numberText(index + 1), numberText(replies.length))
        : l10n.t('Answer');
    const notes = [
      reply.unread === undefined ? undefined : unreadText(),
      pictureText(reply),
      leftOutText(reply, turn),
    ].filter((note) => note !== undefined);
    return [
      `### ${[name, plain(reply.model), ...(reply.id === chosen?.id ? [l10n.t('kept')] : [])].join(' · ')}`,
      ...promptParts(reply),
      ...(reply.reasoning.trim() === '' ? [] : [l10n.t('Reasoning:'), fenced(reply.reasoning)]),
      ...(reply.text.trim() === '' ? [`*${l10n.t('No text was received.')}*`] : [closed(withoutMargin(reply.text))]),
      ...(reply.sources === undefined ? [] : [sourceLines(reply.sources)]),
      ...notes.map((note) => `*${plain(note)}*`),
      ...partsOf(reply).map((part) => `*${plain(facts(part).join(' · '))}*`),
    ];
  });
}

function sourceLines(sources: readonly Source[]): string {
  const lines = sources.map(({ url, title }, index) => {
    const address = /^https?:[^\s<>]+$/i.test(url) ? `<${url}>` : plain(url);
    return `${index + 1}. ${title === undefined ? address : `${plain(title)}: ${address}`}`;
  });
  return [l10n.t('Sources:'), '', ...lines].join('\n');
}

function facts(reply: Reply): string[] {
  const { state, problem, startedAt, echoedModel } = reply;
  const words = problem?.words === undefined ? '' : `: ${problem.words}`;
  return [
    timeText(startedAt),
    ...(echoedModel === undefined ? [] : [l10n.t('answered by {0}', echoedModel)]),
    `${stateText(state)}${problem ? ` (${problem.kind}${words})` : ''}`,
    ...replyFacts(reply).details,
  ];
}

function stateText(state: Reply['state']): string {
  return {
    waiting: l10n.t('still arriving'),
    streaming: l10n.t('still arriving'),
    complete: l10n.t('complete'),
    stopped: l10n.t('stopped'),
    incomplete: l10n.t('incomplete'),
    failed: l10n.t('failed'),
  }[state];
}

function fenced(text: string): string {
  const fence = fenceFor(text);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

/** Removes blank lines around a text. The indentation of its first line stays: four spaces make it code. */
function withoutMargin(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

function quoted(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** The text with a closing fence for a code block that it leaves open. */
function closed(text: string): string {
  const open = openFence(text);
  return open === undefined ? text : `${text}\n${open}`;
}

/** One line, with the characters escaped that have a meaning in Markdown. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** `2026-11-21 09:30 UTC`, so that it reads the same everywhere. */
function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A file name without extension: letters of any script, digits and dashes, at most 60 characters. */
export function fileNameOf(title: string): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...name].slice(0, 60).join('').replace(/-$/, '');
  return short || l10n.t({ message: 'conversation', comment: ['A file name'] });
}
