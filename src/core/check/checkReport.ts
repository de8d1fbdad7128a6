import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../base/localization.ts';
import { redact } from '../secrets/redact.ts';
import type { CheckStep, ConnectionCheck } from './checkConnection.ts';

/** Facts that a report contains besides the check. */
export type ReportFacts = {
  readonly extensionVersion: string;
  readonly vscodeVersion: string;
  /** For instance `Linux 6.1 x64`. */
  readonly os: string;
  /** The status of the connection's `Destination`, which says why there is no key. */
  readonly keyStatus?: string;
};

const width = 12;
/** A home folder. Its name may contain blanks only if another folder follows. */
const homes =
  /(?:(?<![\w.\]])\/(?:home|Users)\/|\b[a-z]:[\\/]+Users[\\/]+)(?:[^\s\\/:"'“”]{1,255}(?: [^\s\\/:"'“”]{1,255}){0,20}(?=[\\/])|[^\s\\/:"'“”]{1,255})/gi;

/**
 * Formats a check as Markdown for a support request. The same check gives the same text. All text from outside is in
 * one code block and can't end it. Contains no secrets: no key, no user name or password of an address, no header
 * value, no name of a home folder.
 */
export function checkReport(check: ConnectionCheck, facts: ReportFacts): string {
  const { connection, hasKey, startedAt, steps } = check;
  const headers = connection.headers.map(({ name, chars }) =>
    plural(chars, l10n.t('{0} (1 character)', name), l10n.t('{0} ({1} characters)', name, numberText(chars))),
  );
  const none = l10n.t('None');
  const noKey = facts.keyStatus === undefined || facts.keyStatus === 'ready' ? none : `${none} (${facts.keyStatus})`;
  const lines = [
    line(
      l10n.t({ message: 'Checked', comment: ['A label before a date and time'] }),
      new Date(startedAt).toISOString(),
    ),
    line('Ask Model', facts.extensionVersion),
    line('VS Code', facts.vscodeVersion),
    line(l10n.t('System'), facts.os),
    line(l10n.t('Connection'), `${connection.name}, ${connection.base}`),
    line(l10n.t('Headers'), headers.join(', ') || none),
    line(l10n.t('Key'), hasKey ? l10n.t({ message: 'Stored', comment: ['Said of a key'] }) : noKey),
    '',
    ...steps.flatMap(stepLines),
  ];
  const fence = '`'.repeat(3);
  return [`# ${l10n.t('Ask Model: Connection Check')}`, '', `${fence}text`, ...lines, fence, ''].join('\n');
}

function stepLines({ name, status, detail, remedy, ms }: CheckStep): string[] {
  const timed = ms === undefined ? name : l10n.t('{0} ({1} ms)', name, numberText(Math.round(ms)));
  return [
    line(statusText(status), timed),
    line('', detail),
    ...(remedy === undefined ? [] : [line('', `→ ${remedy}`)]),
  ];
}

function statusText(status: CheckStep['status']): string {
  switch (status) {
    case 'ok':
      return l10n.t('OK');
    case 'warning':
      return l10n.t('Warning');
    case 'failed':
      return l10n.t('Failed');
    case 'skipped':
      return l10n.t('Skipped');
    default:
      return status satisfies never;
  }
}

function line(label: string, text: string): string {
  // A Chinese character is as wide as two others.
  const wide = label.match(/\p{Script=Han}/gu)?.length ?? 0;
  return `${label.padEnd(width - wide)}${inert(text)}`.trimEnd();
}

/** Converts text to one line that can't end the fenced block, without secrets and personal names. */
export function inert(text: string): string {
  return redact(text)
    .replace(/(:\/\/)[^\s/@]*@/g, '$1[user]@')
    .replace(homes, '~')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/`{3,}/g, (run) => 'ʼ'.repeat(run.length))
    .trim();
}
