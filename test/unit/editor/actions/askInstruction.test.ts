import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(
  import.meta,
  `data:text/javascript,
  export class ThemeIcon {}
  export const window = { createQuickPick: () => new FakePick() };`,
);
const { askInstruction } = await import('../../../../src/editor/actions/askInstruction.ts');

function open(...earlier: string[]) {
  const asked = askInstruction('Edit', '', earlier, () => '$0.01');
  const pick = FakePick.front;
  assert.ok(pick);
  return { asked, pick };
}

test('sends what was typed, also if Enter comes before its row, and never an empty instruction', async () => {
  const { asked, pick } = open();
  pick.accept();
  pick.type('  rename it ');
  assert.equal(pick.items[0]?.description, 'Send (estimated cost: $0.01)');
  pick.accept();
  assert.equal(await asked, 'rename it');
});

test('puts an earlier instruction into the box, which only a second Enter sends', async () => {
  const { asked, pick } = open('add types', 'rename it');
  pick.type('re');
  pick.selectedItems = pick.items.slice(2);
  pick.accept();
  assert.equal(pick.value, 'rename it');
  pick.selectedItems = pick.items.slice(0, 1);
  pick.accept();
  assert.equal(await asked, 'rename it');
});
