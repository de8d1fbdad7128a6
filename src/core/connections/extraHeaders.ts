import * as l10n from '@vscode/l10n';
import { numberText } from '../base/localization.ts';
import { isRecord } from '../base/loose.ts';
import { holdsKey, redact } from '../secrets/redact.ts';

/** The longest name and value of a header, in UTF-16 units. */
export const headerLimits = { name: 100, value: 4_096 } as const;

/** A token by RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Headers that hold a key. */
const keyHeader =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|(?:^|[-_])(?:api-?key|key|token|secret|password|passwd|credentials?)$|^(?:x-)?(?:goog-)?api-?key$/;
/** Headers that are set by the HTTP connection, describe the body, or change which answers come back. */
const ownHeader =
  /^(?:anthropic-version|x-http-method(?:-override)?|x-method-override|host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|http2-settings|via|accept(?:-encoding|-charset|-ranges)?|range)$|^(?:proxy|content|if|sec)-/;

export type ExtraHeaders = {
  /** Keyed by name in lower case. Has no prototype, so that a name can't match an inherited member. */
  readonly headers: Record<string, string>;
  /** One sentence for each refused header; none repeats a value. */
  readonly problems: string[];
};

/**
 * Reads the extra headers of a connection from the settings. Reports and skips invalid ones.
 *
 * @param value the setting's value, of any type.
 */
export function readExtraHeaders(value: unknown): ExtraHeaders {
  const headers: Record<string, string> = Object.create(null);
  const problems: string[] = [];
  if (value === undefined) {
    return { headers, problems };
  }
  if (!isRecord(value)) {
    return { headers, problems: [l10n.t('{0} must be an object of names and values.', 'headers')] };
  }
  for (const [name, text] of Object.entries(value)) {
    const problem = checkHeader(name, text);
    if (problem === undefined) {
      headers[name.toLowerCase()] = String(text).trim();
    } else {
      problems.push(problem);
    }
  }
  return { headers, problems };
}

/**
 * Checks whether a header may be sent besides the key (RFC 9110 sections 5.1 and 5.5).
 *
 * @returns the reason for a refusal, which never repeats the value; undefined when the header is allowed.
 */
export function checkHeader(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return l10n.t('The value of the header {0} must be text.', redact(name.slice(0, headerLimits.name)));
  }
  if (name.length > headerLimits.name || !token.test(name)) {
    return l10n.t('Use only letters, digits, and hyphens in a header name.');
  }
  const lower = name.toLowerCase();
  if (keyHeader.test(lower) || holdsKey(name) || holdsKey(value)) {
    return l10n.t(
      "The header {0} can't be set here. Keys belong in secret storage, because settings are plain text.",
      redact(name),
    );
  }
  if (ownHeader.test(lower)) {
    return l10n.t("The header {0} can't be set. It would change how requests are sent or answers are read.", name);
  }
  // The untrimmed value, because a line break would begin another header (wire Q87).
  return value.trim() === '' || value.length > headerLimits.value || /[^\t\x20-\x7e]/.test(value)
    ? l10n.t(
        'The value of the header {0} must be one line of at most {1} ASCII characters.',
        name,
        numberText(headerLimits.value),
      )
    : undefined;
}
