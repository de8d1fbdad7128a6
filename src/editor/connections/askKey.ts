import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { messageOf } from '../../core/base/loose.ts';
import type { Target } from '../../core/client/gatewayClient.ts';
import { type BaseUrl, modelsUrlText } from '../../core/connections/baseUrl.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { advice, adviceText, quotedWords } from '../../core/errors/advice.ts';
import { type GatewayProblem, keyProblems, type ProblemKind } from '../../core/errors/gatewayProblem.ts';
import { type ModelList, modelCount } from '../../core/models/list/model.ts';
import { cleanApiKey } from '../../core/secrets/apiKey.ts';
import { askText } from '../ui/askText.ts';
import { showInformationMessage } from '../ui/messages.ts';
import { pickRow, type Row } from '../ui/quickPick.ts';

/** Reads the model list with a key that may not be stored yet, free of charge, or finds why that isn't possible. */
export type CheckKey = (target: Target, signal: AbortSignal) => Promise<ModelList | GatewayProblem>;
/** Stores a key. The message of an error it throws is shown, and the key stays in the box. */
export type KeepKey = (key: string) => Promise<unknown>;

export type KeyOutcome =
  | { readonly status: 'cancelled' | 'done' }
  /** Back to the address step, with the problem that the check found. */
  | { readonly status: 'back'; readonly typed: string; readonly trouble?: string };

/** Problems more likely caused by the address than by the key: the first remedy offered is to change the address. */
const addressKinds: ReadonlySet<ProblemKind> = new Set([
  'wrongAddress',
  'webPage',
  'redirected',
  'unreachable',
  'unreadable',
  'certificate',
  'routeInClear',
]);

/** The step after the box: a remedy for a failed check, or storing the key. */
type NextStep = 'address' | 'key' | 'keep';

/**
 * Asks for a key and checks it without cost before it is stored. After a failed check, the person can also store the key
 * anyway: some gateways have no model list, or need an extra header.
 */
export async function askKey(options: {
  readonly url: BaseUrl;
  readonly title: string;
  /** The extra headers sent with the check. */
  readonly headers?: Connection['headers'];
  readonly typed?: string;
  /** Whether the address was asked for before, as the first of two steps. */
  readonly hasAddressStep?: boolean;
  readonly check: CheckKey;
  readonly keep: KeepKey;
}): Promise<KeyOutcome> {
  const { url, title, headers = {}, check, hasAddressStep = false } = options;
  const { host } = url;
  const models = modelsUrlText(url);
  let typed = options.typed ?? '';
  let trouble: string | undefined;
  /** The key that the gateway rejected last. */
  let rejected: string | undefined;
  for (;;) {
    const asked = await askText<string, { readonly key: string; readonly found: ModelList | GatewayProblem }>({
      title,
      ...(hasAddressStep && { step: 2, totalSteps: 2 }),
      canGoBack: hasAddressStep,
      password: true,
      value: typed,
      trouble,
      placeholder: l10n.t('Paste the key'),
      prompt: () =>
        l10n.t('Verified free of charge against {0}, then stored in secret storage for {1} only.', models, url.origin),
      read: cleanApiKey,
      accept: async (key, signal) => ({ done: { key, found: await check({ url, key, headers }, signal) } }),
    });
    if (asked.status !== 'done') {
      return asked;
    }
    typed = asked.typed;
    const { key, found } = asked.value;
    let next: NextStep | undefined = 'keep';
    if ('kind' in found) {
      // Another key nearly always solves these, so the box asks for one at once, and offers the rest at a second Enter.
      const asksAtOnce = keyProblems.has(found.kind) && typed !== rejected;
      rejected = typed;
      trouble = problemText(found, host, asksAtOnce && l10n.t('Press Enter again for other options.'));
      next = asksAtOnce ? 'key' : await askRemedy(found, host, title, hasAddressStep);
    }
    if (next === undefined) {
      return { status: 'cancelled' };
    }
    if (next === 'address') {
      return { status: 'back', typed, trouble };
    }
    if (next === 'keep') {
      trouble = await keepKey(key, options.keep);
      if (trouble === undefined) {
        showConnected('kind' in found ? undefined : found.models.length);
        return { status: 'done' };
      }
    }
  }
}

/** @returns why the key could not be stored; undefined when it was. */
export async function keepKey(key: string, keep: KeepKey): Promise<string | undefined> {
  try {
    await keep(key);
    return undefined;
  } catch (error) {
    return l10n.t("The key couldn't be stored: {0}", messageOf(error));
  }
}

/** Offers the remedies for a failed check. @returns `key` to return to the box; undefined when the person cancels. */
async function askRemedy(
  problem: GatewayProblem,
  host: string,
  title: string,
  hasAddressStep: boolean,
): Promise<NextStep | undefined> {
  const { title: what, remedy, action } = advice(problem, { host });
  const likely: NextStep = hasAddressStep && addressKinds.has(problem.kind) ? 'address' : 'key';
  const row = (value: NextStep, label: string, icon: string, detail?: string): Row<NextStep> => {
    // A connection that isn't saved yet can't be edited.
    const shown = value === likely && action !== 'editConnection' ? remedy : detail;
    return { value, label, iconPath: new vscode.ThemeIcon(icon), detail: shown };
  };
  const rows = [
    ...(hasAddressStep ? [row('address', l10n.t('Change Address…'), 'link')] : []),
    row('key', l10n.t('Check Again or Change Key…'), 'key'),
  ];
  const { value, isBack } = await pickRow<NextStep>({
    title,
    placeholder: l10n.t('The check failed: {0}', what),
    canGoBack: true,
    rows: [
      // The likely remedy comes first. Storing the key is never first, so a second Enter does not do it by mistake.
      ...rows.filter(({ value }) => value === likely),
      ...rows.filter(({ value }) => value !== likely),
      row(
        'keep',
        l10n.t('Save Without Checking'),
        'save',
        l10n.t('For gateways without a model list, or that require an extra header. You add models and headers later.'),
      ),
    ],
  });
  return isBack ? 'key' : value;
}

/**
 * Notifies that the key was stored.
 *
 * @param models how many models it can use; undefined when the key was not checked.
 */
export function showConnected(models: number | undefined): void {
  if (models) {
    // The models beside it say the same. A notification would cover the Send button of a panel at the lower right.
    vscode.window.setStatusBarMessage(l10n.t('Connected: {0}', modelCount(models)), 5_000);
    return;
  }
  void showInformationMessage(
    models === undefined
      ? l10n.t('Saved without checking. To test the connection, add a model by ID and ask it a question.')
      : l10n.t("Connected, but no models are available for this key. Check its groups in the gateway's console."),
  );
}

/**
 * Describes a problem in one line, for display under a box.
 *
 * @param more a sentence after the remedy; the gateway's own words come last.
 */
export function problemText(problem: GatewayProblem, host: string, more: string | false = false): string {
  return sentences(adviceText(advice(problem, { host })), more, quotedWords(problem, host));
}
