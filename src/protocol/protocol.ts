import * as z from 'zod/mini';
import type { CostBasis } from '../core/base/costRange.ts';
import type { ContextWindow } from '../core/base/requestSize.ts';
import type { ContextKind } from '../core/chat/context/prompt.ts';
import type { Reply } from '../core/chat/conversation/conversation.ts';
import type { Trouble } from '../core/chat/conversation/trouble.ts';
import { adviceActions } from '../core/errors/gatewayProblem.ts';

/** What the panel shows. */

/** The actions of the buttons in an error card or under a reply. All other actions have their own message type. */
export const troubleActions = [...adviceActions, 'askOther', 'continue', 'copyReport', 'showUnread'] as const;
export type TroubleAction = (typeof troubleActions)[number];

/** The actions that make a paid call; the host answers them with `sent` or `notSent`. */
export type PayingAction = Extract<
  TroubleAction,
  'sendAgain' | 'sendWithoutUsage' | 'sendWithoutParameter' | 'askOther' | 'chooseParts' | 'continue'
>;

/** What the person can do with a code block of a reply, besides copying it, which needs only the text (`copy`). */
export const codeActions = ['insert', 'replace', 'apply', 'newFile'] as const;
export type CodeAction = (typeof codeActions)[number];

/** A piece of context that is, or was, sent with a question. */
export type ChipView = {
  readonly id: string;
  /** `other`: a kind that only a later version of the extension knows. */
  readonly kind: ContextKind | 'other';
  /** For instance `src/cart/discount.ts`. */
  readonly label: string;
  /** Shown muted after the label: line range, estimated tokens. */
  readonly detail: string;
  /** The full description, where label and detail are not enough. */
  readonly hint?: string;
  /** What to look at before it is sent, such as what looks like a secret. */
  readonly warning?: string;
};

/** A row of the list that opens in the question box: after `#` what the question can include, after `/` a prompt. */
export type FoundView = {
  /** The same for the same thing in every list, also when its detail changes. */
  readonly id: string;
  readonly kind: Exclude<ChipView['kind'], 'pasted' | 'other'> | 'prompt';
  readonly label: string;
  /** Shown muted after the label: where it is. */
  readonly detail: string;
  /** Shown after the detail, which is cut first: files, estimated tokens, whether the question includes it already. */
  readonly size?: string;
  /** Choosing it searches, and shows what that finds in place of the list. */
  readonly isSearch?: true;
};

/** A reply of a model. Its text is Markdown exactly as the model wrote it. */
export type ShownReply = Pick<
  Reply,
  'id' | 'echoedModel' | 'state' | 'text' | 'reasoning' | 'startedAt' | 'sources'
> & {
  /** Exact id of the model the question was sent to; of each, if several gave parts of the answer. */
  readonly model: string;
  /** How long the model reasoned before its first answer text, in milliseconds. */
  readonly reasoningMs?: number;
  /** The facts in the muted line under a finished reply, what decides first. An unknown value is described in words. */
  readonly footer: readonly string[];
  /** All facts, exactly, for the hover of that line and for *Copy Details*. */
  readonly details: readonly string[];
  readonly trouble?: Trouble;
  /** Says that it has a picture, and what was left out of its request. */
  readonly note?: string;
  /** The paid calls offered under the reply, in addition to those of `trouble`. */
  readonly retries: readonly RetryAction[];
};

/** The actions that get another reply to the same question. */
export type RetryAction = Extract<PayingAction, 'sendAgain' | 'askOther'>;

/** A reply without its text, which the panel already has from the deltas. `length` lets the panel detect a gap. */
export type ReplyUpdate = Omit<ShownReply, 'text' | 'reasoning'> & {
  /** Length of text and reasoning together, in UTF-16 units. */
  readonly length: number;
};

/** Which of several replies or questions is shown, with the ids of the previous and the next one. */
export type SwitchView = {
  /** Counted from 1. */
  readonly at: number;
  readonly of: number;
  readonly previous?: string;
  readonly next?: string;
};

/** A column of a comparison: one of the models that got the question. */
export type ColumnView = {
  readonly reply: ShownReply;
  /** Only when the model was asked again: the replies of this column. */
  readonly replies?: SwitchView;
  /** The conversation continues from this reply. */
  readonly isChosen?: true;
};

/** A question and the reply to it that is shown. */
export type ShownTurn = {
  readonly id: string;
  readonly question: { readonly text: string; readonly chips: readonly ChipView[] };
  readonly reply: ShownReply;
  /** Only for a comparison that is shown side by side; `reply` is not shown then. */
  readonly columns?: readonly ColumnView[];
  /** Only for a comparison that is shown as one reply, but can be shown side by side again. */
  readonly canCompare?: true;
  /** Only when the question got several replies. */
  readonly replies?: SwitchView;
  /** Only when several branches begin here; the ids are those of the turns they begin with. */
  readonly questions?: SwitchView;
};

