import * as l10n from '@vscode/l10n';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { factsText, numberText, plural } from '../../core/base/localization.ts';
import { moneyAt } from '../../core/base/money.ts';
import { shortened, shortLine } from '../../core/base/shortLine.ts';
import { commandState, filesText, rangeText } from '../../core/chat/context/contextText.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownReply, turnsBeside, turnToFollow, visibleTurns } from '../../core/chat/conversation/branches.ts';
import { chosenReply, columnsOf, isUndecided, keepFirst } from '../../core/chat/conversation/comparison.ts';
import { partsOf } from '../../core/chat/conversation/continued.ts';
import {
  type Conversation,
  isRunning,
  lastReply,
  type Reply,
  type Turn,
} from '../../core/chat/conversation/conversation.ts';
import { leftOutText, sentContexts } from '../../core/chat/conversation/messagesFor.ts';
import { pictureText, type ReplyFacts, replyFacts } from '../../core/chat/conversation/replyFacts.ts';
import { contextWindowOf, requestParts, tokensOf } from '../../core/chat/conversation/requestParts.ts';
import {
  type PlacedPrompt,
  parameterText,
  placedParameters,
  sentPrompt,
  tokenLimitOf,
} from '../../core/chat/conversation/sentParameters.ts';
import { retriesOf, troubleOf } from '../../core/chat/conversation/trouble.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { ConnectionDefaults } from '../../core/connections/questionDefaults.ts';
import { isUnsent, mayBeCharged } from '../../core/errors/gatewayProblem.ts';
import type { Model } from '../../core/models/list/model.ts';
import { knownCost, sourceText } from '../../core/reply/cost.ts';
import { callsOf, callsText } from '../../core/usage/callsText.ts';
import { totalsOf, type UsageTotals } from '../../core/usage/usageTotals.ts';
import type {
  ChipView,
  ColumnView,
  ComposerView,
  ReplyUpdate,
  ShownReply,
  ShownTurn,
  SwitchView,
} from '../../protocol/protocol.ts';

/** Converts conversations, as `asShown` returns them, into the views that the panel shows. Pure functions. */

/** The turns on the shown branch. */
export function shownTurns(conversation: Conversation, layout: ComparisonLayout): ShownTurn[] {
  const beside = turnsBeside(conversation);
  return visibleTurns(conversation)
    .map((turn) => shownTurn(turn, beside, layout))
    .filter((view) => view !== undefined);
}

/** @param beside see `turnsBeside`. @returns undefined for a turn without a reply. */
export function shownTurn(
  turn: Turn,
  beside: ReturnType<typeof turnsBeside>,
  layout: ComparisonLayout,
): ShownTurn | undefined {
  const reply = shownReply(turn);
  const columns = layout.isSideBySide(turn) ? columnViews(turn, layout) : undefined;
  const replies = columns ? undefined : switchView(turn.replies, reply?.id);
  const questions = switchView(beside(turn.id), turn.id);
  return (
    reply && {
      replies,
      questions,
      id: turn.id,
      question: {
        text: turn.question,
        chips: sentContexts(turn.contexts, reply.leftOut).map((context) => chipView(context)),
      },
      reply: shownReplyOf(reply, turn),
      ...(columns ? { columns } : columnsOf(turn).length > 0 && { canCompare: true as const }),
    }
  );
}

function columnViews(turn: Turn, layout: ComparisonLayout): ColumnView[] {
  const chosen = chosenReply(turn);
  return columnsOf(turn).flatMap((column): ColumnView[] => {
    const reply = layout.shownIn(column);
    const replies = switchView(column, reply?.id);
    const isChosen = reply !== undefined && reply.id === chosen?.id && { isChosen: true as const };
    return reply ? [{ reply: shownReplyOf(reply, turn), replies, ...isChosen }] : [];
  });
}

function shownReplyOf(reply: Reply, turn: Turn): ShownReply {
  return { ...replyFactsView(reply, turn), text: reply.text, reasoning: reply.reasoning };
}

