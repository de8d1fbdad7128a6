import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, context, identifier, integer, octets, sequence, set, time, utf8, yes } from './der.ts';

/** The subject or the issuer of a certificate. */
export interface Party {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The contents of a certificate (RFC 5280). */
export interface CertificateOptions {
  readonly subject: Party;
  readonly issuer: Party;
  /** The host names and addresses it is valid for; if empty, it is the certificate of an authority. */
  readonly hosts: readonly string[];
  readonly from: Date;
  readonly until: Date;
}

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const commonName = identifier('550403');
const subjectKey = identifier('551d0e');
const issuerKey = identifier('551d23');
const keyUsage = identifier('551d0f');
const alternativeNames = identifier('551d11');
const basicConstraints = identifier('551d13');

/** Makes a party with a new key. */
export function newParty(name: string): Party {
  return { name, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** Makes a certificate as PEM. The cryptography is Node's; this code only writes the format. */
export function makeCertificate({ subject, issuer, hosts, from, until }: CertificateOptions): string {
  const content = sequence(
    context(0, true, integer(2)),
    integer(1, ...randomBytes(15)),
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(time(from), time(until)),
    distinguishedName(subject),
    publicKeyInfo(subject),
    context(
      3,
      true,
      sequence(
        sequence(subjectKey, octets(octets(fingerprint(subject)))),
        sequence(issuerKey, octets(sequence(context(0, false, fingerprint(issuer))))),
        ...(hosts.length === 0 ? authorityExtensions() : [hostExtension(hosts)]),
      ),
    ),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  const base64 = sequence(content, ecdsaWithSha256, bits(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

function distinguishedName({ name }: Party): Buffer {
  return sequence(set(sequence(commonName, utf8(name))));
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
  const names = hosts.map((host) =>
    isIP(host) === 0 ? context(2, false, Buffer.from(host)) : context(7, false, addressBytes(host)),
  );
  return sequence(alternativeNames, octets(sequence(...names)));
}

/** Returns the 4 bytes of an IPv4 address or the 16 bytes of an IPv6 address. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) {
    return Buffer.from(address.split('.').map(Number));
  }
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  const all = [...groups(left), ...zeros, ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
