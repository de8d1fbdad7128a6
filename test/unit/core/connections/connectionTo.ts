import assert from 'node:assert/strict';
import { type BaseUrl, parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';

/** The address that a person types. */
export function urlOf(address: string): BaseUrl {
  const url = parseBaseUrl(address);
  assert.ok(url.ok, address);
  return url.value;
}

/** A connection to this address, whose gateway may be asked about the account. */
export function connectionTo(address: string, change: Partial<Connection> = {}): Connection {
  return { id: 'one', name: 'Work', url: urlOf(address), headers: {}, probes: true, ...change };
}
