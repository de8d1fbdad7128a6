import * as vscode from 'vscode';
import { type BaseUrl, parseBaseUrl } from '../../core/connections/baseUrl.ts';
import type { ClearRoutes } from '../../core/connections/clearRoutes.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { askText, type TextOutcome } from '../ui/askText.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { pickRow } from '../ui/pickRow.ts';
import { askKey, type CheckKey, type Connected } from './askKey.ts';
import { type HeaderList, newHeaders } from './editHeaders.ts';

const title = 'Connect to a Gateway';

/** The routes on which others can read a key; see `ClearRoutes`. */
export type AskedRoutes = Pick<ClearRoutes, 'routeTo' | 'accept'>;

/**
 * Address, then key, then a free check; only then anything is kept, unless the person wants it kept without one. Leaving at any step keeps nothing. What was typed
 * stays in the boxes when the check fails. An address that is known already leads to the choice between another key for
 * that connection and a second connection: two keys can see different models.
 */
export async function connectFlow(deps: {
  readonly check: CheckKey;
  readonly routes: AskedRoutes;
  readonly known: readonly Connection[];
  readonly holdsKey: (text: string) => boolean;
  readonly add: (
    url: BaseUrl,
    key: string,
    isChecked: boolean,
    headers: Readonly<Record<string, string>>,
  ) => Promise<unknown>;
  readonly replaceKey: (connection: Connection, key: string, isChecked: boolean) => Promise<unknown>;
  readonly headersOf: (connection: Connection) => HeaderList;
}): Promise<Connected | undefined> {
  let address = '';
  let typedKey = '';
  let trouble: string | undefined;
  /** Of a connection that is not there yet; they are for the gateway they were typed for. */
  let added: { readonly origin: string; readonly headers: HeaderList } | undefined;
  for (;;) {
    const typed = await askAddress({ title, step: 1, totalSteps: 2, value: address, trouble });
    if (typed.status !== 'done') {
      return undefined;
    }
    address = typed.typed;
    trouble = undefined;
    const url = typed.value;
    if (!(await confirmRoute(deps.routes, url))) {
      continue;
    }
    const known = deps.known.find((each) => each.url.base === url.base);
    const choice = known ? await askWhichConnection(known) : 'add';
    if (choice === undefined) {
      return undefined;
    }
    if (choice === 'back') {
      continue;
    }
    const replaced = choice === 'replace' ? known : undefined;
    if (added?.origin !== url.origin) {
      added = { origin: url.origin, headers: newHeaders() };
    }
    const headers = replaced ? deps.headersOf(replaced) : added.headers;
    const outcome = await askKey({
      url,
      title,
      headers,
      holdsKey: deps.holdsKey,
      typed: typedKey,
      step: 2,
      totalSteps: 2,
      check: deps.check,
      keep: (to, key, isChecked) =>
        replaced ? deps.replaceKey(replaced, key, isChecked) : deps.add(to, key, isChecked, headers.read()),
    });
    switch (outcome.status) {
      case 'cancelled':
        return undefined;
      case 'done':
        return outcome.value;
      case 'back':
        typedKey = outcome.typed;
        trouble = outcome.trouble;
        break;
      default:
        outcome satisfies never;
    }
  }
}

async function askWhichConnection({ name }: Connection): Promise<'replace' | 'add' | 'back' | undefined> {
  const outcome = await pickRow<'replace' | 'add'>({
    title,
    placeholder: `${name} has this address already`,
    canGoBack: true,
    rows: [
      {
        value: 'replace',
        label: `Another Key for ${name}`,
        iconPath: new vscode.ThemeIcon('key'),
        detail: 'It takes the place of the key that is kept now.',
      },
      {
        value: 'add',
        label: 'A Second Connection',
        iconPath: new vscode.ThemeIcon('add'),
        detail: 'With a key of its own, which may see other models.',
      },
    ],
  });
  return outcome.status === 'picked' ? outcome.value : outcome.status === 'back' ? 'back' : undefined;
}

/** The address step: says where requests will go while one types. */
export function askAddress(options: {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly value: string;
  readonly trouble?: string | undefined;
  readonly canGoBack?: boolean;
  /** At Enter, for an address that can be read; by default it is taken. */
  readonly accept?: (url: BaseUrl, signal: AbortSignal) => Promise<{ done: BaseUrl } | { problem: string }>;
}): Promise<TextOutcome<BaseUrl>> {
  /** An address that looks like another one is taken at the second Enter, when its warning has been seen. */
  let warned = '';
  return askText<BaseUrl>({
    ...options,
    placeholder: 'https://gateway.example/v1',
    prompt: (text) => {
      const parsed = parseBaseUrl(text);
      if (!parsed.ok || text.trim() === '') {
        return 'Address of the gateway your key belongs to';
      }
      const { chatUrl, modelsUrl, asciiHost, unicodeHost } = parsed.value;
      const spelled = asciiHost === unicodeHost ? '' : `, which is ${unicodeHost}`;
      return `Requests go to ${chatUrl} and ${modelsUrl}${spelled}`;
    },
    validate: (text) => {
      const parsed = parseBaseUrl(text);
      if (!parsed.ok) {
        return parsed.reason;
      }
      const { warning } = parsed.value;
      return warning ? { message: warning, severity: vscode.InputBoxValidationSeverity.Warning } : undefined;
    },
    accept: async (text, signal) => {
      const parsed = parseBaseUrl(text);
      if (!parsed.ok) {
        return { problem: parsed.reason };
      }
      const { warning } = parsed.value;
      if (warning && warned !== text) {
        warned = text;
        const severity = vscode.InputBoxValidationSeverity.Warning;
        return { problem: { message: `${warning} Press Enter again to go there all the same.`, severity } };
      }
      return options.accept ? options.accept(parsed.value, signal) : { done: parsed.value };
    },
  });
}

/** Asks whether a key may go where others can read it. @returns true also when no one else can read it. */
export async function confirmRoute(routes: AskedRoutes, url: BaseUrl): Promise<boolean> {
  const route = routes.routeTo(url.modelsUrl);
  if (route === undefined) {
    return true;
  }
  const { host } = new URL(url.base);
  // The first one answers to Enter, which VS Code's own Cancel never does: one too many must not send a key in clear.
  const refuse = 'Don’t Send';
  const proceed = 'Send the Key Unencrypted';
  const answer = await showWarningMessage(
    route.proxy
      ? `The proxy ${route.proxy} on the way to ${host} could read the key.`
      : `Anyone on the way to ${host} could read the key.`,
    {
      modal: true,
      detail:
        'The address begins with http://, so key, questions and answers travel in clear text. A proxy on the way reads them too. You are asked again when requests take another route.',
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
