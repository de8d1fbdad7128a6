import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ModelChoices, noChoices } from '../../../../../src/core/models/catalogue/modelChoices.ts';
import { ModelRow, ModelRows } from '../../../../../src/core/models/catalogue/modelRows.ts';
import { shownGroups } from '../../../../../src/core/models/catalogue/shownGroups.ts';
import { readModelList } from '../list/readModelList.ts';

const ids = Array.from({ length: 1_000 }, (_, each) => `gpt-${each}`);
const list = readModelList([...ids, 'claude-1', 'whisper-1']) ?? assert.fail();

/** The list as in the side bar, with every group unfolded. */
class Scene {
  readonly rows = new ModelRows();
  choices: ModelChoices = { ...noChoices, favourites: ['claude-1'], recent: ['gpt-1', 'gpt-2'] };

  constructor() {
    this.paint();
  }

  get groups() {
    return shownGroups({ view: { list, choices: this.choices, newIds: new Set() } });
  }

  paint(): void {
    this.rows.replace(this.groups, ({ kind }) => kind === 'vendor');
    for (const group of this.rows.groups) {
      group.members();
    }
  }

  choose(change: Partial<ModelChoices>): string[] | undefined {
    this.choices = { ...this.choices, ...change };
    const changed = this.rows.change(this.groups);
    return changed?.map((row) =>
      row instanceof ModelRow ? `${row.parent.group.name}: ${row.shown.id}` : row.group.name,
    );
  }
}

test('returns the rows of the changed model, and the groups it was added to or removed from', () => {
  const scene = new Scene();
  assert.deepEqual(scene.choose({ recent: ['gpt-2', 'gpt-1'] }), ['Recent']);
  assert.deepEqual(scene.choose({ defaultModel: 'gpt-7' }), ['OpenAI: gpt-7']);
  assert.deepEqual(scene.choose({ defaultModel: 'gpt-2' }), ['Recent: gpt-2', 'OpenAI: gpt-2', 'OpenAI: gpt-7']);
  assert.deepEqual(scene.choose({ favourites: ['claude-1', 'gpt-3'] }), ['Favorites', 'OpenAI: gpt-3']);
  assert.deepEqual(scene.choose({}), []);
});

test('requires a full refresh when a group is added or removed', () => {
  const scene = new Scene();
  assert.equal(scene.choose({ favourites: [] }), undefined);
  scene.paint();
  assert.deepEqual(
    scene.rows.groups.map(({ group, isFolded }) => [group.name, isFolded]),
    [
      ['Recent', false],
      ['Anthropic', true],
      ['OpenAI', true],
      ['Not for chat', false],
    ],
  );
  assert.deepEqual(scene.choose({ recent: ['gpt-1'] }), ['Recent']);
});

test('keeps the row object of a model while its group contains the model, and updates its content', () => {
  const scene = new Scene();
  const openAI = scene.rows.groups.find(({ group }) => group.name === 'OpenAI');
  const row = openAI?.members()[0];
  scene.choose({ favourites: ['claude-1', 'gpt-0'] });
  assert.equal(row?.shown.isFavourite, true);
  assert.equal(openAI?.members()[0], row);
  scene.paint();
  assert.equal(scene.rows.groups.find(({ group }) => group.name === 'OpenAI')?.members()[0], row);
});
