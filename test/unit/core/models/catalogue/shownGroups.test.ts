import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ModelChoices, noChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import { type CatalogueView, catalogueView } from '../../../../../src/core/models/catalogue/shownGroups.ts';
import { readModelList } from '../list/readModelList.ts';

function viewOf(ids: readonly unknown[] | undefined, choices: Partial<ModelChoices> = {}, newIds: string[] = []) {
  const list = ids && readModelList(ids);
  return { view: catalogueView(list, { ...noChoices, ...choices }, new Set(newIds)) };
}

const rows = (catalogue: { view: CatalogueView }) =>
  catalogue.view.groups.map(({ name, models }) => [name, models.map(({ id }) => id)]);

test('groups by vendor, with Other last and models that are not for chat at the end', () => {
  assert.deepEqual(rows(viewOf(['zzz', 'gpt-4', 'claude-3', 'gpt-5', 'whisper-1', 'yi-large', 'grok-4'])), [
    ['01.AI', ['yi-large']],
    ['Anthropic', ['claude-3']],
    ['OpenAI', ['gpt-4', 'gpt-5']],
    ['xAI', ['grok-4']],
    ['Other', ['zzz']],
    ['Not for chat', ['whisper-1']],
  ]);
  assert.deepEqual(rows(viewOf([])), []);
  assert.deepEqual(rows(viewOf(undefined)), []);
});

test('lists favourites and recent models first, and also in the groups of their vendors', () => {
  const catalogue = viewOf(['gpt-4', 'claude-3', 'whisper-1'], {
    favourites: ['whisper-1', 'claude-3'],
    recent: ['gpt-4', 'claude-3'],
    defaultModel: 'claude-3',
  });
  assert.deepEqual(rows(catalogue), [
    ['Favorites', ['whisper-1', 'claude-3']],
    ['Recent', ['gpt-4', 'claude-3']],
    ['Anthropic', ['claude-3']],
    ['OpenAI', ['gpt-4']],
    ['Not for chat', ['whisper-1']],
  ]);
  const [favourites] = catalogue.view.groups;
  assert.deepEqual(
    favourites?.models.map(({ id, model, ...flags }) => [id, model?.kind, flags]),
    [
      ['whisper-1', 'speech', { isDefault: false, isFavourite: true, isNew: false, isGone: false, isManual: false }],
      ['claude-3', 'chat', { isDefault: true, isFavourite: true, isNew: false, isGone: false, isManual: false }],
    ],
  );
});

test('shows a favourite that is not in the list, and marks it as gone only when there is a list', () => {
  const chosen = { favourites: ['gone'], recent: ['gone', 'gpt-4'] };
  assert.deepEqual(rows(viewOf(['gpt-4'], chosen)), [
    ['Favorites', ['gone']],
    ['Recent', ['gone', 'gpt-4']],
    ['OpenAI', ['gpt-4']],
  ]);
  const gone = viewOf(['gpt-4'], chosen).view.models.get('gone');
  assert.deepEqual([gone?.isGone, gone?.model, gone?.isFavourite], [true, undefined, true]);
  const unread = viewOf(undefined, chosen);
  assert.deepEqual(rows(unread), [
    ['Favorites', ['gone']],
    ['Recent', ['gone', 'gpt-4']],
  ]);
  assert.equal(unread.view.models.get('gone')?.isGone, false);
  assert.equal(viewOf([], chosen).view.models.get('gone')?.isGone, true);
});

test('sorts a manually added id among the models of its vendor, and never marks it as gone', () => {
  const catalogue = viewOf(['gpt-3', 'gpt-9'], { manual: ['gpt-5', 'own', 'gpt-9', 'my-whisper-1'] });
  assert.deepEqual(rows(catalogue), [
    ['OpenAI', ['gpt-3', 'gpt-5', 'gpt-9']],
    ['Other', ['my-whisper-1', 'own']],
  ]);
  const facts = ['gpt-5', 'gpt-9', 'gpt-3'].map((id) => {
    const shown = catalogue.view.models.get(id);
    return [shown?.isManual, shown?.isGone, shown?.model !== undefined];
  });
  assert.deepEqual(facts, [
    [true, false, false],
    [true, false, true],
    [false, false, true],
  ]);
});

test('marks new models', () => {
  const catalogue = viewOf(['a', 'b'], { favourites: ['gone'] }, ['b', 'gone']);
  assert.deepEqual(
    [...catalogue.view.models.values()].map(({ id, isNew }) => [id, isNew]),
    [
      ['a', false],
      ['b', true],
      ['gone', false],
    ],
  );
});

test('gives each group a unique key', () => {
  const chosen = ['gpt-4.1'];
  const items = ['gpt-4.1', 'claude-sonnet-4', 'x', 'tts-1'].map((id) => ({ id }));
  const groups = viewOf(items, { favourites: chosen, recent: chosen }).view.groups;
  assert.deepEqual(
    groups.map(({ key }) => key),
    ['favourites', 'recent', 'vendor Anthropic', 'vendor OpenAI', 'vendor Other', 'notForChat'],
  );
});
