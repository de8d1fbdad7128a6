import * as l10n from '@vscode/l10n';
import { sentences } from '../../core/base/localization.ts';
import { type BaseUrl, modelsUrlText, parseBaseUrl } from '../../core/connections/baseUrl.ts';
import { askText, type TextOutcome } from '../ui/askText.ts';

/** Asks for the address of the gateway. The prompt shows where requests will go as the person types. */
export function askAddress(options: {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly value: string;
  readonly trouble?: string;
  readonly canGoBack?: boolean;
  /** Called when a valid address is entered. @returns the problem with it; undefined accepts the address. */
  readonly check?: (url: BaseUrl, signal: AbortSignal) => Promise<string | undefined>;
}): Promise<TextOutcome<BaseUrl>> {
  return askText<BaseUrl, BaseUrl>({
    ...options,
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
      const problem = await options.check?.(url, signal);
      return problem === undefined ? { done: url } : { problem };
    },
  });
}
