import * as vscode from 'vscode';
import { advice } from '../core/gateway/advice.ts';
import { cleanApiKey } from '../core/gateway/apiKey.ts';
import { type BaseUrl, parseBaseUrl } from '../core/gateway/baseUrl.ts';
import type { ClearRoutes } from '../core/gateway/clearRoutes.ts';
import type { Connection } from '../core/gateway/connection.ts';
import type { Target } from '../core/gateway/gatewayClient.ts';
import { type GatewayProblem, isGatewayError, type ProblemKind } from '../core/gateway/gatewayProblem.ts';
import { saidBy } from '../core/gateway/saidBy.ts';
import type { ModelList } from '../core/models/model.ts';
import { askText, type TextOutcome } from './askText.ts';
import { pickRow } from './pickRow.ts';
import { showWarningMessage } from './ui/messages.ts';

/** Reads the model list with a key that may not be kept yet. Free of charge. */
export type CheckKey = (target: Target, signal: AbortSignal) => Promise<ModelList>;
/** Keeps a checked key. What it throws is shown, and the key stays in the box. */
export type KeepKey = (url: BaseUrl, key: string) => Promise<unknown>;

export type Connected = { readonly url: BaseUrl; readonly models: number };

const title = 'Connect to a Gateway';

/** Problems that the address explains better than the key: the person is taken back to it. */
const addressKinds: ReadonlySet<ProblemKind> = new Set([
  'wrongAddress',
  'webPage',
  'redirected',
  'unreachable',
  'unreadable',
  'certificate',
  'routeInClear',
]);

/** The routes on which others can read a key; see `ClearRoutes`. */
export type AskedRoutes = Pick<ClearRoutes, 'routeTo' | 'accept'>;

/**
 * Address, then key, then a free check; only then anything is kept. Leaving at any step keeps nothing. What was typed
 * stays in the boxes when the check fails. An address that is known already leads to the choice between another key for
 * that connection and a second connection: two keys can see different models.
 */
export async function connectFlow(deps: {
  readonly check: CheckKey;
  readonly routes: AskedRoutes;
  readonly known: readonly Connection[];
  readonly add: KeepKey;
  readonly replaceKey: (connection: Connection, key: string) => Promise<unknown>;
}): Promise<Connected | undefined> {
  let address = '';
  let typedKey = '';
  let trouble: string | undefined;
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
    const outcome = await askKey({
      url,
      title,
      headers: replaced?.headers,
      typed: typedKey,
      step: 2,
      totalSteps: 2,
      check: deps.check,
      keep: (to, key) => (replaced ? deps.replaceKey(replaced, key) : deps.add(to, key)),
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

/** Asks whether a key may go where others can read it. @returns true also when nobody can. */
export async function confirmRoute(routes: AskedRoutes, url: BaseUrl): Promise<boolean> {
  const route = routes.routeTo(url.modelsUrl);
  if (route === undefined) {
    return true;
  }
  const { host } = new URL(url.base);
  // The first one answers to Enter: one too many must not send a key in clear.
  const cancel = { title: 'Cancel', isCloseAffordance: true };
  const proceed = { title: 'Send the Key Unencrypted' };
  const answer = await showWarningMessage(
    route.proxy
      ? `The proxy ${route.proxy} on the way to ${host} could read the key.`
      : `Anyone on the way to ${host} could read the key.`,
    {
      modal: true,
      detail:
        'The address begins with http://, so key, questions and answers travel in clear text. A proxy on the way reads them too. You are asked again when requests take another route.',
    },
    cancel,
    proceed,
  );
  if (answer !== proceed) {
    return false;
  }
  await routes.accept(url.modelsUrl, route);
  return true;
}

/** The key step: the key is checked without cost before it is kept. */
export function askKey(options: {
  readonly url: BaseUrl;
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly typed?: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly check: CheckKey;
  readonly keep: KeepKey;
}): Promise<TextOutcome<Connected>> {
  const { url, headers, check, keep, step, totalSteps } = options;
  const host = new URL(url.base).host;
  const canGoBack = step !== undefined;
  return askText<Connected>({
    title: options.title ?? `Key for ${host}`,
    ...(step !== undefined && { step }),
    ...(totalSteps !== undefined && { totalSteps }),
    canGoBack,
    password: true,
    value: options.typed ?? '',
    placeholder: 'Paste the key',
    prompt: () =>
      `Checked without cost by ${url.modelsUrl}, then kept in VS Code’s secret storage for ${url.origin} alone.`,
    validate: (text) => {
      const key = cleanApiKey(text);
      return key.ok ? undefined : key.reason;
    },
    accept: async (text, signal, keeping) => {
      const key = cleanApiKey(text);
      if (!key.ok) {
        return { problem: key.reason };
      }
      let models: number;
      try {
        const list = await check({ url, key: key.value, ...(headers && { headers }) }, signal);
        models = list.models.length;
      } catch (error) {
        if (!isGatewayError(error)) {
          throw error;
        }
        const said = inWords(error.problem, host);
        return canGoBack && addressKinds.has(error.problem.kind) ? { back: said } : { problem: said };
      }
      signal.throwIfAborted();
      keeping();
      try {
        await keep(url, key.value);
      } catch (error) {
        return { problem: `The key is right but could not be kept: ${reasonOf(error)}` };
      }
      return { done: { url, models } };
    },
  });
}

/** For one line under a box; the gateway's own words last. */
export function inWords(problem: GatewayProblem, host: string): string {
  const { title: what, remedy } = advice(problem, { host });
  return `${what}. ${remedy}${saidBy(problem, host)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