/**
 * What the person can answer before a question is sent, besides cancelling it; the first one that is offered is proposed.
 * `send`: as it is. The last three send nothing: they turn off the search for secrets in a file, or open the wallet or
 * the setting of limits.
 */
export const reviewAnswers = ['mask', 'send', 'choose', 'model', 'neverScan', 'wallet', 'limit'] as const;
export type ReviewAnswer = (typeof reviewAnswers)[number];

/** Everything that speaks against sending a question, and the answers that are possible. */
export type ReviewView = {
  readonly id: string;
  readonly title: string;
  readonly objections: readonly string[];
  readonly answers: readonly { readonly answer: ReviewAnswer; readonly label: string; readonly hint?: string }[];
};

/** The box for the next question, or for the question that is being edited. */
export type ComposerView = {
  /** Exact id of the model the next question is sent to; absent when none is chosen yet. */
  readonly model?: string;
  /** The host the next question is sent to; absent without a connection. */
  readonly host?: string;
  /** Says that the conversation was with another gateway than `host`. `canSwitchBack`: there is still a connection to it. */
  readonly switched?: { readonly host: string; readonly text: string; readonly canSwitchBack: boolean };
  readonly chips: readonly ChipView[];
  /** Which system prompt is sent, or that none is although one is set. */
  readonly systemPrompt?: { readonly label: string; readonly detail: string; readonly hint: string };
  /** The parameters that are sent, and where each is set. */
  readonly parameters?: { readonly label: string; readonly hint: string };
  /** What speaks against sending the question that waits for an answer. Nothing is sent before it is answered. */
  readonly review?: ReviewView;
  /** Estimated prompt tokens of the system prompt, the conversation and the chips, without the draft. */
  readonly tokens: number;
  /** What is left on the key or its account, and where that is from. `isLow`: it, or the key, may not last. */
  readonly balance?: { readonly text: string; readonly title: string; readonly isLow?: true };
  /** What to multiply the estimate with for this model, as learned from its calls. */
  readonly tokenFactor?: number;
  /** The context window of the model; absent if it's unknown. */
  readonly window?: ContextWindow;
  /** What the cost depends on besides the draft, and how it is estimated; absent if the price is unknown. */
  readonly price?: CostBasis & { readonly hint: string };
  /** The models that the question is sent to at the same time, and what the cost of each depends on; null if unknown. */
  readonly compared?: { readonly models: readonly string[]; readonly prices: readonly (CostBasis | null)[] };
  /** The text that was typed but not sent. */
  readonly draft: string;
  /** Id of the turn whose question is being edited. Draft and chips belong to it, and sending creates a new branch. */
  readonly editing?: string;
  /** Id of the running reply, or of the action that is about to start one. While it is set, Send is Stop. */
  readonly runningReply?: string;
  /** How many replies are running, only when there are several. Stop ends all of them. */
  readonly runningReplies?: number;
  /** The conversation is stored, so that it can be restored although nothing is asked or typed. */
  readonly isStored?: true;
  /** What the person has to do before anything can be sent. */
  readonly due?: string;
  /** Whether `due` may no longer apply, so that sending is tried. */
  readonly mayBeDone?: true;
  /** The paid calls of the conversation so far: in total, and a line for each model. */
  readonly calls?: { readonly text: string; readonly hint: string };
};

/*
 * The messages between the extension host and the conversation panel. The conversation is in the host; the panel shows it,
 * and has only what is being typed. The panel sends `ready`, the host answers with one `snapshot`, and sends updates from
 * then on. Every message from the panel is parsed here before it is used: the panel shows text written by models and is
 * not trusted. The panel imports only types from this file, because zod would be larger at run time than all of the
 * panel's own code.
 */

/** A code block of an answer; `block` is its number in it, from 0. */
export type BlockId = { readonly replyId: string; readonly block: number };

/** What a command of VS Code does in the page: it moves the focus, or copies what the context menu was opened on. */
export type PageCommand =
  | 'nextAnswer'
  | 'previousAnswer'
  | 'nextCodeBlock'
  | 'previousCodeBlock'
  | 'copyAnswer'
  | 'copyCode';

/** The files that a code block of an answer names. */
export type BlockFiles = {
  /** Its number in the answer, from 0. */
  readonly block: number;
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[];
};

