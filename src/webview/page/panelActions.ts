import type { CodeAction, TroubleAction } from '../../protocol/views.ts';
import type { LineWrap } from './lineWrap.ts';

/** An action on a code block. `block` is its index among the code blocks of its text, from 0. */
type CodeUse = {
  readonly action: CodeAction;
  readonly block: number;
  readonly fence: string;
  readonly text: string;
};

/** Actions that parts of the panel can request; the panel posts them to the host. */
export type PanelActions = {
  copy(text: string): void;
  openLink(href: string): void;
  useCode(replyId: string, use: CodeUse): void;
  /** Runs the action of a button. `replyId` identifies the reply when several are side by side. */
  act(turnId: string, action: TroubleAction, replyId?: string): void;
  /** Stops one running reply. */
  stop(replyId: string): void;
  /** Continues the conversation from this one of the answers side by side. */
  keep(replyId: string): void;
  /** Shows the answers side by side again. */
  compareAgain(turnId: string): void;
  /** Shows the request that was sent for this reply. Sends nothing. */
  showSent(replyId: string): void;
  /** Shows where a piece of context comes from. */
  openChip(id: string): void;
  /** Announces text to a screen reader. */
  say(words: string): void;
  /** Puts the question into the composer for editing. */
  edit(turnId: string): void;
  /** Shows another reply to the same question. */
  chooseReply(replyId: string): void;
  /** Shows another question at the same place, with the turns after it. */
  chooseTurn(turnId: string): void;
  /** Whether long code lines wrap, for the whole panel. */
  readonly wrap: Pick<LineWrap, 'isOn' | 'toggle'>;
};

/** Actions available in the text of one reply. */
export type TextActions = Pick<PanelActions, 'copy' | 'openLink' | 'wrap'> & {
  useCode(use: CodeUse): void;
};