function switchView(all: readonly { readonly id: string }[], shown: string | undefined): SwitchView | undefined {
  const at = all.findIndex(({ id }) => id === shown);
  const [previous, next] = [all[at - 1]?.id, all[at + 1]?.id];
  return all.length < 2 || at < 0 ? undefined : { at: at + 1, of: all.length, previous, next };
}

export function replyUpdate(reply: Reply, turn: Turn): ReplyUpdate {
  return { ...replyFactsView(reply, turn), length: reply.text.length + reply.reasoning.length };
}

/** What a composer shows besides the content of its conversation. */
type ComposerFacts = {
  /** Id of the action that is about to send its request. It can be stopped like a running reply. */
  readonly starting?: string;
  /** The connection that the next question is sent with. */
  readonly connection?: NamedConnection;
  readonly isStored?: boolean;
  /** Whether something in a piece of context looks like a secret. */
  readonly hasSecret?: (context: CodeContext) => boolean;
  /** Whether something in a text that is sent beside the question is masked. */
  readonly isMasked?: (text: string) => boolean;
  /** What the gateway's list says about the model. */
  readonly facts?: Model;
};

/** @param tokenFactor what to multiply estimates of tokens with for this model. */
export function composerView(
  conversation: Conversation,
  model: string | undefined,
  host: string | undefined,
  tokenFactor = 1,
  { starting, connection, isStored = false, facts, ...secrets }: ComposerFacts = {},
): ComposerView {
  const { hasSecret = () => false, isMasked = () => false } = secrets;
  const { draft, edit } = conversation;
  const { text, contexts } = edit ?? draft;
  const running = conversation.turns.flatMap(({ replies }) => replies.filter(isRunning));
  const runningReply = running[0]?.id ?? starting;
  const question = [conversation, connection, model] as const;
  const prompt = sentPrompt(...question);
  const ofPrompt = estimateTokens(prompt?.text ?? '');
  const after = turnToFollow(conversation, edit?.turnId) ?? null;
  const parts = requestParts(conversation, { text: '', contexts }, after, prompt?.text);
  const isEmpty = prompt === undefined && contexts.length === 0 && parts.turns.length === 0;
  const window = contextWindowOf(facts, tokenLimitOf(...question));
  return {
    model,
    host,
    chips: parts.contexts.map(({ context, tokens }) => {
      const warning = warningOf(context, hasSecret(context));
      const chip = chipView(context, Math.round(tokens * tokenFactor));
      return { ...chip, ...(warning !== '' && { warning }) };
    }),
    ...systemPromptView(question, prompt, tokensText(Math.round(ofPrompt * tokenFactor)), isMasked),
    ...parametersView(question, facts, isMasked),
    tokens: isEmpty ? 0 : tokensOf(parts),
    ...(tokenFactor !== 1 && { tokenFactor }),
    ...(window && { window }),
    draft: text,
    ...(edit && { editing: edit.turnId }),
    ...(runningReply !== undefined && { runningReply }),
    ...(running.length > 1 && { runningReplies: running.length }),
    ...(isStored && { isStored }),
    ...(edit === undefined && isUndecided(conversation) && { due: keepFirst() }),
    ...callsView(conversation),
  };
}

/** What a person should know of a piece of context before it is sent. */
function warningOf(context: CodeContext, hasSecret: boolean): string {
  return [
    ...(hasSecret ? [l10n.t('Contains what looks like a secret')] : []),
    ...(hasLostLetters(context)
      ? [
          l10n.t(
            "Some characters couldn't be read. If the file has another encoding, reopen it with that encoding and include it again.",
          ),
        ]
      : []),
  ].join('\n');
}

/** Whether VS Code read bytes that are no text in the encoding that it took the file to have (kilocode#3755). */
function hasLostLetters({ text }: CodeContext): boolean {
  return text.includes('\ufffd');
}

