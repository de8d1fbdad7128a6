import * as vscode from 'vscode';
import type { Target } from '../../core/client/gatewayClient.ts';
import type { BaseUrl } from '../../core/connections/baseUrl.ts';
import { advice } from '../../core/errors/advice.ts';
import { GatewayError, type GatewayProblem, type ProblemKind } from '../../core/errors/gatewayProblem.ts';
import { saidBy } from '../../core/errors/saidBy.ts';
import type { ModelList } from '../../core/models/list/model.ts';
import { cleanApiKey } from '../../core/secrets/apiKey.ts';
import { askText, type TextOutcome } from '../ui/askText.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { editHeaders, type HeaderList } from './editHeaders.ts';

/** Reads the model list with a key that may not be kept yet. Free of charge. */
export type CheckKey = (target: Target, signal: AbortSignal) => Promise<ModelList>;
/**
 * Keeps a key. What it throws is shown, and the key stays in the box.
 *
 * @param isChecked false when the person keeps it although its check failed.
 */
export type KeepKey = (url: BaseUrl, key: string, isChecked: boolean) => Promise<unknown>;

/** What is connected; how many models the key can use is not known when it was kept without a check. */
export type Connected = { readonly url: BaseUrl; readonly models: number | undefined };

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

/** Nearly always another key helps: it is asked for at once, and everything else is a button away. */
const keyKinds: ReadonlySet<ProblemKind> = new Set(['keyRejected', 'keyExpired', 'keyExhausted', 'keyDisabled']);

const headersButton = {
  name: 'headers',
  iconPath: new vscode.ThemeIcon('list-flat'),
  tooltip: 'Extra Headers…',
} as const;
const optionsButton = {
  name: 'options',
  iconPath: new vscode.ThemeIcon('ellipsis'),
  tooltip: 'More Options…',
} as const;

/** What a person does about a check that failed. */
type Remedy = 'address' | 'key' | 'headers' | 'keep';

/**
 * The key step: the key is checked without cost before it is kept. When the check fails, the person may also add a header
 * or keep the key all the same, because some gateways have no list, or another service in front of it.
 */
export async function askKey(options: {
  readonly url: BaseUrl;
  readonly title?: string;
  /** The extra headers that the check is made with; they can be changed here. */
  readonly headers: HeaderList;
  readonly holdsKey: (text: string) => boolean;
  readonly typed?: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly check: CheckKey;
  readonly keep: KeepKey;
}): Promise<TextOutcome<Connected>> {
  const { url, headers, keep } = options;
  const host = new URL(url.base).host;
  const title = options.title ?? `Key for ${host}`;
  let typed = options.typed ?? '';
  let trouble: string | undefined;
  let problem: GatewayProblem | undefined;
  for (;;) {
    const asked = await askOnce({ ...options, title, typed, trouble, canHelp: problem !== undefined });
    if (asked.status === 'cancelled' || asked.status === 'back') {
      return asked;
    }
    typed = asked.typed;
    let remedy: Remedy | undefined = 'headers';
    if (asked.status === 'done') {
      if (!('problem' in asked.value)) {
        return { ...asked, value: asked.value };
      }
      problem = asked.value.problem;
      if (keyKinds.has(problem.kind)) {
        trouble = inWords(problem, host, ' If the gateway wants more than a key, use the buttons above.');
        continue;
      }
      trouble = inWords(problem, host);
    }
    if (problem && (asked.status === 'done' || asked.name === 'options')) {
      remedy = await askRemedy(problem, host, title, options.step !== undefined);
    }
    switch (remedy) {
      case 'address':
        return { status: 'back', typed, ...(trouble !== undefined && { trouble }) };
      case 'headers':
        await editHeaders(headers, `Extra Headers for ${host}`, options.holdsKey);
        trouble = undefined;
        break;
      case 'keep': {
        const key = cleanApiKey(typed);
        if (!key.ok) {
          trouble = key.reason;
          break;
        }
        try {
          await keep(url, key.value, false);
          return { status: 'done', typed, value: { url, models: undefined } };
        } catch (error) {
          trouble = `The key could not be kept: ${reasonOf(error)}`;
        }
        break;
      }
      case 'key':
        break;
      case undefined:
        return { status: 'cancelled' };
      default:
        remedy satisfies never;
    }
  }
}