/** A message from the host. The panel ignores a `delta` or a `reply` with an id it does not know. */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly title: string;
      readonly turns: readonly ShownTurn[];
      readonly composer: ComposerView;
    }
  | { readonly type: 'turn'; readonly turn: ShownTurn }
  | { readonly type: 'delta'; readonly replyId: string; readonly text: string; readonly reasoning: string }
  | { readonly type: 'reply'; readonly reply: ReplyUpdate }
  | { readonly type: 'composer'; readonly composer: ComposerView }
  /** Empties the question box. No `composer` changes its text but when editing begins or ends. */
  | { readonly type: 'sent'; readonly sendId: string }
  /** `isNote`: the person stopped or cancelled it. */
  | { readonly type: 'notSent'; readonly sendId: string; readonly reason: string; readonly isNote?: true }
  | { readonly type: 'focus' }
  /** Answers `findContext` and `findPrompts`; sent again when more is known. The page ignores all but its last request. */
  | { readonly type: 'found'; readonly request: number; readonly rows: readonly FoundView[] }
  /** Answers `addFound` of a prompt: its text replaces its name. Without text, the person cancelled. */
  | { readonly type: 'prompt'; readonly id: string; readonly text?: string }
  /** Says why a row can't be included. `isNote`: nothing failed, but something was left out or has no effect. */
  | { readonly type: 'notAdded'; readonly reason: string; readonly isNote?: true }
  /** Answers `findPlaces` with those of the paths that are files of the workspace. */
  | { readonly type: 'places'; readonly paths: readonly string[]; readonly found: readonly string[] }
  /** Answers `checkFinding` with the line that it quotes; without one, it quotes no changed line. */
  | { readonly type: 'finding'; readonly index: number; readonly line?: number | undefined }
  /** Answers `loadPicture` with its data as base64; without data, it is gone. */
  | { readonly type: 'picture'; readonly name: string; readonly base64?: string }
  /** Answers `findFiles` with the code blocks that name files, if there are several. */
  | { readonly type: 'files'; readonly replyId: string; readonly blocks: readonly BlockFiles[] }
  /** The code blocks whose changes are open in a diff editor. */
  | { readonly type: 'openChanges'; readonly blocks: readonly BlockId[] }
  /** Runs a command in the page. */
  | { readonly type: 'command'; readonly command: PageCommand }
  /** Scrolls to this turn. */
  | { readonly type: 'leadTo'; readonly turnId: string }
  /** The font of VS Code's own chat; without it, the panel has that of VS Code. */
  | { readonly type: 'font'; readonly size?: number | undefined; readonly family?: string | undefined }
  /** Answers `ping`: the host is running. */
  | { readonly type: 'alive' };

const index = z.number().check(z.int(), z.minimum(0), z.maximum(100_000));
/** The same limit as that of a file. */
const pastedText = z.string().check(z.maxLength(400_000));
/** A URI, or an id that contains one. */
const uri = z.string().check(z.maxLength(40_000));
const picture = z.string().check(z.regex(/^[\da-f-]{36}\.[a-z\d]{1,8}$/));
const path = z.string().check(z.minLength(1), z.maxLength(400));
const lineNumber = z.number().check(z.int(), z.positive());
const count = z.number().check(z.int(), z.minimum(0));
const id = z.string().check(z.minLength(1), z.maxLength(64));
/** Longer than any question a model accepts, short enough that a broken panel can't fill the host's memory. */
const text = z.string().check(z.maxLength(8_000_000));

/** `block` is its index in the reply; `fence` is the info string after its opening backticks. */
const codeBlock = z.object({ block: index, fence: z.string().check(z.maxLength(1_000)), text });
const codeBlocks = z.array(codeBlock).check(z.minLength(1), z.maxLength(50));
/**
 * A place in a file of the workspace, as an answer names it. The path is relative to a folder of the workspace, or to any
 * folder in it; or absolute. Lines and columns are counted from 1.
 */
const filePlace = z.object({
  path,
  line: z.optional(lineNumber),
  column: z.optional(lineNumber),
  endLine: z.optional(lineNumber),
});
export type FilePlace = z.infer<typeof filePlace>;

/**
 * A message from the panel. `sendId` is created once for each click or Enter, so that no action is paid for twice.
 * `editing` is the id of the turn whose question the text is, so that it isn't mistaken for another question.
 */
