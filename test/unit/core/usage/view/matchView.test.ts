import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageChoice } from '../../../../../src/core/usage/view/usageDocument.ts';
import { chosenMatch } from '../../../../../src/core/usage/view/usageTables.ts';
import { documentOf, noon, sampleMatch } from './usageSample.ts';

const choice = { period: 'week' } as const;

test('says what a match with the log showed, and offers the differences', () => {
  const { notices } = documentOf([], { match: sampleMatch() });
  assert.deepEqual(notices, [
    {
      icon: 'check',
      text: "Matched with the gateway's log 2 minutes ago: 211 matched (1 of them likely), 1 differing, 2 only here, and 1 only there.",
      button: { text: 'Show Differences', action: { type: 'toggleDifferences' } },
    },
  ]);
});

test('says how many lines of a file could not be read, and offers no differences where there are none', () => {
  const none = { findings: [], file: 'log.csv', unreadable: 1, at: noon - 7_200_000 };
  const [notice] = documentOf([], { match: { ...sampleMatch(), ...none } }).notices;
  assert.equal(
    notice?.text,
    "Matched with log.csv 2 hours ago: 211 matched (1 of them likely). 1 line of the log couldn't be read.",
  );
  assert.equal(notice?.button, undefined);
});

test('says of a log without calls of the period that it has none', () => {
  const [notice] = documentOf([], { match: { ...sampleMatch(), matched: [], findings: [] } }).notices;
  assert.equal(notice?.text, "Matched with the gateway's log 2 minutes ago: 0 matched. The log has no such calls.");
  const unread = { matched: [], findings: [], unreadable: 2 };
  const [other] = documentOf([], { match: { ...sampleMatch(), ...unread } }).notices;
  assert.match(other?.text ?? '', /0 matched\. 2 lines of the log couldn't be read\.$/, 'which may be such calls');
});

test('lists the differences, the latest first, and leads to their conversations', () => {
  const titles = new Map([['conversation-1', 'Why?']]);
  const shown = documentOf([], { match: sampleMatch(), choice: { ...choice, isDifferences: true }, titles });
  const table = shown.tables.find(({ title }) => title === "Differences from the Gateway's Log");
  assert.deepEqual(
    table?.rows.map((cells) => cells.map(({ text }) => text).filter((_, index) => index !== 1)),
    [
      ['Differing', 'deepseek-chat', '1,200 / ?', '1,204 / ?', 'unknown', '$0.0061', 'Why?'],
      ['Only here', 'deepseek-chat', '1,200 / ?', '–', 'unknown', '–', 'deleted'],
      ['Only here', 'deepseek-chat', '1,200 / ?', '–', 'unknown', '–', '–'],
      ['Only there', 'deepseek-chat', '–', '1,204 / ?', '–', '$0.0061', '–'],
    ],
  );
  assert.deepEqual(table?.rows[0]?.at(-1)?.action, { type: 'openConversation', id: 'conversation-1' });
  assert.equal(shown.notices[0]?.button?.text, 'Hide Differences');
});

test('lists the differences of the model and the caller that the view is filtered by', () => {
  const match = sampleMatch();
  const sizes = (chosen: Partial<UsageChoice>) => {
    const { matched, findings } = chosenMatch(match, { ...choice, ...chosen });
    const kinds = ['differing', 'onlyHere', 'onlyThere'] as const;
    return [matched.length, ...kinds.map((kind) => findings.filter((each) => each.kind === kind).length)];
  };
  assert.deepEqual(sizes({ model: 'deepseek-chat' }), [211, 1, 2, 1]);
  assert.deepEqual(sizes({ model: 'other' }), [0, 0, 0, 0]);
  assert.deepEqual(sizes({ caller: 'panel' }), [211, 1, 2, 0], 'who made the calls that only the log has is unknown');
  assert.deepEqual(sizes({ caller: 'comparison' }), [0, 0, 0, 0]);
  const other = { ...choice, model: 'other', isDifferences: true };
  const { tables } = documentOf([], { match: chosenMatch(match, other), choice: other });
  assert.deepEqual(tables, [], 'a list without differences has no button that hides it');
});
