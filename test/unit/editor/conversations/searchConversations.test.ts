import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ConversationIndex } from '../../../../src/core/chat/store/conversationIndex.ts';
import { fileOf } from '../../core/chat/conversation/storedFixture.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(
  import.meta,
  `data:text/javascript,
  export const QuickPickItemKind = { Separator: -1 };
  export class ThemeColor {}
  export class ThemeIcon {}
  export const window = { createQuickPick: () => new FakePick() };`,
);
const { pickBySearch } = await import('../../../../src/editor/conversations/searchConversations.ts');

afterEach(FakePick.forget);

const question = (text: string) => fileOf({ type: 'turn', id: 't', question: `Title\n${text}`, contexts: [] });

/** @param texts of the conversations; one that is undefined can't be read. */
async function search(texts: Record<string, string | undefined>, words: string) {
  const store = {
    list: async () => Object.keys(texts).map((id, at) => ({ id, changedAt: 9 - at, size: 1 })),
    read: async (id: string) => texts[id] ?? Promise.reject(new Error('EACCES')),
    isLockedElsewhere: async () => false,
  };
  const clock = { now: () => 10 };
  const index = new ConversationIndex(store, clock, () => undefined);
  let shown: FakePick | undefined;
  FakePick.onShow = (pick) => {
    pick.value = words;
    shown = pick;
  };
  const found = pickBySearch(index, store, clock as never, 'Search');
  while (shown?.busy !== false) {
    await Promise.race([found, new Promise(setImmediate)]);
  }
  const rows = shown.items.map(({ label, detail }) => detail ?? label);
  shown.hide();
  assert.equal(await found, undefined);
  return rows;
}

test('finds words in the other conversations when one can’t be read, OpenHands/OpenHands#17497', async () => {
  const texts = { one: question('a needle'), broken: undefined, other: question('the needle') };
  assert.deepEqual(await search(texts, 'needle'), ['matching text', 'Question: a needle', 'Question: the needle']);
});

test('finds letters with marks however they are composed, open-webui/open-webui#29210', async () => {
  const texts = { one: question('caf\u00e9'), other: question('CAFE\u0301') };
  for (const words of ['caf\u00e9', 'cafe\u0301']) {
    const [, ...hits] = await search(texts, words);
    assert.deepEqual(hits, ['Question: caf\u00e9', 'Question: CAFE\u0301'], words);
  }
});

test('finds full-width characters by plain ones and the reverse, open-webui/open-webui#29210', async () => {
  const long = `${'……'.repeat(30)}报错：ＴｙｐｅＥｒｒｏｒ${'。'.repeat(200)}`;
  const texts = { one: question('报错:TypeError'), other: question(long) };
  for (const words of ['报错:typeerror', '报错：ｔｙｐｅｅｒｒｏｒ']) {
    const [, plain, wide] = await search(texts, words);
    assert.equal(plain, 'Question: 报错:TypeError', words);
    assert.match(wide ?? '', /^Question: ….+报错：ＴｙｐｅＥｒｒｏｒ。/, words);
  }
});
