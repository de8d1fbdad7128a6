import type { LogMatch } from './matchLog.ts';

/** How the calls of a connection compare with its gateway's log. */
export type MatchResult = LogMatch & {
  /** When the log was read, in Unix milliseconds. */
  readonly at: number;
  /** The name of the file; undefined for what the gateway answered. */
  readonly file: string | undefined;
  /** Lines of the log that could not be read. */
  readonly unreadable: number;
};
