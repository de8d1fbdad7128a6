import { redact } from '../secrets/redact.ts';
import type { CheckStep, ConnectionCheck } from './checkConnection.ts';

/** What a report says besides the check. */
export type ReportFacts = {
  readonly extensionVersion: string;
  readonly vscodeVersion: string;
  /** Such as `Linux 6.1 x64`. */
  readonly os: string;
  /** Why there is no key, when there is none: the status of the connection's `Destination`. */
  readonly keyStatus?: string;
};

const width = 12;
/** A home folder, its name with blanks only where another folder follows. */
const homes =
  /(?:(?<![\w.\]])\/(?:home|Users)\/|\b[a-z]:[\\/]+Users[\\/]+)(?:[^\s\\/:"'“”]{1,255}(?: [^\s\\/:"'“”]{1,255}){0,20}(?=[\\/])|[^\s\\/:"'“”]{1,255})/gi;

/**
 * The check as a text for a support request: the same for the same check, everything from outside inert in one block
 * of plain text, and nothing secret: no key, no user name or password of an address, no value of a header, no name of
 * a home folder.
 */
export function checkReport(check: ConnectionCheck, facts: ReportFacts): string {
  const { connection, hasKey, startedAt, steps } = check;
  const headers = connection.headers.map(({ name, chars }) => `${name} (${chars} characters)`).join(', ');
  const noKey = facts.keyStatus === undefined || facts.keyStatus === 'ready' ? 'none' : `none (${facts.keyStatus})`;
  const lines = [
    line('Checked', new Date(startedAt).toISOString()),
    line('Ask Model', facts.extensionVersion),
    line('VS Code', facts.vscodeVersion),
    line('System', facts.os),
    line('Connection', `${connection.name}, ${connection.base}`),
    line('Headers', headers || 'none besides our own'),
    line('Key', hasKey ? 'present' : noKey),
    '',
    ...steps.flatMap(stepLines),
  ];
  const fence = '`'.repeat(3);
  return ['# Ask Model: connection check', '', `${fence}text`, ...lines, fence, ''].join('\n');
}

function stepLines({ name, status, detail, remedy, ms }: CheckStep): string[] {
  const time = ms === undefined ? '' : ` (${Math.round(ms)} ms)`;
  return [line(status, `${name}${time}`), line('', detail), ...(remedy === undefined ? [] : [line('', `→ ${remedy}`)])];
}

function line(label: string, text: string): string {
  return `${label.padEnd(width)}${inert(text)}`.trimEnd();
}

/** One line that can not end the block it stands in, without what tells who a person is. */
function inert(text: string): string {
  return redact(text)
    .replace(/(:\/\/)[^\s/@]*@/g, '$1[user]@')
    .replace(homes, '~')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/`{3,}/g, (run) => 'ʼ'.repeat(run.length))
    .trim();
}
