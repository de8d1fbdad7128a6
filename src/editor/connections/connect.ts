import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { type BaseUrl, modelsUrlText, parseBaseUrl } from '../../core/connections/baseUrl.ts';
import type { ClearRoutes } from '../../core/connections/clearRoutes.ts';
import { type Connection, whoCouldRead, whyNotReady } from '../../core/connections/connection.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { askText, type TextOutcome, type TextQuestion } from '../ui/askText.ts';
import { showErrorMessage, showWarningMessage, withCancellableProgress } from '../ui/messages.ts';
import { pickRow } from '../ui/quickPick.ts';
import { askKey, type CheckKey, type KeepKey, keepKey, problemText, showConnected } from './askKey.ts';

export type ConnectDeps = {
  readonly connections: Connections;
  readonly check: CheckKey;
  /** Whether a text contains a key known to this window, or what looks like a key. Settings are plain text. */
  readonly holdsKey: (text: string) => boolean;
  readonly routes: RouteConsent;
};

/**
 * *Connect to a Gateway*: asks for the address, then for the key, and checks the key without cost. Nothing is stored
 * before the check succeeds or the person chooses to skip it; nothing is stored when the person cancels. After a failed
 * check the boxes keep their text. For an address that already has a connection, the person chooses between another key
 * for that connection and a second connection, because two keys can have different models.
 *
 * @returns whether a connection was added or changed.
 */
export async function connect(deps: ConnectDeps): Promise<boolean> {
  const { connections, check } = deps;
  const title = l10n.t('Connect to a Gateway');
  let address = '';
  let typed = '';
  let trouble: string | undefined;
  for (;;) {
    const asked = await askAddress({ title, step: 1, totalSteps: 2, value: address, trouble });
    if (asked.status !== 'done') {
      return false;
    }
    address = asked.typed;
    trouble = undefined;
    const url = asked.value;
    if (!(await confirmRoute(deps.routes, url))) {
      continue;
    }
    const known = connections.all.find((each) => each.url.base === url.base);
    const choice = known ? await askWhichConnection(known, title) : 'add';
    if (choice === undefined) {
      return false;
    }
    if (choice === 'back') {
      continue;
    }
    const replaced = choice === 'replace' ? known : undefined;
    const keep: KeepKey = async (key) => {
      if (replaced) {
        await connections.replaceKey(replaced, key);
        await connections.use(replaced);
      } else {
        await connections.add(url, key);
      }
    };
    const outcome = await askKey({ url, title, headers: replaced?.headers, typed, hasAddressStep: true, check, keep });
    if (outcome.status !== 'back') {
      return outcome.status === 'done';
    }
    typed = outcome.typed;
    trouble = outcome.trouble;
  }
}

async function askWhichConnection(
  { name }: Connection,
  title: string,
): Promise<'replace' | 'add' | 'back' | undefined> {
  const { value, isBack } = await pickRow<'replace' | 'add'>({
    title,
    placeholder: l10n.t('{0} already uses this address', name),
    canGoBack: true,
    rows: [
      {
        value: 'replace',
        label: l10n.t('Replace the Key of {0}…', name),
        iconPath: new vscode.ThemeIcon('key'),
        detail: l10n.t('Replaces the key that is stored now.'),
      },
      {
        value: 'add',
        label: l10n.t('Add Another Connection…'),
        iconPath: new vscode.ThemeIcon('add'),
        detail: l10n.t('With its own key, which may have access to other models.'),
      },
    ],
  });
  return isBack ? 'back' : value;
}

/** *Replace Key*. @returns whether another key was stored. */
export async function replaceKey(deps: ConnectDeps, connection: Connection): Promise<boolean> {
  const { connections, routes } = deps;
  const { url, name } = connection;
  if (!(await confirmRoute(routes, url))) {
    return false;
  }
  const { status } = await askKey({
    url,
    headers: connection.headers,
    check: deps.check,
    title: l10n.t('Key for {0}', name),
    keep: (key) => connections.replaceKey(connection, key),
  });
  return status === 'done';
}

/**
 * Asks before a key is sent to an origin other than the one it was given for, or over a route on which others can read
 * it.
 *
 * @returns whether a key can be sent now.
 */
