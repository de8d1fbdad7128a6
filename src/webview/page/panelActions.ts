import type { PanelMessage, TroubleAction } from '../../protocol/protocol.ts';
import type { Post } from './dom.ts';

/** A choice of what is shown. */
export type ChoiceMessage = Extract<PanelMessage, { type: 'chooseReply' | 'chooseTurn' | 'keep' | 'compareAgain' }>;

/** What the parts of a conversation ask of the panel. */
export type PanelActions = {
  readonly post: Post;
  /** Runs the action of a button. `replyId` identifies the reply when several are side by side. */
  act(turnId: string, action: TroubleAction, replyId?: string): void;
  /** Puts the question into the composer for editing. */
  edit(turnId: string): void;
  choose(choice: ChoiceMessage): void;
};
