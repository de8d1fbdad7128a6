import type { CodeAction, TroubleAction } from '../../protocol.ts';
import type { LineWrap } from './lineWrap.ts';

/** What is to be done with which block of code; `block` counts those of its text from 0. */
type CodeUse = {
  readonly action: CodeAction;
  readonly block: number;
  readonly fence: string;
  readonly text: string;
};

/** What a part of the panel may wish for; the panel turns it into messages for the host. */
export type PanelActions = {
  copy(text: string): void;
  openLink(href: string): void;
  useCode(replyId: string, use: CodeUse): void;
  /** A button of an error card; `replyId` says which one of those side by side. */
  act(turnId: string, action: TroubleAction, replyId?: string): void;
  /** Ends one running reply. */
  stop(replyId: string): void;
  /** Of the answers side by side, goes on from this one. */
  keep(replyId: string): void;
  /** Shows the answers side by side again. */
  compareAgain(turnId: string): void;
  /** Shows what was sent for this reply. Nothing is sent. */
  showSent(replyId: string): void;
  /** Tells it to a screen reader. */
  say(words: string): void;
  /** Puts the question into the composer to be written anew. */
  edit(turnId: string): void;
  /** Shows another reply to the same question. */
  chooseReply(replyId: string): void;
  /** Shows another question at the same place, with what follows it. */
  chooseTurn(turnId: string): void;
  /** Whether long lines of code are wrapped, in all of the panel. */
  readonly wrap: Pick<LineWrap, 'isOn' | 'toggle'>;
};

/** The same for the text of one reply. */
export type TextActions = Pick<PanelActions, 'copy' | 'openLink' | 'wrap'> & {
  useCode(use: CodeUse): void;
  /** The one file the question's code came from. */
  readonly file: string | undefined;
};
