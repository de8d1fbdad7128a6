/**
 * One right base address out of whatever a person pastes: a host, a host with a path prefix, `…/v1`, `…/v1/`, or a
 * whole endpoint address. Pure; the rules are those of service.md sections 1 and 9 (every path starts with /v1) and
 * of the prefixes real gateways use.
 */

export type BaseUrl = {
  /** Without a slash at its end, for instance `https://gateway.example/v1`. */
  readonly base: string;
  /** Scheme, host and port; a key belongs to exactly one of these. */
  readonly origin: string;
  readonly modelsUrl: string;
  readonly chatUrl: string;
  /** True for `http:` to a host that is neither this machine nor a private network: the key would travel in clear. */
  readonly isExposed: boolean;
};

export type BaseUrlResult =
  | { readonly ok: true; readonly value: BaseUrl }
  | { readonly ok: false; readonly reason: string };

const endpointSuffix = /\/(?:chat\/completions|completions|models|embeddings|responses)$/i;
/** `/v1`, `/v1beta`, `/v4`: a version is already there. `…/v1beta/openai` is Gemini's compatible root. */
const versionedPath = /\/v\d+\w*(?:\/openai)?$/i;

/** @param input as typed. @returns the one right base, or the reason in words for the person who typed it. */
export function parseBaseUrl(input: string): BaseUrlResult {
  // Text copied from a page may bring characters nobody sees.
  const text = input
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^["'`<]+|["'`>]+$/g, '')
    .trim();
  if (text === '') {
    return refuse('Enter the address of the gateway, such as https://gateway.example/v1.');
  }
  if (/\s/.test(text)) {
    return refuse('An address has no blanks in it.');
  }
  if (/^(?:sk|gsk|pk|rk)[-_][\w-]{6,}$/i.test(text)) {
    return refuse('This looks like a key. The address of the gateway comes first; the key is asked for next.');
  }
  // `localhost:8080` would parse as a scheme; only `scheme://` counts as one.
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return refuse(`A gateway is reached by https:// or http://, not ${scheme}://.`);
  }
  let url: URL;
  try {
    url = new URL(scheme ? text : `${isLoopbackText(text) ? 'http' : 'https'}://${text.replace(/^\/+/, '')}`);
  } catch {
    return refuse('This is not an address. It looks like https://gateway.example/v1.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('Leave out the user name and password before the @: the key is asked for next and kept apart.');
  }
  // `https:/gateway`, `https:\\\\gateway` and a scheme written twice all parse as a host of this name.
  if (url.hostname === '' || /^https?$/.test(url.hostname)) {
    return refuse('The address has no host. It looks like https://gateway.example/v1.');
  }
  const path = url.pathname
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(endpointSuffix, '')
    .replace(/\/+$/, '');
  const single = path.replace(/(\/v\d+)(?:\1)+$/i, '$1');
  const base = `${url.origin}${versionedPath.test(single) ? single : `${single}/v1`}`;
  return {
    ok: true,
    value: {
      base,
      origin: url.origin,
      modelsUrl: `${base}/models`,
      chatUrl: `${base}/chat/completions`,
      isExposed: url.protocol === 'http:' && !isPrivateHost(url.hostname),
    },
  };
}

function refuse(reason: string): BaseUrlResult {
  return { ok: false, reason };
}

/** Someone who types `localhost:3000` means plain http: a gateway on one's own machine rarely has a certificate. */
function isLoopbackText(text: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i.test(text);
}

/** Loopback, RFC 1918, link-local and unique-local addresses, and names that only resolve inside a network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') {
    return true;
  }
  if (host.includes(':')) {
    return /^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/.test(host);
  }
  const parts = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
  if (parts) {
    const [first, second] = [Number(parts[1]), Number(parts[2])];
    return (
      first === 127 ||
      first === 10 ||
      (first === 172 && second >= 16 && second <= 31) ||
      (first === 192 && second === 168) ||
      (first === 169 && second === 254)
    );
  }
  return /\.(?:local|lan|internal|home\.arpa|test)$/.test(host);
}
