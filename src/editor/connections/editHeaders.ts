import * as l10n from '@vscode/l10n';
import { parseJson } from '../../core/base/loose.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { readExtraHeaders } from '../../core/connections/extraHeaders.ts';
import { askText } from '../ui/askText.ts';

/**
 * Edits the headers that are sent besides the key, as JSON in one line.
 *
 * @param before the headers so far; names in lower case.
 * @param save gets the headers as they are now; undefined when there are none.
 * @param holdsKey whether a text contains what looks like a key: settings are plain text.
 */
export async function editHeaders(
  before: Connection['headers'],
  title: string,
  holdsKey: (text: string) => boolean,
  save: (headers: Connection['headers'] | undefined) => Promise<void>,
): Promise<'back' | 'done'> {
  const { status } = await askText({
    title,
    canGoBack: true,
    value: JSON.stringify(before),
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
      await save(Object.keys(headers).length > 0 ? headers : undefined);
      return { done: undefined };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}