/** The connection that a conversation was with last or, if that is unknown or gone, the first one to its gateway. */
export function lastConnection(conversation: Conversation, connections: readonly Connection[]): Connection | undefined {
  const { host, connection } = lastReply(conversation) ?? {};
  const toGateway = connections.filter((each) => each.url.host === host);
  return toGateway.find(({ id }) => id === connection) ?? toGateway[0];
}

/** @param connections the active one first. @returns undefined when that is the one that was used last. */
export function switchedView(conversation: Conversation, connections: readonly Connection[]): ComposerView['switched'] {
  const [active] = connections;
  const last = lastReply(conversation)?.host;
  const before = lastConnection(conversation, connections);
  if (last === undefined || active === undefined || before === active) {
    return undefined;
  }
  const host = active.url.host;
  const text =
    before && host === last
      ? l10n.t(
          'Until now with the key of {0}. The next question is charged to the key of {1}.',
          before.name,
          active.name,
        )
      : l10n.t('Until now with {0}. The next question sends all of it to {1}, which charges for it.', last, host);
  return { host, text, canSwitchBack: before !== undefined };
}

function callsView(conversation: Pick<Conversation, 'turns'>): Pick<ComposerView, 'calls'> {
  const totals = conversationTotals(conversation);
  const hint = [...totals.byModel].map(([model, sums]) => callsOf(model, sums)).join('\n');
  return totals.calls === 0 ? {} : { calls: { text: callsText({ ...totals, tokens: 0 }), hint } };
}

/** The sums of the paid calls of a conversation, in all its branches. Calls that were not sent don't count. */
export function conversationTotals({ turns }: Pick<Conversation, 'turns'>): UsageTotals {
  const sent = turns
    .flatMap(({ replies }) => replies)
    .filter((reply) => !(reply.isUnsent || (reply.problem && isUnsent(reply.problem))));
  const isOneSite = new Set(sent.map(({ host }) => host)).size < 2;
  const calls = sent.map((reply) => ({
    ...reply,
    connection: reply.host,
    caller: 'panel',
    state: isRunning(reply) ? ('running' as const) : ('complete' as const),
    isFree: reply.problem && !mayBeCharged(reply.problem, reply.text !== '') ? (true as const) : undefined,
  }));
  return totalsOf(calls, (call) => {
    const cost = knownCost(call);
    return cost === undefined || isOneSite ? cost : moneyAt(call.host, cost);
  });
}

function replyFactsView(reply: Reply, turn: Turn): Omit<ShownReply, 'text' | 'reasoning'> {
  const trouble = troubleOf(reply);
  const note = [pictureText(reply), leftOutText(reply, turn)].filter((each) => each !== undefined).join('\n');
  const { line: footer, details } = reply.parts ? factsOfParts(reply.parts, turn) : replyFacts(reply);
  const answeredAs = reply.echoedModel === undefined ? [] : [l10n.t('answered as {0}', reply.echoedModel)];
  const reasoned = partsOf(reply).flatMap(({ reasoning, firstTextMs, totalMs, firstTokenMs = 0 }) => {
    const until = reasoning === '' ? undefined : (firstTextMs ?? totalMs);
    return until === undefined ? [] : [Math.max(0, until - firstTokenMs)];
  });
  return {
    id: reply.id,
    model: [...new Set(partsOf(reply).map(({ model }) => model))].join(' + '),
    echoedModel: reply.echoedModel,
    state: reply.state,
    startedAt: reply.startedAt,
    ...(reasoned.length > 0 && { reasoningMs: reasoned.reduce((sum, ms) => sum + ms, 0) }),
    footer,
    details: [reply.model, ...answeredAs, ...details],
    trouble,
    sources: reply.sources,
    note: note || undefined,
    retries: retriesOf(reply),
  };
}

