import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { checkHeader, headerLimits } from '../../core/connections/extraHeaders.ts';
import { askText } from '../ui/askText.ts';
import { pickRow } from '../ui/quickPick.ts';

const example = 'x-team: blue';

/** Extra headers that can be edited: those of a connection, or of one that is about to be added. */
export type HeaderList = {
  /** Names in lower case. */
  read(): Readonly<Record<string, string>>;
  /** See `Connections.setHeader`. */
  set(edited: string | undefined, header?: { name: string; value: string }): Promise<void>;
};

/** The headers of a connection that does not exist yet. */
export function newHeaders(): HeaderList {
  let headers: Readonly<Record<string, string>> = {};
  return {
    read: () => headers,
    set: async (edited, header) => {
      const others = Object.entries(headers).filter(([name]) => name !== edited);
      headers = Object.fromEntries([...others, ...(header ? [[header.name.toLowerCase(), header.value]] : [])]);
    },
  };
}

/**
 * Lists the headers sent besides the key, one row each, with a row to add one.
 *
 * @param holdsKey whether a text contains what looks like a key: settings are plain text.
 */
export async function editHeaders(
  list: HeaderList,
  title: string,
  holdsKey: (text: string) => boolean,
): Promise<'back' | 'done'> {
  for (;;) {
    const headers = list.read();
    const remove = { name: 'remove', iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Remove') } as const;
    const outcome = await pickRow<string, 'remove'>({
      title,
      placeholder: l10n.t('Sent with every request to this gateway. Saved in your settings as plain text.'),
      canGoBack: true,
      rows: [
        ...Object.entries(headers).map(([name, value]) => ({
          value: name,
          label: name,
          description: value,
          buttons: [remove],
        })),
        { value: '', label: l10n.t('Add Header…'), iconPath: new vscode.ThemeIcon('add') },
      ],
    });
    if (outcome.status === 'cancelled' || outcome.status === 'back') {
      return outcome.status === 'back' ? 'back' : 'done';
    }
    const name = outcome.value || undefined;
    if (outcome.status === 'button') {
      await list.set(name);
    } else if ((await askHeader(list, holdsKey, name)) === 'done') {
      return 'done';
    }
  }
}

async function askHeader(
  list: HeaderList,
  holdsKey: (text: string) => boolean,
  edited: string | undefined,
): Promise<'back' | 'done'> {
  const headers = list.read();
  const problemOf = (name: string, value: string) => {
    if (name.toLowerCase() !== edited && Object.hasOwn(headers, name.toLowerCase())) {
      return l10n.t('A header with this name already exists.');
    }
    if (edited === undefined && Object.keys(headers).length >= headerLimits.count) {
      return l10n.t("You can't add more than {0} extra headers.", headerLimits.count);
    }
    return (
      checkHeader(name, value) ??
      (holdsKey(value)
        ? l10n.t('This looks like a key. Keys belong in secret storage, because settings are plain text.')
        : undefined)
    );
  };
  const { status } = await askText({
    title: edited ? l10n.t('Header {0}', edited) : l10n.t('Add Header'),
    canGoBack: true,
    value: edited ? `${edited}: ${headers[edited]}` : '',
    placeholder: example,
    prompt: () => l10n.t("Enter the name, a colon, and the value. Don't enter a key, because settings are plain text."),
    read: (text) => {
      const colon = text.indexOf(':');
      const header = { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
      const reason =
        colon > 0
          ? problemOf(header.name, header.value)
          : l10n.t('Enter the name, a colon, and the value, such as {0}.', example);
      return reason === undefined ? { ok: true, value: header } : { ok: false, reason };
    },
    accept: async (header) => {
      await list.set(edited, header);
      return { done: undefined };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}