export async function confirmAddress(deps: ConnectDeps, connection: Connection): Promise<boolean> {
  const { connections } = deps;
  const { url, name } = connection;
  if ((await connections.destinationOf(connection)).status === 'keyInClear') {
    return confirmRoute(deps.routes, url);
  }
  const given = await connections.keyGivenElsewhere(connection);
  if (given === undefined || given.origin === url.origin) {
    return given !== undefined || replaceKey(deps, connection);
  }
  const answer = await confirmOrigin(given.origin, url);
  if (answer !== 'send') {
    return answer === 'another' && replaceKey(deps, connection);
  }
  if (!(await confirmRoute(deps.routes, url))) {
    return false;
  }
  const target = { url, key: given.key, headers: connection.headers };
  const list = await withCancellableProgress(l10n.t('Checking {0}…', name), (signal) => deps.check(target, signal));
  if (list === undefined) {
    return false;
  }
  const trouble =
    'kind' in list
      ? problemText(list, connection.url.host)
      : await keepKey(given.key, (key) => connections.replaceKey(connection, key));
  if (trouble !== undefined) {
    const enter = l10n.t('Enter Another Key…');
    return (await showErrorMessage(trouble, enter)) === enter && replaceKey(deps, connection);
  }
  showConnected('kind' in list ? undefined : list.models.length);
  return true;
}

/** Opens the missing step when a question can't be sent yet. @returns whether one can be sent now. */
export async function ensureConnected(deps: ConnectDeps): Promise<boolean> {
  const destination = await deps.connections.findDestination();
  switch (destination.status) {
    case 'ready':
      return true;
    case 'disconnected':
      return connect(deps);
    case 'keyUnreadable':
      void showErrorMessage(whyNotReady(destination));
      return false;
    case 'keyMissing':
      return replaceKey(deps, destination.connection);
    case 'keyElsewhere':
    case 'keyInClear':
      return confirmAddress(deps, destination.connection);
  }
}

/** Finds and accepts routes on which others can read a key; see `ClearRoutes`. */
type RouteConsent = Pick<ClearRoutes, 'routeTo' | 'accept'>;

/** Asks whether a key may be sent where others can read it. @returns true also when no one else can read it. */
async function confirmRoute(routes: RouteConsent, url: BaseUrl): Promise<boolean> {
  const route = routes.routeTo(url.modelsUrl);
  if (route === undefined) {
    return true;
  }
  // Enter presses the first button, but never VS Code's own Cancel. So the first button refuses: an accidental Enter
  // must not send a key unencrypted.
  const refuse = l10n.t("Don't Send");
  const proceed = l10n.t('Send Key Unencrypted');
  const answer = await showWarningMessage(
    whoCouldRead(route, url.host),
    {
      modal: true,
      detail: l10n.t(
        "The address starts with http://, so the key, questions, and answers are sent unencrypted. Proxies on the route can read them too. You'll be asked again if the route changes.",
      ),
    },
    refuse,
    proceed,
  );
  if (answer !== proceed) {
    return false;
  }
  await routes.accept(url.modelsUrl, route);
  return true;
}

/**
 * Asks whether a key may be sent to an origin other than the one it was given for; the dialog names both addresses.
 *
 * @returns `send` to send the same key, `another` to enter another one, or undefined when the person cancels.
 */
async function confirmOrigin(from: string, { origin: to, warning }: BaseUrl): Promise<'send' | 'another' | undefined> {
  const send = l10n.t('Send Key to {0}', to);
  const another = l10n.t('Enter Another Key…');
  const detail = l10n.t(
    'The operator of the new address could use the key and read your questions. Nothing has been sent there yet.',
  );
  const answer = await showWarningMessage(
    l10n.t('Send the key to {0}? It was entered for {1}.', to, from),
    { modal: true, detail: warning ? `${detail}\n\n${warning}` : detail },
    // Sending is not the first button: an accidental Enter must not send a key.
    another,
    send,
  );
  return answer === send ? 'send' : answer === another ? 'another' : undefined;
}

/** Asks for the address of the gateway. The prompt shows where requests will go as the person types. */
export function askAddress(
  question: Pick<TextQuestion<BaseUrl, BaseUrl>, 'title' | 'step' | 'totalSteps' | 'value' | 'trouble' | 'canGoBack'>,
  /** Called when a valid address is entered. @returns the problem with it; undefined accepts the address. */
  check?: (url: BaseUrl, signal: AbortSignal) => Promise<string | undefined>,
): Promise<TextOutcome<BaseUrl>> {
  return askText<BaseUrl, BaseUrl>({
    ...question,
    placeholder: 'https://gateway.example/v1',
    prompt: (text) => {
      const parsed = parseBaseUrl(text);
      return parsed.ok
        ? l10n.t('Sends requests to {0} and {1}', parsed.value.chatUrl, modelsUrlText(parsed.value))
        : l10n.t('Enter the address of the gateway your key belongs to');
    },
    read: parseBaseUrl,
    accept: async (url, signal, isAgain) => {
      if (url.warning && !isAgain) {
        return { problem: sentences(url.warning, l10n.t('Press Enter again to use this address anyway.')) };
      }
      const problem = await check?.(url, signal);
      return problem === undefined ? { done: url } : { problem };
    },
  });
}
