import * as vscode from 'vscode';
import { checkHeader, headerLimits } from '../../core/connections/extraHeaders.ts';
import { askText } from '../ui/askText.ts';
import { pickRow } from '../ui/pickRow.ts';

/** Extra headers that a person may change: those of a connection, or of one that is about to be made. */
export type HeaderList = {
  /** Names in lower case. */
  read(): Readonly<Record<string, string>>;
  /** See `Connections.setHeader`. */
  set(edited: string | undefined, header?: { name: string; value: string }): Promise<void>;
};

/** Headers of a connection that is not there yet. */
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
 * Headers that are sent besides the key; one row each, and one to add.
 *
 * @param holdsKey whether a text holds what looks like a key: settings are plain text.
 */
export async function editHeaders(
  list: HeaderList,
  title: string,
  holdsKey: (text: string) => boolean,
): Promise<'back' | 'done'> {
  for (;;) {
    const headers = list.read();
    const remove = { name: 'remove', iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Remove' } as const;
    const outcome = await pickRow<string, 'remove'>({
      title,
      placeholder: 'Sent with every request to this gateway. Kept in the settings, in plain text.',
      canGoBack: true,
      rows: [
        ...Object.entries(headers).map(([name, value]) => ({
          value: name,
          label: name,
          description: value,
          buttons: [remove],
        })),
        { value: '', label: 'Add a Header…', iconPath: new vscode.ThemeIcon('add') },
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
  const read = (text: string) => {
    const colon = text.indexOf(':');
    return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim(), hasColon: colon > 0 };
  };
  const problemOf = (text: string) => {
    const { name, value, hasColon } = read(text);
    if (!hasColon) {
      return 'Write the name, a colon and the value, such as x-team: blue.';
    }
    if (name.toLowerCase() !== edited && Object.hasOwn(headers, name.toLowerCase())) {
      return 'There is a header of this name already.';
    }
    if (edited === undefined && Object.keys(headers).length >= headerLimits.count) {
      return `There are ${headerLimits.count} extra headers already, and no more are sent.`;
    }
    return (
      checkHeader(name, value) ??
      (holdsKey(value) ? 'A key belongs in the secret storage; settings are plain text.' : undefined)
    );
  };
  const { status } = await askText({
    title: edited ? `Header ${edited}` : 'Add a Header',
    canGoBack: true,
    value: edited ? `${edited}: ${headers[edited]}` : '',
    placeholder: 'x-team: blue',
    prompt: () => 'Name, colon, value. Never a key: settings are plain text.',
    validate: problemOf,
    accept: async (text) => {
      const problem = problemOf(text);
      if (problem) {
        return { problem };
      }
      const { name, value } = read(text);
      await list.set(edited, { name, value });
      return { done: name };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}
