import type * as vscode from 'vscode';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { GitChanges } from '../code/gitChanges.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import type { TerminalCommands } from '../code/terminalCommands.ts';
import type { WorkspaceFiles } from '../code/workspaceFiles.ts';
import type { UnscannedFiles } from '../sending/questionSecrets.ts';
import type { Gateways } from '../sending/sendReview.ts';
import type { QuestionSettings } from '../settingFiles/questionSettings.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';

/** Where context and prompts are found. */
export type ContextSources = {
  readonly lastEditor: LastEditor;
  readonly files: WorkspaceFiles;
  readonly terminals: TerminalCommands;
  readonly changes: GitChanges;
  /** The folder that `~` stands for in settings, and where dialogs start when no folder is open. */
  readonly home: vscode.Uri;
};

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
