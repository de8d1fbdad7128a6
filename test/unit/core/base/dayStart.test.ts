import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayStart } from '../../../../src/core/base/dayStart.ts';

test('a day begins at midnight of the machine, also where the clock changes', () => {
  const noon = new Date(2026, 2, 29, 12).getTime();
  for (const days of [-1, 0, 1, 2]) {
    const date = new Date(dayStart(noon, days));
    assert.deepEqual([date.getDate(), date.getHours()], [new Date(2026, 2, 29 + days).getDate(), 0]);
  }
});