/** The box for the key, once. */
function askOnce({
  url,
  headers,
  check,
  keep,
  step,
  totalSteps,
  title,
  typed,
  trouble,
  canHelp,
}: Parameters<typeof askKey>[0] & {
  readonly title: string;
  readonly typed: string;
  readonly trouble: string | undefined;
  /** Whether a check has failed, so that there is more to do than to type. */
  readonly canHelp: boolean;
}) {
  return askText<Connected | { readonly problem: GatewayProblem }, 'headers' | 'options'>({
    title,
    ...(step !== undefined && { step }),
    ...(totalSteps !== undefined && { totalSteps }),
    canGoBack: step !== undefined,
    buttons: canHelp ? [headersButton, optionsButton] : [headersButton],
    password: true,
    value: typed,
    trouble,
    placeholder: 'Paste the key',
    prompt: () => {
      const count = Object.keys(headers.read()).length;
      const more = count === 0 ? '' : ` with ${count === 1 ? 'one extra header' : `${count} extra headers`}`;
      return `Checked without cost by ${url.modelsUrl}${more}, then kept in VS Code’s secret storage for ${url.origin} alone.`;
    },
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
        const list = await check({ url, key: key.value, headers: headers.read() }, signal);
        models = list.models.length;
      } catch (error) {
        if (!(error instanceof GatewayError)) {
          throw error;
        }
        return { done: { problem: error.problem } };
      }
      signal.throwIfAborted();
      keeping();
      try {
        await keep(url, key.value, true);
      } catch (error) {
        return { problem: `The key is right but could not be kept: ${reasonOf(error)}` };
      }
      return { done: { url, models } };
    },
  });
}

/** @returns `key` when the person goes back to the box; undefined when they left. */
async function askRemedy(
  problem: GatewayProblem,
  host: string,
  title: string,
  hasAddress: boolean,
): Promise<Remedy | undefined> {
  const { title: what, remedy, action } = advice(problem, { host });
  const isAddress = addressKinds.has(problem.kind);
  const isHeader = action === 'editConnection';
  const address: Row<Remedy, never> = {
    value: 'address',
    label: 'Change the Address…',
    iconPath: new vscode.ThemeIcon('link'),
    ...(isAddress && { detail: remedy }),
  };
  const key: Row<Remedy, never> = {
    value: 'key',
    label: 'Check Again or Change the Key…',
    iconPath: new vscode.ThemeIcon('key'),
    ...(!(isAddress && hasAddress) && !isHeader && { detail: remedy }),
  };
  const headers: Row<Remedy, never> = {
    value: 'headers',
    label: 'Extra Headers…',
    iconPath: new vscode.ThemeIcon('list-flat'),
    detail: isHeader ? remedy : 'For a gateway that wants a header besides the key. The check sends it too.',
  };
  const outcome = await pickRow<Remedy>({
    title,
    placeholder: `The check failed: ${what}`,
    canGoBack: true,
    rows: [
      // The likely one first. Keeping is never the one that a further Enter means.
      ...(isHeader ? [headers] : []),
      ...(hasAddress ? (isAddress ? [address, key] : [key, address]) : [key]),
      ...(isHeader ? [] : [headers]),
      {
        value: 'keep',
        label: 'Keep Without Checking',
        iconPath: new vscode.ThemeIcon('save'),
        detail: 'For a gateway without a model list, whose models you add by ID.',
      },
    ],
  });
  return outcome.status === 'picked' ? outcome.value : outcome.status === 'back' ? 'key' : undefined;
}

/** For one line under a box; `more` follows the remedy, and the gateway's own words come last. */
export function inWords(problem: GatewayProblem, host: string, more = ''): string {
  const { title: what, remedy } = advice(problem, { host });
  return `${what}. ${remedy}${more}${saidBy(problem, host)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
