import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catalogue, groups } from '../../gateway/models/catalogue.ts';
import { ask, withGateway } from './askGateway.ts';

interface List {
  readonly object: string;
  readonly data: { id: string; object: string }[];
}

describe('the model list', () => {
  it('has the documented fields and no prices', () =>
    withGateway(async (gateway, key) => {
      const answer = await ask(`${gateway.baseUrl}/models`, key);
      const list = JSON.parse(answer.text) as List;
      assert.equal(list.object, 'list');
      assert.equal(list.data.length, catalogue.length);
      assert.ok(list.data.every((item) => item.object === 'model' && item.id !== ''));
      assert.doesNotMatch(answer.text, /pric|cost|usd/i);
    }));

  it('differs between keys of different groups', () =>
    withGateway(async (gateway) => {
      const lists = await Promise.all(
        [['default'], ['premium'], []].map(async (keyGroups) => {
          const { value } = gateway.createKey({ name: 'grouped', groups: keyGroups });
          return (JSON.parse((await ask(`${gateway.baseUrl}/models`, value)).text) as List).data.map((item) => item.id);
        }),
      );
      const [open = [], premium = [], none = []] = lists;
      assert.ok(open.includes('meta-llama/llama-3.1-8b-instruct:free') && !open.includes('gpt-5.1'));
      assert.ok(premium.includes('gpt-5.1') && !premium.includes('meta-llama/llama-3.1-8b-instruct:free'));
      assert.deepEqual(none, []);
    }));

  it('comes from a catalogue of unique ids that every key group can use', () => {
    assert.equal(new Set(catalogue.map((model) => model.id)).size, catalogue.length);
    for (const group of groups) {
      assert.ok(catalogue.some((model) => model.groups.includes(group)));
    }
    assert.ok(catalogue.every((model) => model.groups.every((group) => (groups as readonly string[]).includes(group))));
  });
});