/** The calls of an answer that was continued: what they cost and used together, and the details of each. */
function factsOfParts(parts: readonly Reply[], turn: Turn): ReplyFacts {
  const { calls } = parts.some(isRunning) ? {} : callsView({ turns: [{ ...turn, replies: parts }] });
  const sum = (counts: readonly (number | undefined)[]) =>
    counts.reduce((all, count) => (all === undefined || count === undefined ? undefined : all + count), 0);
  const input = sum(parts.map(({ usage }) => usage?.promptTokens));
  const output = sum(parts.map(({ usage }) => usage?.completionTokens));
  const sources = new Set(parts.flatMap((part) => knownCost(part)?.source ?? []));
  const details = parts.map((part, index) =>
    l10n.t('Call {0}: {1}', numberText(index + 1), replyFacts(part).details.join(' · ')),
  );
  const line = calls && [
    calls.text,
    ...(input === undefined ? [] : [l10n.t('{0} in', numberText(input))]),
    ...(output === undefined ? [] : [l10n.t('{0} out', numberText(output))]),
    ...[...sources].map(sourceText),
  ];
  return { line: line ?? [], details };
}

/** A number of tokens, where there is little room. */
function tokensText(count: number): string {
  return l10n.t({ message: '{0} tok', args: [numberText(count)], comment: ['A number of tokens, abbreviated'] });
}

function chipView(context: CodeContext, tokens?: number): ChipView {
  const { id, kind, path, endLine, name, symbol, count } = context;
  const lines = rangeText(context);
  const lost = hasLostLetters(context) && l10n.t('unreadable characters');
  const size = tokens !== undefined && tokensText(tokens);
  const facts = (...before: readonly (string | false | undefined)[]) => factsText(lost, ...before, size);
  const old = context.isOld && l10n.t('old version');
  const cell = context.cell !== undefined && l10n.t('cell {0}', numberText(context.cell));
  switch (kind) {
    case 'selection':
      return { id, kind: 'selection', label: path, detail: facts(cell, old, lines) };
    case 'file':
      return { id, kind: 'file', label: path, detail: facts() };
    case 'symbol': {
      const label = name || symbol || l10n.t('Symbol');
      return { id, kind: 'symbol', label, detail: facts(), hint: `${label} · ${path} ${lines}` };
    }
    case 'problems': {
      const label =
        count === undefined ? l10n.t('Problems') : plural(count, l10n.t('1 problem'), l10n.t('{0} problems'));
      return { id, kind: 'problems', label, detail: facts(), hint: `${label} · ${path} ${lines}` };
    }
    case 'folder':
      return { id, kind: 'folder', label: `${path}/`, detail: facts(count !== undefined && filesText(count)) };
    case 'pasted': {
      const ofLines = plural(endLine, l10n.t('1 line'), l10n.t('{0} lines'));
      return { id, kind: 'pasted', label: l10n.t('Pasted'), detail: facts(ofLines) };
    }
    case 'terminal': {
      const state = commandState(context);
      const label = shortLine(name ?? '', 30) || l10n.t('Terminal command');
      return { id, kind: 'terminal', label, detail: facts(state), hint: `${name || label} · ${state}` };
    }
    case 'cell':
      return { id, kind: 'cell', label: path, detail: facts(cell) };
    case 'instructions':
      return { id, kind: 'instructions', label: path, detail: facts() };
    case 'changes': {
      const label = changesLabel(name);
      return { id, kind: 'changes', label, detail: facts(), hint: `${label} · ${path}` };
    }
    default:
      return { id, kind: 'other', label: path || l10n.t('Context'), detail: facts() };
  }
}

/** @param name see `CodeContext`. */
function changesLabel(name = ''): string {
  const [, hash] = /^commit (\w+)$/.exec(name) ?? [];
  if (hash !== undefined) {
    return l10n.t('Commit {0}', hash);
  }
  return name === '' ? l10n.t('Uncommitted changes') : l10n.t('Staged changes');
}

type NamedConnection = Pick<Connection, 'name'> & ConnectionDefaults;

/** What decides what is sent with the next question. */
type Question = readonly [
  conversation: Conversation,
  connection: NamedConnection | undefined,
  model: string | undefined,
];

