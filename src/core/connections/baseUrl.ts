/**
 * One right base address out of whatever a person pastes: a host, a host with a path prefix, `…/v1`, `…/v1/`, or a
 * whole endpoint address. Pure; the rules are those of service.md sections 1 and 9 (every path starts with /v1) and
 * of the prefixes real gateways use.
 */
import { describeHost, type HostName } from '../network/hostName.ts';
import { isExposedUrl, readWebAddress } from './webAddress.ts';

export type BaseUrl = HostName & {
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

/** Behind the version, an endpoint or a part of one; without a version only what is no prefix of a real gateway. */
const endpointAfterVersion = /^(.*\/v\d\w*(?:\/openai)?)\/(?:chat|models\/.+)$/i;
const endpoint = /\/(?:chat\/completions|completions|models|embeddings|responses)$/i;
/** `/v1`, `/v1beta`, `/v4`: a version is already there. `…/v1beta/openai` is Gemini's compatible root. */
const versioned = /\/v\d\w*(?:\/openai)?$/i;

/**
 * A query is left out, because no gateway needs one on these two endpoints, with two exceptions that are refused
 * instead: a key in it, and Azure's `api-version`, without which the address would not work.
 *
 * @param input as typed. @returns the one right base, or the reason in words for the person who typed it.
 */
export function parseBaseUrl(input: string): BaseUrlResult {
  const address = readWebAddress(input, 'the gateway', 'https://gateway.example/v1');
  if (!address.ok) {
    return address;
  }
  const { url } = address;
  if ([...url.searchParams.keys()].some((name) => name.toLowerCase() === 'api-version')) {
    return {
      ok: false,
      reason: 'An address with api-version can not be a base address. On Azure, use the one that ends with /openai/v1.',
    };
  }
  const path = withoutEndpoint(url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, ''));
  const base = `${url.origin}${versioned.test(path) ? path : `${path}/v1`}`;
  return {
    ok: true,
    value: {
      ...describeHost(url.hostname),
      base,
      origin: url.origin,
      modelsUrl: `${base}/models`,
      chatUrl: `${base}/chat/completions`,
      isExposed: isExposedUrl(url),
    },
  };
}

/** Endpoints and repeated versions are taken off until none is left, so that a result reads as itself. */
function withoutEndpoint(path: string): string {
  let rest = path;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest
      .replace(endpoint, '')
      .replace(endpointAfterVersion, '$1')
      .replace(/(\/v\d{1,9})\1{1,9}$/i, '$1');
  }
  return rest;
}
