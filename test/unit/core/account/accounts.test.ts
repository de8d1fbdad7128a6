import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { connectionTo } from '../connections/connectionTo.ts';
import { AccountsFixture, budget } from './accountsFixture.ts';

const connection = connectionTo('https://gateway.example/v1');
const dayMs = 86_400_000;

/** An account with these answers, as read. */
async function known(answers: Readonly<Record<string, unknown>>): Promise<AccountsFixture> {
  const fixture = new AccountsFixture(answers);
  await fixture.accounts.read(connection);
  return fixture;
}

/** A site of the new-api family that doesn't say what its dollars are worth. */
const site = (dollars = 3.2) => ({
  '/api/status': { data: { quota_per_unit: 500_000 } },
  '/api/usage/token/': { data: { total_available: dollars * 500_000 } },
});

test('says what is left in the unit of the prices, with its source and its time', async () => {
  const { accounts } = await known(site());
  const balance = accounts.balance(connection);
  assert.equal(balance?.text, '3.20 site units left');
  assert.match(balance?.title ?? '', /^\$3\.20 left · From an undocumented endpoint · As of Nov 25, 2026/);
  assert.equal(balance?.isLow, undefined);
  const inCny = { ...connection, creditUnit: { unit: 'CNY', factor: 0.5 } };
  assert.equal(accounts.balance(inCny)?.text, 'CN¥1.60 left');
  assert.equal(accounts.balance({ ...connection, probes: false }), undefined);
});

test('says nothing where the unit or the amount is unknown', async () => {
  const expires = new Date(new AccountsFixture().now + 8 * dayMs).toISOString();
  for (const answers of [
    { '/v1/dashboard/billing/subscription': { hard_limit_usd: 5 }, '/v1/dashboard/billing/usage': { total_usage: 0 } },
    budget(0, { spend: 2, max_budget: null }),
    budget(0, { max_budget: null, expires }),
  ]) {
    const { accounts } = await known(answers);
    assert.ok(accounts.facts(connection));
    assert.equal(accounts.balance(connection), undefined);
    assert.equal(accounts.shortage(connection, { amount: 1e6, unit: 'USD' }), undefined);
  }
});

test('says that a key expires within a week, and that it has expired since', async () => {
  const { now } = new AccountsFixture();
  const fixture = await known(budget(8, { expires: new Date(now + dayMs).toISOString() }));
  const { text, isLow } = fixture.accounts.balance(connection) ?? {};
  assert.deepEqual([text, isLow], ['$8.00 left · Key expires on Nov 26, 2026', true]);
  fixture.clock.pass(2 * dayMs);
  assert.equal(fixture.accounts.balance(connection)?.text, 'Key expired');
  assert.equal(fixture.accounts.shortage(connection, undefined)?.text, 'Key expired');
});

test('says that a key can no longer be used', async () => {
  for (const [answers, text] of [
    [budget(1, { blocked: true }), 'Key disabled'],
    [budget(-1), 'Quota used up'],
    [site(0), 'Quota used up'],
  ] as const) {
    const { accounts } = await known(answers);
    assert.deepEqual([accounts.balance(connection)?.text, accounts.balance(connection)?.isLow], [text, true]);
    assert.equal(accounts.shortage(connection, undefined)?.text, text);
  }
});

test('compares a cost with what is left only in the same unit', async () => {
  const { accounts } = await known(site());
  const shortage = (amount: number, unit: string, creditUnit?: Connection['creditUnit']) =>
    accounts.shortage({ ...connection, ...(creditUnit && { creditUnit }) }, { amount, unit })?.text;
  assert.equal(shortage(3.2, 'site'), undefined);
  assert.equal(shortage(3.3, 'site'), 'This question may cost 3.30 site units, and 3.20 site units is left.');
  assert.equal(shortage(100, 'USD'), undefined);
  const creditUnit = { unit: 'USD', factor: 0.1 };
  assert.equal(shortage(0.5, 'USD', creditUnit), 'This question may cost $0.50, and $0.32 is left.');
  assert.equal(shortage(3.3, 'site', creditUnit), undefined);
});

test('asks once a session unless it forgets, with an event for each change', async () => {
  const fixture = await known(site());
  const { accounts } = fixture;
  let changes = 0;
  accounts.onDidChange(() => changes++);
  await accounts.read(connection);
  assert.deepEqual([fixture.asked, changes], [1, 0]);
  fixture.answers = site(50);
  accounts.forget(connection);
  assert.deepEqual([fixture.asked, changes, accounts.balance(connection)], [1, 1, undefined]);
  await Promise.all([accounts.read(connection), accounts.read(connection)]);
  assert.deepEqual([fixture.asked, changes], [2, 2]);
  assert.equal(accounts.balance(connection)?.text, '50.00 site units left');
  fixture.replaceKey(connection, 'sk-another0123456789');
  await accounts.read(connection);
  await accounts.read({ ...connection, id: 'two' });
  assert.equal(fixture.asked, 4, 'another key and another connection have their own answers');
});

test('asks again after a refused question, but not for each of several', async () => {
  const fixture = await known(site());
  const { accounts } = fixture;
  await accounts.refused(connection);
  assert.equal(fixture.asked, 1);
  fixture.clock.pass(60_000);
  await Promise.all([1, 2, 3].map(() => accounts.refused(connection)));
  assert.equal(fixture.asked, 2);
});

test('asks a gateway that reports nothing no second time', async () => {
  const fixture = new AccountsFixture();
  for (let refusals = 0; refusals < 5; refusals++) {
    await fixture.accounts.refused(connection);
    fixture.clock.pass(600_000);
  }
  assert.equal(fixture.asked, 1);
});

test('asks nothing where look-ups are not allowed', async () => {
  const fixture = new AccountsFixture();
  await fixture.accounts.read({ ...connection, probes: false });
  await fixture.accounts.refused({ ...connection, probes: false });
  assert.equal(fixture.asked, 0);
});

test('does not show what a slow look-up says about a key that was replaced meanwhile', async () => {
  const fixture = new AccountsFixture();
  const { accounts } = fixture;
  const slow = Promise.withResolvers<void>();
  fixture.arrival = slow.promise;
  fixture.answers = budget(1);
  const first = accounts.read(connection);
  await new Promise(setImmediate);
  fixture.answers = budget(2);
  fixture.arrival = Promise.resolve();
  fixture.replaceKey(connection, 'sk-new');
  await accounts.read(connection);
  slow.resolve();
  assert.equal((await first)?.remaining?.amount, 1);
  assert.equal(accounts.facts(connection)?.remaining?.amount, 2);
});