export const panelMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('ping') }),
  /** `host` is the gateway that the line above the box said the conversation is sent to, so that it needs no review. */
  z.object({
    type: z.literal('send'),
    sendId: id,
    text,
    editing: z.optional(id),
    host: z.optional(z.string()),
  }),
  /** Answers the review with this id. */
  z.object({ type: z.literal('answer'), review: id, answer: z.enum(reviewAnswers) }),
  /** `replyId` may also be the `sendId` of a `send` or `act` that has no reply yet: then that action is stopped. */
  z.object({ type: z.literal('stop'), replyId: id }),
  z.object({ type: z.literal('stopAll') }),
  /** `replyId` is set where replies are side by side. */
  z.object({
    type: z.literal('act'),
    sendId: id,
    turnId: id,
    replyId: z.optional(id),
    action: z.enum(troubleActions),
  }),
  z.object({ type: z.literal('edit'), turnId: id }),
  z.object({ type: z.literal('cancelEdit') }),
  /** Makes the connection active again that the conversation was with. */
  z.object({ type: z.literal('switchBack') }),
  z.object({ type: z.literal('chooseReply'), replyId: id }),
  z.object({ type: z.literal('chooseTurn'), turnId: id }),
  /** Chooses the reply of a comparison that the conversation continues from. */
  z.object({ type: z.literal('keep'), replyId: id }),
  z.object({ type: z.literal('compareAgain'), turnId: id }),
  /** Shows two answers of a comparison in VS Code's diff editor. */
  z.object({ type: z.literal('diffAnswers'), turnId: id }),
  z.object({ type: z.literal('copy'), text }),
  z.extend(codeBlock, { type: z.literal('useCode'), action: z.enum(codeActions), replyId: id }),
  /** Accepts or discards all changes of a code block that are open; without `block`, those of an answer. */
  z.object({ type: z.literal('decide'), replyId: id, block: z.optional(index), accepts: z.boolean() }),
  /** Finds out which files the code blocks of an answer name. */
  z.object({ type: z.literal('findFiles'), replyId: id, blocks: codeBlocks }),
  /** Applies the code of several blocks, as `useCode` does for one. */
  z.object({ type: z.literal('applyFiles'), replyId: id, blocks: codeBlocks }),
  z.object({ type: z.literal('openLink'), href: z.string().check(z.maxLength(8_192)) }),
  /** Finds out which of the paths in an answer are files of the workspace. */
  z.object({ type: z.literal('findPlaces'), paths: z.array(path).check(z.minLength(1), z.maxLength(100)) }),
  /** Finds the line that a finding about changes quotes. `index` counts the findings of the page. */
  z.object({
    type: z.literal('checkFinding'),
    index,
    path,
    line: lineNumber,
    quote: z.string().check(z.maxLength(1_000)),
  }),
  z.extend(filePlace, { type: z.literal('openPlace'), isBeside: z.boolean() }),
  /** Goes to a symbol of the workspace with exactly this name, if there is one. */
  z.object({ type: z.literal('openSymbol'), name: z.string().check(z.maxLength(200)), isBeside: z.boolean() }),
  z.object({ type: z.literal('loadPicture'), name: picture }),
  /** Opens a picture of an answer in an editor, or saves it to a file. */
  z.object({ type: z.literal('usePicture'), name: picture, isSaved: z.boolean() }),
  z.object({ type: z.literal('chooseModel') }),
  /** The next question is sent to one model instead of several. */
  z.object({ type: z.literal('cancelComparison') }),
  z.object({ type: z.literal('addContext') }),
  /** Finds what the letters after `#` in the question box may mean. `request` grows with each of them. */
  z.object({ type: z.literal('findContext'), request: count, query: z.string().check(z.maxLength(500)) }),
  /** Finds the prompts that the letters after `/` at the start of the question box may mean. */
  z.object({ type: z.literal('findPrompts'), request: count, query: z.string().check(z.maxLength(500)) }),
  /** Includes a row that was found last, searches with it, or runs it if it's a prompt. */
  z.object({ type: z.literal('addFound'), id: uri }),
  /** Includes files that were dropped, by their URIs. */
  z.object({ type: z.literal('addFiles'), uris: z.array(uri).check(z.maxLength(1_000)) }),
  /** Includes code that was copied from an editor, with the id of its language. */
  z.object({ type: z.literal('addPasted'), text: pastedText, language: z.string().check(z.maxLength(100)) }),
  z.object({ type: z.literal('editSystemPrompt') }),
  z.object({ type: z.literal('editParameters') }),
  z.object({ type: z.literal('removeChip'), id }),
  /** Shows where a piece of context comes from. */
  z.object({ type: z.literal('openChip'), id }),
  z.object({ type: z.literal('draft'), text, editing: z.optional(id) }),
  /** These two open a document and send nothing: the request that Send would make, and the request of a reply. */
  z.object({ type: z.literal('showRequest'), text, editing: z.optional(id) }),
  z.object({ type: z.literal('showSent'), replyId: id }),
  z.object({ type: z.literal('broken'), message: z.string().check(z.maxLength(4_000)) }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;