/** The parameters that are sent to a model, and the default effort of a model that is known to reason. */
function parametersView(
  question: Question,
  facts: Model | undefined,
  isMasked: (text: string) => boolean,
): Pick<ComposerView, 'parameters'> {
  const canReason = facts?.abilities?.includes('reasoning') === true;
  const placed = placedParameters(...question);
  const sent = placed.map((each) => ({ ...each, text: parameterText(each) })).filter(({ text }) => text !== undefined);
  const hasEffort = sent.some(({ name }) => name === 'reasoningEffort');
  const label = [...(canReason && !hasEffort ? [l10n.t('effort: default')] : []), ...sent.map(({ text }) => text)];
  const omitted = placed.flatMap((each) => each.omitted);
  const hint = [
    ...(placed.some(({ fields }) => isMasked(JSON.stringify(fields))) ? [maskedText()] : []),
    ...sent.map(({ text, place }) => `${text} · ${placeText(place, question)}`),
    ...(omitted.length > 0 ? [l10n.t('not sent, because it was rejected: {0}', omitted.join(', '))] : []),
  ];
  return label.length + hint.length === 0
    ? {}
    : { parameters: { label: label.join(' · '), hint: hint.length > 0 ? hint.join('\n') : l10n.t('None is set.') } };
}

/**
 * The system prompt that is sent, or that none is although one is set.
 *
 * @param tokens what it adds, in words.
 * @param isMasked whether something in a text is masked before it is sent.
 */
function systemPromptView(
  question: Question,
  sent: PlacedPrompt | undefined,
  tokens: string,
  isMasked: (text: string) => boolean,
): Pick<ComposerView, 'systemPrompt'> {
  if (sent === undefined) {
    // That none is sent is worth a word only where one would be sent otherwise.
    const [{ systemPrompt }, connection, model] = question;
    return systemPrompt === undefined || sentPrompt({}, connection, model) === undefined
      ? {}
      : { systemPrompt: { label: l10n.t('No system prompt'), detail: placeText('conversation', question), hint: '' } };
  }
  const detail = factsText(placeText(sent.place, question), tokens, isMasked(sent.text) && maskedText());
  return { systemPrompt: { label: l10n.t('System prompt'), detail, hint: shortened(sent.text, 600) } };
}

function maskedText(): string {
  return l10n.t('secrets masked');
}

/** Where something is set, in words. */
function placeText(place: PlacedPrompt['place'], [, connection, model = '']: Question): string {
  return { conversation: l10n.t('this conversation'), model, connection: connection?.name ?? '' }[place];
}

/**
 * How one panel shows compared questions. This is only the panel's view state, which ends with the panel; the choice of
 * a reply is stored in the conversation.
 */
export class ComparisonLayout {
  readonly #sideBySide = new Set<string>();
  /** Ids of the replies that are shown in their columns, by the id of the column's first reply. */
  readonly #chosen = new Map<string | undefined, string>();

  /** Shows the replies of a turn side by side although one of them is chosen. */
  open(turnId: string): void {
    this.#sideBySide.add(turnId);
  }

  close(turnId: string): void {
    this.#sideBySide.delete(turnId);
  }

  isSideBySide(turn: Turn): boolean {
    return columnsOf(turn).length > 0 && (chosenReply(turn) === undefined || this.#sideBySide.has(turn.id));
  }

  /** Shows this reply in its column. */
  choose(turn: Pick<Turn, 'replies'>, replyId: string): void {
    const column = columnsOf(turn).find((each) => each.some(({ id }) => id === replyId));
    this.#chosen.set(column?.[0]?.id, replyId);
  }

  /** The shown reply of a column, by default the newest. */
  shownIn(column: readonly Reply[]): Reply | undefined {
    const chosen = this.#chosen.get(column[0]?.id);
    return column.find(({ id }) => id === chosen) ?? column.at(-1);
  }
}
