import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { numberText, sentences } from '../../core/base/localization.ts';
import { textsIn } from '../../core/base/loose.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { contextName } from '../../core/chat/context/contextText.ts';
import { isOfFile } from '../../core/chat/context/prompt.ts';
import type { MaskedSecret } from '../../core/chat/masking/maskedDraft.ts';

/** Says which secrets were found, for instance “.env.local, line 3 looks like a password.”. Never quotes one. */
export function secretsText(secrets: readonly MaskedSecret[]): string {
  const [first] = secrets;
  if (first === undefined) {
    return '';
  }
  return sentences(
    foundText(first, secrets.length),
    hasKey(secrets) && l10n.t('The key of a connection is never sent.'),
  );
}

function foundText(first: MaskedSecret, count: number): string {
  const [place, kind] = [placeText(first), kindText(first)];
  if (count > 1) {
    return l10n.t('{0} places look like secrets. The first: {1}, {2}.', numberText(count), place, kind);
  }
  const { context } = first;
  return context === undefined || isOfFile(context)
    ? l10n.t('{0} looks like {1}.', place, kind)
    : l10n.t('{0} seems to contain {1}.', place, kind);
}

/** Whether the key of a connection is among the secrets, which is never sent as it is. */
export function hasKey(secrets: readonly MaskedSecret[]): boolean {
  return secrets.some(({ kind }) => kind === 'connectionKey');
}

/** The address of the file that all secrets but keys are in; undefined when they are in several places, or not in a file. */
export function onlyFile(secrets: readonly MaskedSecret[]): string | undefined {
  const [uri, ...others] = new Set(secrets.filter(({ kind }) => kind !== 'connectionKey').map((each) => each.uri));
  return others.length === 0 ? uri : undefined;
}

function placeText({ context, line }: MaskedSecret): string {
  if (context === undefined) {
    return l10n.t('Line {0} of your question', numberText(line));
  }
  const name = visibleName(contextName(context));
  // The lines of a folder, a diff or an output are not those of a file.
  return isOfFile(context) ? l10n.t('{0}, line {1}', name, numberText(line)) : name;
}

function kindText({ kind, vendor }: MaskedSecret): string {
  return {
    connectionKey: l10n.t('the key of a connection'),
    privateKey: l10n.t('a private key'),
    key: l10n.t('a key of {0}', vendor),
    token: l10n.t('a key or token'),
    password: l10n.t('a password'),
  }[kind];
}

const name = 'unscannedFiles';

/** See `openUnscannedFiles`. */
export type UnscannedFiles = ReturnType<typeof openUnscannedFiles>;

/**
 * The files of a workspace in which the person wants no secrets to be found, by their addresses.
 *
 * @param memory VS Code's memory of the workspace, which is not a file in it.
 */
export function openUnscannedFiles(memory: vscode.Memento) {
  const uris = () => textsIn(memory.get<unknown>(name));
  return {
    has: (uri: string) => uris().includes(uri),
    add: (uri: string) => memory.update(name, [...new Set([...uris(), uri])]),
  };
}
