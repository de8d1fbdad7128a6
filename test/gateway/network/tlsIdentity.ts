import { makeCertificate, newParty, type Party } from './certificate.ts';

/**
 * The kinds of certificate that a gateway can have, and Node's error code for each. Those that are signed by the
 * gateway's own authority have it when Node trusts `authority`.
 */
export const tlsKinds = {
  good: 'signed by an authority of its own, which a client can trust',
  expired: 'signed by that authority, but out of date since a month: CERT_HAS_EXPIRED',
  'not-yet-valid': 'signed by that authority, good from next month on: CERT_NOT_YET_VALID',
  'wrong-host': 'signed by that authority for another host: ERR_TLS_CERT_ALTNAME_INVALID',
  'no-chain': 'signed below that authority, and what is between them is not sent: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'self-signed': 'signed by itself: DEPTH_ZERO_SELF_SIGNED_CERT',
  'unknown-authority': 'signed by an authority nobody knows: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'unknown-chain': 'the same, and that authority is sent along: SELF_SIGNED_CERT_IN_CHAIN',
} as const;

/** A kind of certificate. */
export type TlsKind = keyof typeof tlsKinds;

/** Whether the text names a kind. */
export function isTlsKind(text: string): text is TlsKind {
  return Object.hasOwn(tlsKinds, text);
}

/** The key and the certificates of one gateway, as PEM. */
export interface TlsIdentity {
  readonly key: string;
  /** The gateway's own certificate first. */
  readonly cert: string;
  /** The certificate that signed it. */
  readonly authority: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The hosts that a good certificate is valid for. Clients behind a proxy use `gateway.test`. */
const goodHosts = ['127.0.0.1', '::1', 'localhost', 'gateway.test'];

/** Makes a new identity in memory. It uses the real time, even if the gateway has its own clock. */
export function newTlsIdentity(kind: TlsKind): TlsIdentity {
  const server = newParty('Local gateway');
  const root = kind === 'self-signed' ? server : newParty('Local gateway authority');
  const issuer = kind === 'no-chain' ? newParty('Local gateway authority, second') : root;
  const cert = makeCertificate({
    subject: server,
    issuer,
    hosts: kind === 'wrong-host' ? ['gateway.invalid'] : goodHosts,
    from: daysFromNow(kind === 'not-yet-valid' ? 30 : -60),
    until: daysFromNow(kind === 'expired' ? -30 : kind === 'not-yet-valid' ? 60 : 30),
  });
  const authority = root === server ? cert : authorityCertificate(root);
  return {
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: kind === 'unknown-chain' ? cert + authority : cert,
    authority,
  };
}

function authorityCertificate(party: Party): string {
  return makeCertificate({ subject: party, issuer: party, hosts: [], from: daysFromNow(-60), until: daysFromNow(30) });
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * dayMs);
}
