import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { codeActions, type PanelMessage, panelMessage, troubleActions } from '../../../src/protocol/protocol.ts';

/** One message of each type. Does not compile when one is missing. */
const messages: { readonly [type in PanelMessage['type']]: Extract<PanelMessage, { type: type }> } = {
  ready: { type: 'ready' },
  ping: { type: 'ping' },
  send: { type: 'send', sendId: 's1', text: 'Why?' },
  answer: { type: 'answer', review: 'v1', answer: 'mask' },
  stop: { type: 'stop', replyId: 'r1' },
  stopAll: { type: 'stopAll' },
  act: { type: 'act', sendId: 's1', turnId: 't1', action: 'sendAgain' },
  edit: { type: 'edit', turnId: 't1' },
  cancelComparison: { type: 'cancelComparison' },
  cancelEdit: { type: 'cancelEdit' },
  switchBack: { type: 'switchBack' },
  chooseReply: { type: 'chooseReply', replyId: 'r1' },
  chooseTurn: { type: 'chooseTurn', turnId: 't1' },
  keep: { type: 'keep', replyId: 'r1.2' },
  compareAgain: { type: 'compareAgain', turnId: 't1' },
  diffAnswers: { type: 'diffAnswers', turnId: 't1' },
  copy: { type: 'copy', text: 'code' },
  useCode: { type: 'useCode', action: 'apply', replyId: 'r1', block: 0, fence: '', text: '' },
  decide: { type: 'decide', replyId: 'r1', accepts: true },
  openLink: { type: 'openLink', href: 'https://a.example' },
  findPlaces: { type: 'findPlaces', paths: ['src/cart.ts'] },
  checkFinding: { type: 'checkFinding', index: 0, path: 'src/cart.ts', line: 3, quote: 'total += 1' },
  openPlace: { type: 'openPlace', path: 'src/cart.ts', isBeside: false },
  findFiles: { type: 'findFiles', replyId: 'r1', blocks: [{ block: 0, fence: 'ts a.ts', text: 'a' }] },
  applyFiles: { type: 'applyFiles', replyId: 'r1', blocks: [{ block: 1, fence: 'ts', text: '// b.ts' }] },
  loadPicture: { type: 'loadPicture', name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png' },
  usePicture: { type: 'usePicture', name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png', isSaved: true },
  openSymbol: { type: 'openSymbol', name: 'total', isBeside: true },
  chooseModel: { type: 'chooseModel' },
  addContext: { type: 'addContext' },
  findContext: { type: 'findContext', request: 1, query: 'cart' },
  addFiles: { type: 'addFiles', uris: ['file:///cart.ts'] },
  addPasted: { type: 'addPasted', text: 'a\nb', language: 'typescript' },
  findPrompts: { type: 'findPrompts', request: 1, query: 'fix' },
  addFound: { type: 'addFound', id: 'file:cart.ts' },
  showRequest: { type: 'showRequest', text: 'Why?' },
  showSent: { type: 'showSent', replyId: 'r1' },
  openChip: { type: 'openChip', id: 'c1' },
  editSystemPrompt: { type: 'editSystemPrompt' },
  editParameters: { type: 'editParameters' },
  removeChip: { type: 'removeChip', id: 'c1' },
  draft: { type: 'draft', text: 'Wh' },
  broken: { type: 'broken', message: 'TypeError' },
};

const isValid = (value: unknown) => z.safeParse(panelMessage, value).success;

test('accepts every message of the panel unchanged', () => {
  for (const message of Object.values(messages)) {
    assert.deepEqual(z.parse(panelMessage, message), message);
  }
  for (const action of troubleActions) {
    assert.equal(isValid({ ...messages.act, action }), true);
  }
  for (const action of codeActions) {
    assert.equal(isValid({ ...messages.useCode, action }), true);
  }
});

test('rejects a message with a property that is missing or of a wrong type', () => {
  for (const message of Object.values(messages)) {
    for (const name of Object.keys(message)) {
      const lists = ['uris', 'paths'].includes(name) ? [[5]] : [[], ['x']];
      for (const value of [
        undefined,
        null,
        -5.5,
        ['isBeside', 'accepts', 'isSaved'].includes(name) ? 1 : true,
        {},
        ...lists,
        { toString: 'x' },
      ]) {
        assert.equal(
          isValid({ ...message, [name]: value }),
          false,
          `${message.type}.${name} = ${JSON.stringify(value)}`,
        );
      }
    }
  }
});

test('rejects ids and texts above their length limits', () => {
  const long = (length: number) => 'x'.repeat(length);
  for (const [type, name, limit] of [
    ['send', 'text', 8_000_000],
    ['draft', 'text', 8_000_000],
    ['copy', 'text', 8_000_000],
    ['useCode', 'text', 8_000_000],
    ['useCode', 'fence', 1_000],
    ['useCode', 'replyId', 64],
    ['openLink', 'href', 8_192],
    ['broken', 'message', 4_000],
    ['send', 'sendId', 64],
    ['stop', 'replyId', 64],
    ['act', 'sendId', 64],
    ['act', 'turnId', 64],
    ['removeChip', 'id', 64],
    ['edit', 'turnId', 64],
    ['send', 'editing', 64],
    ['draft', 'editing', 64],
    ['showRequest', 'text', 8_000_000],
    ['showRequest', 'editing', 64],
    ['showSent', 'replyId', 64],
    ['chooseReply', 'replyId', 64],
    ['chooseTurn', 'turnId', 64],
  ] as const) {
    assert.equal(isValid({ ...messages[type], [name]: long(limit) }), true, `${type}.${name}`);
    assert.equal(isValid({ ...messages[type], [name]: long(limit + 1) }), false, `${type}.${name}`);
    if (limit === 64) {
      assert.equal(isValid({ ...messages[type], [name]: '' }), false, `${type}.${name}`);
    }
  }
  assert.equal(isValid({ ...messages.act, action: 'deleteEverything' }), false);
  assert.equal(isValid({ ...messages.useCode, action: 'write' }), false);
  for (const block of [-1, 0.5, 100_001, Number.NaN, '0']) {
    assert.equal(isValid({ ...messages.useCode, block }), false, `block ${block}`);
  }
});
