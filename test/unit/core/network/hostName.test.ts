import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from '../connections/connectionTo.ts';

function warningOf(address: string): string | undefined {
  return urlOf(address).warning;
}

/** Q65: names that look like another name, or contain letters that look like others. */
for (const [host, why] of [
  ['аpple.example', 'a Cyrillic а'],
  ['аррӏе.example', 'Cyrillic letters alone, all of them lookalikes'],
  ['οpenai.example', 'a Greek omicron'],
  ['gạteway.example', 'a dot below'],
  ['api.gаteway.example', 'in one label of three'],
  ['gаteway.example:8443/v1', 'with a port and a path'],
  ['例え.example', 'genuine letters, which a program can’t tell from lookalikes'],
] as const) {
  test(`Q65 warns about ${host}: ${why}`, () => {
    const { hostname } = new URL(`https://${host}`);
    assert.match(hostname, /xn--/);
    assert.ok(warningOf(host)?.includes(hostname));
  });
}

for (const host of ['gateway.example', 'a-b.gateway.example', 'axn--b.example', '[::1]', '127.0.0.1']) {
  test(`does not warn about ${host}`, () => assert.equal(warningOf(host), undefined));
}
