import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import { type Parsed, parseJson } from '../../core/base/loose.ts';
import { type Connection, connectionLimits } from '../../core/connections/connection.ts';
import { creditUnitText, readConsoleUrl, readCreditUnit } from '../../core/connections/consoleSettings.ts';
import { readExtraHeaders } from '../../core/connections/extraHeaders.ts';
import { askText } from '../ui/askText.ts';
import { isConfirmed } from '../ui/messages.ts';
import { problemText } from './askKey.ts';
import { askAddress, type ConnectDeps, confirmAddress } from './connect.ts';

/** Whether to return to the previous list, or to close everything. */
export type EditOutcome = 'back' | 'done';

/** A property that is one line of text. */
type LineProperty = 'name' | 'note' | 'consoleUrl' | 'creditUnit';

type Line = readonly [title: string, placeholder: string, prompt: string, check: (text: string) => Parsed<unknown>];

/** Edits one line of a connection; an empty line removes the property. */
export async function editLine(
  { connections, holdsKey }: ConnectDeps,
  connection: Connection,
  property: LineProperty,
): Promise<EditOutcome> {
  const { id, name } = connection;
  const { host } = connection.url;
  const shortText = (text: string, maxChars: number): Parsed<unknown> => {
    if (text.length > maxChars) {
      return { ok: false, reason: l10n.t('This can have at most {0} characters.', maxChars) };
    }
    const reason = l10n.t('This looks like a key. Keys belong in secret storage, because settings are plain text.');
    return holdsKey(text) ? { ok: false, reason } : { ok: true, value: text };
  };
  const lines: Readonly<Record<LineProperty, Line>> = {
    name: [
      l10n.t('Rename {0}', name),
      host,
      l10n.t('Shown in the side bar. Leave it empty to use {0}.', host),
      (text) =>
        connections.all.some((each) => each.id !== id && each.name === text)
          ? { ok: false, reason: l10n.t('Another connection already has this name.') }
          : shortText(text, connectionLimits.name),
    ],
    note: [
      l10n.t('Note for {0}', name),
      l10n.t('Group "team-a", renewed every quarter'),
      l10n.t('For your own use, such as the group of the key. Saved in your settings and never sent.'),
      (text) => shortText(text, connectionLimits.note),
    ],
    consoleUrl: [
      l10n.t('Console of {0}', name),
      `https://${host}/console`,
      l10n.t("Enter the address of the gateway's web console. It opens in your browser, and the key isn't sent to it."),
      readConsoleUrl,
    ],
    creditUnit: [
      l10n.t('Unit of Credit of {0}', name),
      '0.5 CNY',
      l10n.t('Enter what one dollar of credit costs at this gateway, such as 0.5 CNY, or USD if it is one US dollar.'),
      readCreditUnit,
    ],
  };
  const [title, placeholder, prompt, check] = lines[property];
  const value = connection[property];
  const { status } = await askText<string, undefined>({
    title,
    canGoBack: true,
    value: typeof value === 'object' ? creditUnitText(value) : (value ?? ''),
    placeholder,
    prompt: () => prompt,
    read: (text) => {
      const line = text.trim();
      const checked = line === '' ? undefined : check(line);
      return checked?.ok === false ? checked : { ok: true, value: line };
    },
    accept: async (text) => {
      await connections.change(connection, { [property]: text || undefined });
      return { done: undefined };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}

/** Edits the headers that are sent besides the key, as JSON in one line. */
export async function editHeaders(
  { connections, holdsKey }: ConnectDeps,
  connection: Connection,
): Promise<EditOutcome> {
  const { status } = await askText({
    title: l10n.t('Extra Headers for {0}', connection.name),
    canGoBack: true,
    value: JSON.stringify(connection.headers),
    placeholder: '{"x-team": "blue"}',
    prompt: () => l10n.t('Sent with every request to this gateway. Saved in your settings as plain text.'),
    read: (text) => {
      const { headers, problems } = readExtraHeaders(text.trim() === '' ? {} : (parseJson(text) ?? ''));
      const [problem] = holdsKey(text)
        ? [l10n.t('This looks like a key. Keys belong in secret storage, because settings are plain text.')]
        : problems;
      return problem === undefined ? { ok: true, value: { ...headers } } : { ok: false, reason: problem };
    },
    accept: async (headers) => {
      await connections.change(connection, { headers: Object.keys(headers).length > 0 ? headers : undefined });
      return { done: undefined };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}

/**
 * *Edit Address*. Within the same origin, the address changes after a free check with the same key. To another origin
 * the key is sent only after a confirmation that names both hosts; without that, the address stays as it was.
 */
export async function editAddress(deps: ConnectDeps, connection: Connection): Promise<EditOutcome> {
  const { connections, check } = deps;
  const { id, name, headers, url: before } = connection;
  const destination = await connections.destinationOf(connection);
  const key = destination.status === 'ready' ? destination.key : undefined;
  const origins = [before.origin, destination.status === 'keyElsewhere' ? destination.origin : before.origin];
  /** The address whose check failed; pressing Enter again stores it unchecked. */
  let failedBase = '';
  const question = { title: l10n.t('Address of {0}', name), value: before.base, canGoBack: true };
  const asked = await askAddress(question, async (url, signal) => {
    if (url.base === before.base) {
      return undefined;
    }
    const isChecked = key !== undefined && origins.includes(url.origin) && url.base !== failedBase;
    const found = isChecked ? await check({ url, key, headers }, signal) : undefined;
    if (found && 'kind' in found) {
      failedBase = url.base;
      return sentences(problemText(found, url.host), l10n.t('Press Enter again to save it anyway.'));
    }
    signal.throwIfAborted();
    await connections.move(connection, url);
    return undefined;
  });
  if (asked.status !== 'done') {
    return asked.status === 'cancelled' ? 'done' : 'back';
  }
  const moved = connections.find(id);
  if (moved && !origins.includes(asked.value.origin) && !(await confirmAddress(deps, moved))) {
    await connections.move(moved, before);
  }
  return 'back';
}

/** *Remove Key*: the connection stays, and asks for a key when it is used. */
export async function removeKey({ connections }: ConnectDeps, connection: Connection): Promise<void> {
  const question = l10n.t('Remove the key of {0} from this computer?', connection.name);
  const detail = l10n.t(
    "The key is deleted from secret storage for all windows. It remains valid at the gateway. To revoke it, delete it in the gateway's console.",
  );
  if (await isConfirmed(question, l10n.t('Remove Key'), detail)) {
    await connections.removeKey(connection);
  }
}

/** *Remove Connection and Key*, after a confirmation that says what is not deleted. */
export async function removeConnection({ connections }: ConnectDeps, connection: Connection): Promise<void> {
  const next = connections.all.find(({ id }) => id !== connection.id);
  const isActive = connections.active?.id === connection.id;
  const detail = sentences(
    l10n.t("Its key and its list of models are deleted. Conversations aren't deleted."),
    next && isActive && l10n.t('New questions will be sent to {0}.', next.name),
  );
  if (await isConfirmed(l10n.t('Remove the connection {0}?', connection.name), l10n.t('Remove'), detail)) {
    await connections.remove(connection);
  }
}
