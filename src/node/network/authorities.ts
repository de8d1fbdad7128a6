import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { ConnectError } from '../../core/network/connectError.ts';
import type { Environment } from '../../core/network/networkSettings.ts';
import { unlessAborted } from './unlessAborted.ts';
import { workerAnswer } from './workerAnswer.ts';

/** What TLS connections are checked against. */
export type Trust = {
  readonly context: tls.SecureContext;
  /** The same for the same authorities. */
  readonly fingerprint: string;
};

/** A keychain or a smart card can keep whoever asks it waiting for ever. */
const readMs = 10_000;
/** Where Linux distributions keep all authorities in one file; Node's own lookup finds few of these places. */
const linuxBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-bundle.crt', '/etc/pki/tls/cert.pem'];
const untrusted: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
]);

/** Whether it or what caused it is a certificate that more authorities could make a good one. */
function isUntrusted(error: unknown): boolean {
  return error instanceof Error && (('code' in error && untrusted.has(String(error.code))) || isUntrusted(error.cause));
}

/**
 * The authorities a connection may rely on: Node's own, those of `NODE_EXTRA_CA_CERTS` and the system's.
 *
 * Most gateways show a certificate that Node's own authorities sign, so these are tried alone first. Reading the
 * system's takes 70 to 110 ms of a thread, on macOS seconds; it happens after a certificate was not trusted, when
 * nothing was sent yet, and away from the thread that all extensions share.
 */
export class Authorities {
  readonly #environment: Environment;
  readonly #readSystem: () => Promise<readonly string[]>;
  readonly #known = new Map<boolean, Trust>();

  /** @param readSystem the authorities the system trusts, as PEM. */
  constructor(environment: Environment, readSystem: () => Promise<readonly string[]> = systemAuthorities) {
    this.#environment = environment;
    this.#readSystem = readSystem;
  }

  /**
   * Does something with what is known to be needed so far, and again with all authorities when those did not suffice for a
   * certificate: nothing was sent then.
   *
   * @param limitMs for reading them.
   */
  async trusting<T>(
    withSystem: boolean,
    limitMs: number,
    signal: AbortSignal,
    act: (trust: Trust) => Promise<T>,
  ): Promise<T> {
    const trust = this.#current(withSystem);
    try {
      return await act(trust);
    } catch (error) {
      if (!(error instanceof ConnectError && isUntrusted(error))) {
        throw error;
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const more = await unlessAborted(this.#more(withSystem, trust), limit).catch(() => undefined);
      if (more === undefined) {
        throw error;
      }
      return await act(more);
    }
  }

  #current(withSystem: boolean): Trust {
    let trust = this.#known.get(withSystem);
    if (trust === undefined) {
      trust = { context: tls.createSecureContext(), fingerprint: 'own' };
      this.#known.set(withSystem, trust);
    }
    return trust;
  }

  /**
   * Reads all authorities anew, so that one that was installed meanwhile counts without a restart.
   *
   * @param tried what did not suffice.
   * @returns undefined when there is nothing new.
   */
  async #more(withSystem: boolean, tried: Trust): Promise<Trust | undefined> {
    const lists = await Promise.all([this.#extra(), withSystem ? this.#readSystem() : []]);
    const all = [...new Set([...ownAuthorities(), ...lists.flat()])].sort();
    const fingerprint = createHash('sha256').update(all.join()).digest('base64');
    if (fingerprint === tried.fingerprint) {
      return undefined;
    }
    const trust = { context: tls.createSecureContext({ ca: all }), fingerprint };
    this.#known.set(withSystem, trust);
    return trust;
  }

  /** Node reads this file at its start; the Node inside VS Code does not everywhere. */
  async #extra(): Promise<string[]> {
    const path = this.#environment.NODE_EXTRA_CA_CERTS;
    return path ? certificatesIn(await readFile(path, 'utf8').catch(() => '')) : [];
  }
}

function ownAuthorities(): readonly string[] {
  // Since Node 22.15.
  return tls.getCACertificates?.('default') ?? tls.rootCertificates;
}

/** Those of the system, or none when they can not be read. */
async function systemAuthorities(): Promise<string[]> {
  const program = `require('node:worker_threads').parentPort.postMessage(require('node:tls').getCACertificates('system'))`;
  const list = await workerAnswer(program, readMs).catch(() => tls.getCACertificates?.('system'));
  const found = Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
  if (found.length > 0 || process.platform !== 'linux') {
    return found;
  }
  const bundles = await Promise.all(linuxBundles.map((path) => readFile(path, 'utf8').catch(() => '')));
  return certificatesIn(bundles.join('\n'));
}

function certificatesIn(text: string): string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => `${each}\n`).filter(isCertificate);
}

/** One broken entry must not cost all the others. */
function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
