import { isRecord } from '../base/loose.ts';
import { holdsKey, redact } from '../secrets/redact.ts';

/** How much of it a connection takes; names in UTF-16 units, values too. */
export const headerLimits = { count: 20, name: 100, value: 4_096 } as const;

/** What RFC 9110 section 5.6.2 calls a token. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

const forKey = 'a key belongs in secret storage, because settings are plain text';
const forTransport = 'it belongs to the connection itself and is set for each request';
const forBody = 'it describes the request’s body and is set for each request';
const forAnswer = 'it says which answers can be read, and is set for each request';
const forBrowser = 'only browsers send it';

/** Names that are never taken, and why. */
const refused: readonly (readonly [name: RegExp, because: string])[] = [
  [/^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|^(?:x-)?(?:goog-)?api-?key$/, forKey],
  [/(?:^|[-_])(?:api-?key|key|token|secret|password|passwd|credentials?)$/, forKey],
  [/^anthropic-version$/, 'with it, gateways answer in another form'],
  [/^x-http-method(?:-override)?$|^x-method-override$/, 'it turns the request into another one'],
  [/^(?:host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|expect|http2-settings|via)$/, forTransport],
  [/^proxy-/, forTransport],
  [/^content-/, forBody],
  [/^accept(?:-encoding|-charset|-ranges)?$|^range$|^if-/, forAnswer],
  [/^sec-/, forBrowser],
];

export type ExtraHeaders = {
  /** Names in lower case; the record has no prototype, so no name means anything but itself. */
  readonly headers: Record<string, string>;
  /** One sentence for each header that was left out; none repeats a value. */
  readonly problems: string[];
};

/**
 * Reads the extra headers of a connection as they stand in the settings. A bad one is named and left out.
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
    return { headers, problems: ['The extra headers are no list of names with values.'] };
  }
  const entries = Object.entries(value);
  for (const [name, text] of entries.slice(0, headerLimits.count)) {
    const lower = name.toLowerCase();
    const problem =
      typeof text !== 'string'
        ? `The value of the header ${shownName(name)} is no text.`
        : lower in headers
          ? `The header ${shownName(name)} is there twice.`
          : checkHeader(name, text);
    if (problem === undefined) {
      headers[lower] = (text as string).trim();
    } else {
      problems.push(problem);
    }
  }
  if (entries.length > headerLimits.count) {
    problems.push(`There are more than ${headerLimits.count} extra headers; the others are left out.`);
  }
  return { headers, problems };
}

/**
 * Whether one header may be sent besides the key (RFC 9110 sections 5.1 and 5.5), for validation while somebody types.
 *
 * @returns the reason in words why not, which never repeats the value; undefined when it may.
 */
export function checkHeader(name: string, value: string): string | undefined {
  if (name === '') {
    return 'A header needs a name.';
  }
  if (name.startsWith(':')) {
    return 'A header’s name can not begin with a colon.';
  }
  if (name.length > headerLimits.name || !token.test(name)) {
    return 'A header’s name is made of letters, digits and hyphens.';
  }
  if (holdsKey(name)) {
    return `This header’s name looks like a key; ${forKey}.`;
  }
  const because = refused.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
  return because === undefined ? checkValue(name, value) : `The header ${name} can not be set here: ${because}.`;
}

function checkValue(name: string, value: string): string | undefined {
  const text = value.trim();
  if (text === '') {
    return `The header ${name} needs a value.`;
  }
  if (value.length > headerLimits.value) {
    return `The value of the header ${name} has more than ${headerLimits.value} characters.`;
  }
  // A line break would begin another header (wire Q87); trimming must not hide one.
  if (/[^\t\x20-\x7e]/.test(value)) {
    return `The value of the header ${name} is one line of plain ASCII.`;
  }
  return holdsKey(text) ? `The value of the header ${name} looks like a key; ${forKey}.` : undefined;
}

/** A name from the settings may be anything. */
function shownName(name: string): string {
  return token.test(name) && name.length <= headerLimits.name ? redact(name) : 'with an odd name';
}
