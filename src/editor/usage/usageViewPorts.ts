import type * as vscode from 'vscode';
import type { Credit } from '../../core/connections/consoleSettings.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import type { DailyLimits } from '../../core/usage/limits.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { UsageMatching } from './usageMatching.ts';

export type UsageViewPorts = Pick<SharedPorts, 'log' | 'clock'> & {
  readonly ledger: () => Ledger;
  /** The folder of the build, with the script and styles of the page. */
  readonly dist: vscode.Uri;
  /** Where file dialogs start when no folder is open. */
  readonly home: vscode.Uri;
  readonly connections: () => readonly {
    readonly id: string;
    readonly name: string;
    readonly host: string;
    readonly creditUnit?: Credit;
  }[];
  readonly limits: () => DailyLimits | string;
  readonly matching: Pick<UsageMatching, 'match' | 'import' | 'resultOf' | 'onDidChange'>;
  /** The titles of those conversations that can be opened. */
  readonly conversationTitles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly openConversation: (id: string) => Promise<unknown>;
};
