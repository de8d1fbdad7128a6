/** What the panel shows. The host sends these views; the panel has no state of its own. */
import type { CostBasis } from '../core/base/costRange.ts';
import type { ContextWindow } from '../core/base/requestSize.ts';
import type { ContextKind } from '../core/chat/context/prompt.ts';

/** The state of a reply. `waiting` and `streaming` are still running; the other four are final. */
export type ReplyState = 'waiting' | 'streaming' | 'complete' | 'stopped' | 'incomplete' | 'failed';

/** The actions of the buttons in an error card or under a reply. All other actions have their own message type. */
export const troubleActions = [
  'sendAgain',
  'sendWithoutUsage',
  'sendWithoutParameter',
  'askOther',
  'chooseParts',
  'continue',
  'chooseModel',
  'editAddress',
  'replaceKey',
  'copyReport',
  'showUnread',
  'showLog',
  'checkConnection',
  'editConnection',
  'openConsole',
  'proxySettings',
  'limitSettings',
  'newConversation',
] as const;
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
  readonly kind: Exclude<ChipView['kind'], 'pasted' | 'instructions' | 'other'> | 'prompt';
  readonly label: string;
  /** Shown muted after the label: where it is. */
  readonly detail: string;
  /** Shown after the detail, which is cut first: files, estimated tokens, whether the question includes it already. */
  readonly size?: string;
  /** Choosing it searches, and shows what that finds in place of the list. */
  readonly isSearch?: true;
};

/** An error card or a warning card in a reply: what happened, what to do, what the gateway said, and buttons. */
export type TroubleView = {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly remedy: string;
  /** The gateway's error message, redacted. */
  readonly words?: string;
  /** Status, code and request id, in this order. */
  readonly facts: readonly string[];
  /** The first one is the primary button. */
  readonly actions: readonly { readonly action: TroubleAction; readonly label: string }[];
  /** The time until which the gateway asks to wait, in Unix milliseconds. */
  readonly waitUntil?: number;
};

/** A reply of a model. */
export type ReplyView = {
  readonly id: string;
  /** Exact id of the model the question was sent to. */
  readonly model: string;
  /** The model the gateway named in its response, only when it differs from `model`. */
  readonly echoedModel?: string;
  readonly state: ReplyState;
  /** Markdown exactly as the model wrote it. */
  readonly text: string;
  readonly reasoning: string;
  /** In Unix milliseconds; the panel shows the elapsed time while the reply is waiting. */
  readonly startedAt: number;
  /** How long the model reasoned before its first answer text, in milliseconds. */
  readonly reasoningMs?: number;
  /** The facts in the muted line under a finished reply. An unknown value is described in words. */
  readonly footer: readonly string[];
  /** The gateway's request id, once the reply has ended. Undefined also where `trouble` shows it. */
  readonly requestId?: string;
  readonly trouble?: TroubleView;
  /** Says that it has a picture, and what was left out of its request. */
  readonly note?: string;
  /** The paid calls offered under the reply, in addition to those of `trouble`. */
  readonly retries: readonly RetryAction[];
};

/** The actions that get another reply to the same question. */
export type RetryAction = Extract<PayingAction, 'sendAgain' | 'askOther'>;

/** A reply without its text, which the panel already has from the deltas. `length` lets the panel detect a gap. */
export type ReplyUpdate = Omit<ReplyView, 'text' | 'reasoning'> & {
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
  readonly reply: ReplyView;
  /** Only when the model was asked again: the replies of this column. */
  readonly replies?: SwitchView;
  /** The conversation continues from this reply. */
  readonly isChosen?: true;
};

/** A question and the reply to it that is shown. */
export type TurnView = {
  readonly id: string;
  readonly question: { readonly text: string; readonly chips: readonly ChipView[] };
  readonly reply: ReplyView;
  /** Only for a comparison that is shown side by side; `reply` is not shown then. */
  readonly columns?: readonly ColumnView[];
  /** Only for a comparison that is shown as one reply, but can be shown side by side again. */
  readonly canCompare?: true;
  /** Only when the question got several replies. */
  readonly replies?: SwitchView;
  /** Only when several branches begin here; the ids are those of the turns they begin with. */
  readonly questions?: SwitchView;
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
  /** Files with instructions for models, which the question can include. */
  readonly offers?: readonly { readonly id: string; readonly label: string; readonly hint: string }[];
  /** Which system prompt is sent, or that none is although one is set. */
  readonly systemPrompt?: { readonly label: string; readonly detail: string; readonly hint: string };
  /** The parameters that are sent, and where each is set. */
  readonly parameters?: { readonly label: string; readonly hint: string };
  /**
   * What looks like a secret in the question or its context. `canLeaveOut`: the context with it can be removed.
   * `isOneFile`: it is in one file, in which no more secrets can be looked for.
   */
  readonly secrets?: {
    readonly text: string;
    readonly canLeaveOut: boolean;
    readonly isOneFile: boolean;
    readonly canSendAsIs: boolean;
  };
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
  /** Says that the model doesn't seem to answer questions. */
  readonly notForChat?: string;
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
  /** The paid calls of the conversation so far, shown above it: in total, and a line for each model. */
  readonly calls?: { readonly text: string; readonly hint: string };
};
