import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause, retryDelay } from '../../../../src/core/client/gatewayClient.ts';
import { GatewayError, type GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { ManualClock } from '../base/manualClock.ts';

const delay = (problem: GatewayProblem, attempt = 0) => retryDelay(new GatewayError(problem), attempt);

test('doubles the delay each time', () => {
  const cut: GatewayProblem = { kind: 'cut' };
  assert.deepEqual([delay(cut, 0), delay(cut, 1)], [500, 1_000]);
});

test('retries after network failures, 408, 429 and 5xx', () => {
  for (const problem of [
    { kind: 'unreachable', host: 'h', cause: 'network' },
    { kind: 'proxy', proxy: 'p:1', setting: 'http.proxy', cause: 'unreachable' },
    { kind: 'cut' },
    { kind: 'requestRejected', status: 408 },
    { kind: 'rateLimited', status: 429 },
    { kind: 'gatewayDown', status: 503 },
  ] satisfies GatewayProblem[]) {
    assert.equal(typeof delay(problem), 'number', JSON.stringify(problem));
  }
});

test('does not retry when the same problem would occur again', () => {
  for (const problem of [
    { kind: 'keyRejected', status: 401 },
    { kind: 'accessDenied', status: 403 },
    { kind: 'wrongAddress', status: 404 },
    { kind: 'balanceEmpty', status: 429 },
    { kind: 'webPage', page: 'page', status: 200, isPage: true },
    { kind: 'gatewayDown', status: 502, isPage: true },
    { kind: 'certificate', detail: 'x' },
    { kind: 'proxy', proxy: 'p:1', setting: 'http.proxy', cause: 'authentication' },
    { kind: 'proxy', proxy: 'p:1', setting: 'http.proxy', cause: 'setting' },
    { kind: 'redirected', target: 'x' },
    { kind: 'timedOut', timer: 'total', limitMs: 1 },
  ] satisfies GatewayProblem[]) {
    assert.equal(delay(problem), undefined, JSON.stringify(problem));
  }
  assert.equal(retryDelay(new Error('a bug in our code'), 0), undefined);
});

test('waits as long as the gateway asks for, up to half a minute, and never less', () => {
  assert.equal(delay({ kind: 'rateLimited', retryAfterMs: 7_000 }), 7_000);
  assert.equal(delay({ kind: 'rateLimited', retryAfterMs: 30_000 }), 30_000);
  assert.equal(delay({ kind: 'rateLimited', retryAfterMs: 30_001 }), undefined);
});

test('ends a wait as soon as its signal is aborted', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const waiting = pause(clock, 1_000, abort.signal);
  abort.abort(new Error('gone'));
  await assert.rejects(waiting, /gone/);
  assert.equal(clock.pending, 0);
  await assert.rejects(pause(clock, 1_000, abort.signal), /gone/);
  const other = pause(clock, 1_000, new AbortController().signal);
  clock.pass(1_000);
  await other;
});
