import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { usageAction, usageChoice } from '../../../../../src/core/usage/view/usageDocument.ts';
import { sampleDocument } from './usageSample.ts';

/** All actions anywhere in a value. */
function actionsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const inside = Object.entries(value).flatMap(([name, each]) => (name === 'action' ? [each] : actionsIn(each)));
  return inside;
}

test('accepts every action of a document unchanged, and the choice that is saved', () => {
  const choice = { period: 'days30', connection: 'c1', model: 'gpt-5-mini', caller: 'panel' } as const;
  for (const document of [sampleDocument(), sampleDocument({ choice })]) {
    const actions = actionsIn(structuredClone(document)).filter((action) => action !== undefined);
    assert.ok(actions.length > 20);
    for (const action of actions) {
      assert.deepEqual(z.parse(usageAction, action), action);
    }
    assert.deepEqual(z.parse(usageChoice, document.choice), document.choice);
  }
});

test('refuses everything else', () => {
  for (const wrong of [
    undefined,
    'ready',
    { type: 'delete' },
    { type: 'period', period: 'year' },
    { type: 'filter', by: 'host', value: 'x' },
    { type: 'filter', by: 'model', value: 1 },
    { type: 'filter', by: 'model', value: 'x'.repeat(5_000) },
    { type: 'openConversation' },
  ]) {
    assert.equal(z.safeParse(usageAction, wrong).success, false, JSON.stringify(wrong)?.slice(0, 60));
  }
  assert.equal(z.safeParse(usageChoice, { period: 'week', model: {} }).success, false);
});
