import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { errorCode } from '../../core/base/loose.ts';
import { ConnectError } from '../../core/network/networkErrors.ts';
import type { Environment } from '../../core/network/route.ts';

/** The certificate authorities that TLS connections are checked against. */
export type Trust = {
  readonly context: tls.SecureContext;
  /** Identifies the set of authorities. */
  readonly fingerprint: string;
};

/** The time limit for reading the authorities of the system: a keychain or a smart card may never answer. */
const readMs = 10_000;
/** Where Linux distributions store all authorities in one file; Node itself finds few of these files. */
const linuxBundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-bundle.crt', '/etc/pki/tls/cert.pem'];
/** The codes of a certificate that could be trusted with more authorities. */
const untrusted = /^UNABLE_TO_|SELF_SIGNED_CERT|^CERT_UNTRUSTED$/;

/** Whether the error or one of its causes is such a certificate. */
function isUntrusted(error: unknown): boolean {
  return untrusted.test(errorCode(error)) || (error instanceof Error && isUntrusted(error.cause));
}

/**
 * The certificate authorities to trust: Node's own, those of `NODE_EXTRA_CA_CERTS` and those of the system.
 *
 * Most gateways have a certificate signed by one of Node's own authorities, so these are tried alone first. Reading
 * those of the system takes 70 to 110 ms, and seconds on macOS. They are read only after a certificate was not trusted,
 * when nothing has been sent yet, and on a separate thread, because all extensions share the main one.
 */
export class Authorities {
  readonly #environment: Environment;
  readonly #readSystem: () => Promise<readonly string[]>;
  readonly #own: Trust = { context: tls.createSecureContext(), fingerprint: 'own' };
  readonly #all = new Map<boolean, Trust>();

  /** @param readSystem gives the authorities that the system trusts, as PEM. */
  constructor(environment: Environment, readSystem: () => Promise<readonly string[]> = systemAuthorities) {
    this.#environment = environment;
    this.#readSystem = readSystem;
  }

  /**
   * Calls `act` with the authorities known to be needed so far. When these are not enough for a certificate, and so
   * nothing was sent, calls it once more with all authorities.
   *
   * @param limitMs for reading them.
   */
  async withTrust<T>(
    withSystem: boolean,
    limitMs: number,
    signal: AbortSignal,
    act: (trust: Trust) => Promise<T>,
  ): Promise<T> {
    const trust = this.#all.get(withSystem) ?? this.#own;
    try {
      return await act(trust);
    } catch (error) {
      if (!(error instanceof ConnectError && isUntrusted(error))) {
        throw error;
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      const noMore = once(limit, 'abort').then(() => undefined);
      const more = await Promise.race([this.#readAll(withSystem, trust), noMore]).catch(() => undefined);
      if (more === undefined) {
        throw error;
      }
      return await act(more);
    }
  }

  /**
   * Reads all authorities again, so that a newly installed one counts without a restart.
   *
   * @param tried the authorities that were not enough.
   * @returns undefined when nothing has changed.
   */
  async #readAll(withSystem: boolean, tried: Trust): Promise<Trust | undefined> {
    // Node reads this file at its start, but the Node inside VS Code does not on every system.
    const path = this.#environment.NODE_EXTRA_CA_CERTS;
    const [extra, system] = await Promise.all([
      path ? readFile(path, 'utf8').catch(() => '') : '',
      withSystem ? this.#readSystem() : [],
    ]);
    const all = [...new Set([...ownAuthorities(), ...certificatesIn(extra), ...system])].sort();
    const fingerprint = createHash('sha256').update(all.join()).digest('base64');
    if (fingerprint === tried.fingerprint) {
      return undefined;
    }
    const trust = { context: tls.createSecureContext({ ca: all }), fingerprint };
    this.#all.set(withSystem, trust);
    return trust;
  }
}

function ownAuthorities(): readonly string[] {
  // Since Node 22.15.
  return tls.getCACertificates?.('default') ?? tls.rootCertificates;
}

/** The authorities of the system, or none when they can't be read. */
async function systemAuthorities(): Promise<readonly string[]> {
  const found = await readOnThread().catch(() => []);
  if (found.length > 0 || process.platform !== 'linux') {
    return found;
  }
  const bundles = await Promise.all(linuxBundles.map((path) => readFile(path, 'utf8').catch(() => '')));
  return certificatesIn(bundles.join('\n'));
}

/** Reads them on a thread, which does not keep the process alive. */
async function readOnThread(): Promise<readonly string[]> {
  // Beside this file, and in the build beside the bundle.
  const program = join(import.meta.dirname, `systemAuthorities${extname(import.meta.filename)}`);
  const thread = new Worker(program, { execArgv: [] });
  thread.unref();
  try {
    const [list] = await once(thread, 'message', { signal: AbortSignal.timeout(readMs) });
    return list ?? [];
  } finally {
    void thread.terminate();
  }
}

function certificatesIn(text: string): string[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => `${each}\n`);
}
