import * as l10n from '@vscode/l10n';
import { parseJson } from '../../core/base/loose.ts';
import { readExtraHeaders } from '../../core/connections/extraHeaders.ts';
import { askText } from '../ui/askText.ts';

type Headers = Readonly<Record<string, string>>;

/** Extra headers that can be edited: those of a connection, or of one that is about to be added. */
export type HeaderList = {
  /** Names in lower case. */
  read(): Headers;
  save(headers: Headers): Promise<void>;
};

/** The headers of a connection that does not exist yet. */
export function newHeaders(): HeaderList {
  let saved: Headers = {};
  return {
    read: () => saved,
    save: async (headers) => {
      saved = headers;
    },
  };
}

/**
 * Edits the headers that are sent besides the key, as JSON in one line.
 *
 * @param holdsKey whether a text contains what looks like a key: settings are plain text.
 */
export async function editHeaders(
  list: HeaderList,
  title: string,
  holdsKey: (text: string) => boolean,
): Promise<'back' | 'done'> {
  const { status } = await askText({
    title,
    canGoBack: true,
    value: JSON.stringify(list.read()),
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
      await list.save(headers);
      return { done: undefined };
    },
  });
  return status === 'cancelled' ? 'done' : 'back';
}
