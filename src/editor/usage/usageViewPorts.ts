import type * as vscode from 'vscode';
import type { Event } from '../../core/base/lifetime.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import type { DailyLimits } from '../../core/usage/limits.ts';
import type { TableFacts } from '../../core/usage/view/usageTables.ts';
import type { TallyPorts } from '../../core/usage/view/usageTally.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';

/** The logs that gateways keep of their calls. */
export type GatewayLogPorts = {
  match(connection: string): Promise<void>;
  importLog(connection: string): Promise<void>;
  showDifferences(connection: string): Promise<void>;
  /** What the last match of a connection showed, in a sentence. */
  lastMatch(connection: string): { readonly text: string; readonly hasDifferences: boolean } | undefined;
  readonly onDidChange: Event<void>;
};

export type UsageViewPorts = Pick<SharedPorts, 'log' | 'clock'> & {
  readonly ledger: () => Ledger;
  /** The folder of the build, with the script and styles of the page. */
  readonly dist: vscode.Uri;
  /** Where file dialogs start when no folder is open. */
  readonly home: vscode.Uri;
  readonly connections: () => readonly { readonly id: string; readonly name: string; readonly host: string }[];
  readonly limits: () => DailyLimits | string;
  /** By default as charged, reported or priced when it was made. */
  readonly costOf?: TallyPorts['costOf'];
  readonly meter?: TableFacts['meter'];
  readonly gatewayLog?: GatewayLogPorts;
  /** The titles of those conversations that can be opened. */
  readonly conversationTitles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly openConversation: (id: string) => Promise<unknown>;
};
