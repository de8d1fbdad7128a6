import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notKeptHtml } from '../../../src/editor/notKeptHtml.ts';
import { plainLabel } from '../../../src/editor/plainLabel.ts';
import { plainMessage } from '../../../src/editor/plainMessage.ts';

test('leaves nothing in a title that VS Code would make an icon or a link of', () => {
  assert.equal(plainLabel('a $(trash) b'), 'a $\u200b(trash) b');
  assert.equal(plainMessage('[Undo](command:workbench.action.quit)'), '[Undo]\u200b(command:workbench.action.quit)');
  assert.equal(plainMessage('f(a)[0] (b)'), 'f(a)[0] (b)');
});

test('lets nothing run or load in the page of a conversation that was not kept', () => {
  const page = notKeptHtml();
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  const [, nonce = ''] = /<style nonce="([^"]+)">/.exec(page) ?? [];
  assert.ok(nonce.length >= 20);
  assert.deepEqual(policy.split('; '), [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  assert.doesNotMatch(page, /<script|<img|<link|<iframe|href=|src=/);
  assert.match(page, /<h1>This conversation was not kept<\/h1>/);
  assert.notEqual(notKeptHtml(), page, 'a nonce is used once');
});
