/**
 * Derives a gateway's addresses from whatever a person pastes: a host, a host with a path prefix, `…/v1`, `…/v1/`, or
 * the full address of an endpoint. Pure. Follows service section 1 (every path starts with /v1) and the
 * prefixes that real gateways use.
 */
import * as l10n from '@vscode/l10n';
import type { Parsed } from '../base/loose.ts';
import { hostWarning } from '../network/hostName.ts';
import { isExposedUrl, readWebAddress } from './webAddress.ts';

export type BaseUrl = {
  /**
   * Without a trailing slash, for instance `https://gateway.example/v1`. The chat address itself if no version comes
   * before its endpoint. It is what the settings hold: parsed again, it gives the same addresses.
   */
  readonly base: string;
  /** Scheme, host and port. A key belongs to exactly one origin. */
  readonly origin: string;
  /** With the port, if it isn't that of the scheme. */
  readonly host: string;
  readonly modelsUrl: string;
  /** Where the model list is read if there is none at `modelsUrl`. */
  readonly otherModelsUrl?: string;
  readonly chatUrl: string;
  /** True for `http:` to a host outside this machine and private networks: the key would travel in clear text. */
  readonly isExposed: boolean;
  /** A warning about the host name. */
  readonly warning?: string;
};

/** An endpoint, or a part of one, after a version. */
const endpointAfterVersion = /^(.*\/v\d\w*(?:\/openai)?)\/(?:chat|messages|models\/.+)$/i;
/** An endpoint with or without a version: only names that no real gateway uses as a path prefix. */
const endpoint = /\/(?:chat\/completions|completions|models|embeddings|responses|api\/(?:chat|generate|tags))$/i;
/** The end of a chat address; the second one is that of Databricks (wire Q62). */
const chatEndpoint = /\/(?:chat\/completions|invocations)$/i;
/** A path that ends with a version: `/v1`, `/v1beta`, `/v4`. `…/v1beta/openai` is Gemini's OpenAI-compatible root. */
const versioned = /\/v\d\w*(?:\/openai)?$/i;
/** The roots of Cloudflare, Telnyx, Vertex AI and Databricks, which have no version at their end (wire Q63). */
const unversioned = /\/v\d\w*\/.+\/(?:compat|openai|openapi)$|\/serving-endpoints$/i;

/**
 * Parses the address of a gateway. A query is dropped, because no gateway needs one on the two endpoints in use. Two
 * kinds of query are refused instead: one that holds a key, and Azure's `api-version`, which the address needs to work.
 *
 * @param input as typed. @returns the addresses, or the reason for the refusal, worded for the person who typed it.
 */
export function parseBaseUrl(input: string): Parsed<BaseUrl> {
  const address = readWebAddress(input, 'https://gateway.example/v1');
  if (!address.ok) {
    return address;
  }
  const url = address.value;
  const isAzureDeployment = /\.azure\.com\/openai\/deployments\b/i.test(url.href);
  if (isAzureDeployment || [...url.searchParams.keys()].some((name) => name.toLowerCase() === 'api-version')) {
    return {
      ok: false,
      reason: l10n.t(
        "The address of a deployment, or one with api-version, can't be used. On Azure, use the address that ends with /openai/v1.",
      ),
    };
  }
  const typed = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  const path = withoutEndpoint(typed);
  const base = `${url.origin}${versioned.test(path) || unversioned.test(path) ? path : `${path}/v1`}`;
  const addresses = exactAddresses(url.origin, typed) ?? {
    base,
    modelsUrl: `${base}/models`,
    chatUrl: `${base}/chat/completions`,
  };
  const warning = hostWarning(url.hostname);
  return {
    ok: true,
    value: {
      ...addresses,
      origin: url.origin,
      host: url.host,
      isExposed: isExposedUrl(url),
      ...(warning && { warning }),
    },
  };
}

/** The addresses at which the model list is looked for, in words. */
export function modelsUrlText({ modelsUrl, otherModelsUrl }: BaseUrl): string {
  return otherModelsUrl === undefined ? modelsUrl : l10n.t('{0} or {1}', modelsUrl, otherModelsUrl);
}

/**
 * The addresses of a gateway whose chat address is given as a whole and can't be derived, because no version comes before
 * its endpoint. The model list is expected beside it, or where most gateways have it.
 */
function exactAddresses(
  origin: string,
  path: string,
): Pick<BaseUrl, 'base' | 'modelsUrl' | 'otherModelsUrl' | 'chatUrl'> | undefined {
  const prefix = path.replace(chatEndpoint, '');
  const isDerived = versioned.test(prefix) && /completions$/i.test(path);
  if (prefix === path || isDerived || withoutEndpoint(prefix) !== prefix) {
    return undefined;
  }
  return {
    base: `${origin}${path}`,
    modelsUrl: `${origin}${prefix}/models`,
    otherModelsUrl: `${origin}/v1/models`,
    chatUrl: `${origin}${path}`,
  };
}

/** Removes endpoints and repeated versions until none is left, so that parsing a result again changes nothing. */
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
