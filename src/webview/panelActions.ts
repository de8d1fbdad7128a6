import type { TroubleAction } from '../protocol.ts';

/** What a part of the panel may wish for; the panel turns it into messages for the host. */
export type PanelActions = {
  copy(text: string): void;
  insert(text: string): void;
  openLink(href: string): void;
  /** A button of an error card. Returns whether the wish went out: a second click on a paid one does not. */
  act(turnId: string, action: TroubleAction): boolean;
};
