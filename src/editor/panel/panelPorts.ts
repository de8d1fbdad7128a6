import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { CodePorts } from '../code/useCode.ts';
import type { Log } from '../ui/log.ts';
import type { PaidCallsDeps } from './paidCalls.ts';
import type { RequestDocuments } from './requestDocuments.ts';
import type { ShowRequestDeps } from './showRequest.ts';

/** What the panels of all conversations share. */
export type PanelPorts = PaidCallsDeps &
  ShowRequestDeps &
  CodePorts & {
    readonly log: Log;
    /** Folder of what is built, with the page of the panel. */
    readonly dist: vscode.Uri;
    /** The extension's. */
    readonly version: string;
    readonly clock: Clock;
    /** Host that a question would go to now. */
    readonly host: () => string | undefined;
    /** Remembers that the gateway in use rejects the option that asks for token counts. */
    readonly forgoUsage: () => Promise<void>;
  };

/** The same with what their owner adds. */
export type PanelDeps = PanelPorts & {
  readonly requests: RequestDocuments;
  /** See `ConversationStore`. */
  readonly isOnDisk: (id: string) => Promise<boolean>;
};
