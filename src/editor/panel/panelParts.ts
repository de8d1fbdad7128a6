import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ContextSources } from '../code/contextFinder.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import type { UnscannedFiles } from '../sending/questionSecrets.ts';
import type { Gateways } from '../sending/sendReview.ts';
import type { QuestionSettings } from '../settingFiles/questionSettings.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';

/** What the panels of all conversations share. */
export type PanelParts = {
  readonly shared: SharedPorts;
  readonly gateways: Gateways;
  readonly store: ConversationStore;
  readonly sources: ContextSources;
  readonly documents: ShownTexts;
  /** The changes to files that replies propose. */
  readonly changes: ProposedChanges;
  readonly unscanned: UnscannedFiles;
  readonly questionSettings: QuestionSettings;
  readonly paid: PaidActions;
  /** The version of the extension. */
  readonly version: string;
};
