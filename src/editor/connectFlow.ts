import * as vscode from 'vscode';
import { advice } from '../core/gateway/advice.ts';
import { cleanApiKey } from '../core/gateway/apiKey.ts';
import { type BaseUrl, parseBaseUrl } from '../core/gateway/baseUrl.ts';
import { type GatewayProblem, isGatewayError, type ProblemKind } from '../core/gateway/gatewayProblem.ts';
import type { ModelList } from '../core/models/model.ts';

/** Reads the model list with a key that is not kept yet. Free of charge. */
export type CheckKey = (url: BaseUrl, key: string, signal: AbortSignal) => Promise<ModelList>;
/** Keeps a checked key. What it throws is shown, and the key stays in the box. */
export type KeepKey = (url: BaseUrl, key: string) => Promise<void>;

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
]);

/**
 * Address, then key, then a free check; only then anything is kept. Leaving at any step keeps nothing. What was typed
 * stays in the boxes when the check fails.
 */
export async function connectFlow(check: CheckKey, keep: KeepKey, start?: string): Promise<Connected | undefined> {
  let address = start ?? '';
  let typedKey = '';
  let trouble: string | undefined;
  for (;;) {
    const accepted = await askAddress(address, trouble);
    if (accepted === undefined) {
      return undefined;
    }
    address = accepted.text;
    trouble = undefined;
    if (accepted.url.isExposed && !(await confirmExposed(accepted.url))) {
      continue;
    }
    const outcome = await askKey({ url: accepted.url, typed: typedKey, step: 2, totalSteps: 2, check, keep });
    switch (outcome.status) {
      case 'cancelled':
        return undefined;
      case 'connected':
        return outcome;
      case 'back':
        typedKey = outcome.typed;
        trouble = outcome.trouble;
        break;
      default:
        outcome satisfies never;
    }
  }
}

/** The key step alone, for a connection that is there. */
export async function replaceKeyFlow(url: BaseUrl, check: CheckKey, keep: KeepKey): Promise<Connected | undefined> {
  if (url.isExposed && !(await confirmExposed(url))) {
    return undefined;
  }
  const outcome = await askKey({ url, typed: '', check, keep });
  return outcome.status === 'connected' ? outcome : undefined;
}

function askAddress(value: string, trouble: string | undefined): Promise<{ text: string; url: BaseUrl } | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    box.title = title;
    box.step = 1;
    box.totalSteps = 2;
    box.ignoreFocusOut = true;
    box.placeholder = 'https://gateway.example/v1';
    box.value = value;
    const plainPrompt = 'Address of the gateway your key belongs to';
    const show = (text: string) => {
      const parsed = parseBaseUrl(text);
      box.prompt = parsed.ok && text.trim() !== '' ? `Requests go to ${parsed.value.chatUrl}` : plainPrompt;
    };
    show(value);
    box.validationMessage = trouble;
    box.onDidChangeValue((text) => {
      box.validationMessage = undefined;
      show(text);
    });
    box.onDidAccept(() => {
      const parsed = parseBaseUrl(box.value);
      if (parsed.ok) {
        resolve({ text: box.value, url: parsed.value });
        box.dispose();
      } else {
        box.validationMessage = parsed.reason;
      }
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

async function confirmExposed(url: BaseUrl): Promise<boolean> {
  const proceed = 'Send the Key Unencrypted';
  const answer = await vscode.window.showWarningMessage(
    `Anyone on the way to ${new URL(url.base).host} could read the key.`,
    { modal: true, detail: 'The address begins with http://, so key, questions and answers travel in clear text.' },
    proceed,
  );
  return answer === proceed;
}

type KeyOutcome =
  | { readonly status: 'cancelled' }
  | { readonly status: 'back'; readonly typed: string; readonly trouble?: string }
  | ({ readonly status: 'connected' } & Connected);

function askKey(options: {
  url: BaseUrl;
  typed: string;
  step?: number;
  totalSteps?: number;
  check: CheckKey;
  keep: KeepKey;
}): Promise<KeyOutcome> {
  const { url, check, keep } = options;
  const host = new URL(url.base).host;
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    const abort = new AbortController();
    /** The key is right and being kept: from here the outcome is told as it is, and leaving changes nothing. */
    let isKeeping = false;
    const finish = (outcome: KeyOutcome) => {
      resolve(outcome);
      abort.abort();
      box.dispose();
    };
    box.title = options.step === undefined ? `Key for ${host}` : title;
    box.step = options.step;
    box.totalSteps = options.totalSteps;
    box.ignoreFocusOut = true;
    box.password = true;
    box.value = options.typed;
    box.placeholder = 'Paste the key';
    box.prompt = `Checked without cost by ${url.modelsUrl}, then kept in VS Code’s secret storage for ${url.origin} alone.`;
    if (options.step !== undefined) {
      box.buttons = [vscode.QuickInputButtons.Back];
    }
    box.onDidTriggerButton(() => isKeeping || finish({ status: 'back', typed: box.value }));
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      const key = cleanApiKey(box.value);
      if (!key.ok) {
        box.validationMessage = key.reason;
        return;
      }
      // Not disabled meanwhile: a disabled box ignores Escape, and a check can be slow.
      if (box.busy) {
        return;
      }
      box.busy = true;
      try {
        const list = await check(url, key.value, abort.signal);
        abort.signal.throwIfAborted();
        isKeeping = true;
        await keep(url, key.value);
        finish({ status: 'connected', url, models: list.models.length });
      } catch (error) {
        if (abort.signal.aborted) {
          return;
        }
        if (isKeeping) {
          isKeeping = false;
          // The box may have been left meanwhile; it comes back with the key still in it.
          box.show();
        }
        const canGoBack = options.step !== undefined;
        if (isGatewayError(error) && addressKinds.has(error.problem.kind) && canGoBack) {
          finish({ status: 'back', typed: box.value, trouble: inWords(error.problem, host) });
          return;
        }
        box.validationMessage = isGatewayError(error)
          ? inWords(error.problem, host)
          : `The key is right but could not be kept: ${error instanceof Error ? error.message : String(error)}`;
      } finally {
        box.busy = false;
      }
    });
    box.onDidHide(() => isKeeping || finish({ status: 'cancelled' }));
    box.show();
  });
}

/** For one line under a box; the gateway's own words last. */
function inWords(problem: GatewayProblem, host: string): string {
  const { title: what, remedy } = advice(problem, { host });
  return `${what}. ${remedy}${problem.words ? ` (${host}: ${problem.words})` : ''}`;
}
