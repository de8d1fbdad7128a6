import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

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

/** The key and the certificates of one gateway, as PEM. */
export interface TlsIdentity {
  readonly key: string;
  /** The gateway's own certificate first. */
  readonly cert: string;
  /** The certificate that signed it. */
  readonly authority: string;
}

/** The subject or the issuer of a certificate. */
interface Party {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The hosts that a good certificate is valid for. Clients behind a proxy use `gateway.test`. */
const goodHosts = ['127.0.0.1', '::1', 'localhost', 'gateway.test'];

/** Makes a new identity in memory. It uses the real time, even if the gateway has its own clock. */
export function newTlsIdentity(kind: TlsKind): TlsIdentity {
  const server = newParty('Local gateway');
  const root = kind === 'self-signed' ? server : newParty('Local gateway authority');
  const issuer = kind === 'no-chain' ? newParty('Local gateway authority, second') : root;
  const hosts = kind === 'wrong-host' ? ['gateway.invalid'] : goodHosts;
  const from = kind === 'not-yet-valid' ? 30 : -60;
  const until = kind === 'expired' ? -30 : from + 90;
  const cert = makeCertificate(server, issuer, hosts, from, until);
  const authority = root === server ? cert : makeCertificate(root, root, [], -60, 30);
  return {
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: kind === 'unknown-chain' ? cert + authority : cert,
    authority,
  };
}

function newParty(name: string): Party {
  return { name, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** A value of DER (ITU-T X.690): a tag, a length and its contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...items: readonly Uint8Array[]) => der(0x30, ...items);
const octets = (content: Uint8Array) => der(0x04, content);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
/** A bit string; its last `unused` bits are ignored. */
const bits = (content: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), content);
const yes = der(0x01, Buffer.from([0xff]));

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const commonName = identifier('550403');
const subjectKey = identifier('551d0e');
const issuerKey = identifier('551d23');
const keyUsage = identifier('551d0f');
const alternativeNames = identifier('551d11');
const basicConstraints = identifier('551d13');

/**
 * Makes a certificate (RFC 5280) as PEM. The cryptography is Node's; this code only writes the format.
 *
 * @param hosts the host names and addresses it is valid for; if empty, it is the certificate of an authority.
 * @param from the days from now until it is valid.
 */
function makeCertificate(subject: Party, issuer: Party, hosts: readonly string[], from: number, until: number): string {
  const extensions = sequence(
    sequence(subjectKey, octets(octets(fingerprint(subject)))),
    sequence(issuerKey, octets(sequence(der(0x80, fingerprint(issuer))))),
    ...(hosts.length === 0 ? authorityExtensions() : [hostExtension(hosts)]),
  );
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(daysFromNow(from), daysFromNow(until)),
    distinguishedName(subject),
    publicKeyInfo(subject),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  const base64 = sequence(content, ecdsaWithSha256, bits(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

function daysFromNow(days: number): Buffer {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  return der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

function distinguishedName({ name }: Party): Buffer {
  return sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
}

function publicKeyInfo({ publicKey }: Party): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function fingerprint(party: Party): Buffer {
  return createHash('sha1').update(publicKeyInfo(party)).digest();
}

function authorityExtensions(): Buffer[] {
  const signsCertificates = bits(Buffer.from([0b0000_0100]), 2);
  return [sequence(basicConstraints, yes, octets(sequence(yes))), sequence(keyUsage, yes, octets(signsCertificates))];
}

function hostExtension(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => (isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, addressBytes(host))));
  return sequence(alternativeNames, octets(sequence(...names)));
}

/** The 4 bytes of an IPv4 address, or the 16 bytes of `::1`. */
function addressBytes(address: string): Buffer {
  return isIP(address) === 4
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(address.slice(2).padStart(32, '0'), 'hex');
}
