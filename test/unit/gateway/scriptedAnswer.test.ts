import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outlineCode } from '../../gateway/chat/codeOutline.ts';
import { findFencedCode } from '../../gateway/chat/fencedCode.ts';
import { scriptedAnswer } from '../../gateway/chat/scriptedAnswer.ts';
import { catalogue } from '../../gateway/models/catalogue.ts';

const model = catalogue.find((each) => each.id === 'qwen3-8b') ?? assert.fail();

function answerTo(question: string): string {
  return scriptedAnswer(model, { messages: [{ role: 'user', text: question }] }).text;
}

describe('the scripted answer', () => {
  it('contains the language, the number of lines and the names of the code that was sent', () => {
    const text = answerTo(
      'What is this?\n\n```ts\nimport { join } from "node:path";\nclass Tree {}\nconst size = 3;\nfunction grow() {}\n```\n',
    );
    assert.match(text, /It is `ts`, 4 lines/);
    assert.match(text, /Functions: `grow`/);
    assert.match(text, /Types: `Tree`/);
    assert.match(text, /Values: `size`/);
    assert.match(text, /Imports: `node:path`/);
    assert.match(text, /```ts\nimport \{ join \}/);
    assert.match(text, /\| Functions \| 1 \|/);
    assert.match(text, /> What is this\?/);
  });

  it('outlines Python, Go and Rust', () => {
    assert.deepEqual(outlineCode('import os\nfrom a.b import c\ndef f(x):\n  pass\nclass K:\n  pass'), {
      lines: 6,
      functions: ['f'],
      types: ['K'],
      values: [],
      imports: ['os', 'a.b'],
    });
    assert.deepEqual(outlineCode('func Sum(a int) int { return a }\ntype Point struct {}').functions, ['Sum']);
    assert.deepEqual(outlineCode('use std::io;\npub fn run() { let mut count = 0; }'), {
      lines: 2,
      functions: ['run'],
      types: [],
      values: ['count'],
      imports: ['std::io'],
    });
  });

  it('uses a fence that is longer than any fence in the code', () => {
    const text = answerTo('Look:\n\n````md\n```js\n1\n```\n````');
    assert.match(text, /\n````md\n```js\n1\n```\n````\n/);
  });

  it('uses only the last user message', () => {
    const text = scriptedAnswer(model, {
      messages: [
        { role: 'user', text: '```py\ndef old(): pass\n```' },
        { role: 'assistant', text: '```js\nfunction mine() {}\n```' },
        { role: 'user', text: 'And now in words?' },
      ],
    }).text;
    assert.match(text, /> And now in words\?/);
    assert.match(text, /4 words\. 2 earlier messages/);
    assert.doesNotMatch(text, /old|mine/);
  });

  it('finds tilde fences, indented fences and a fence that is never closed', () => {
    assert.deepEqual(findFencedCode('~~~go\nx\n~~~\n  ```\ny\n  ```\n```rs title="a"\nz'), [
      { language: 'go', code: 'x' },
      { language: '', code: 'y' },
      { language: 'rs', code: 'z' },
    ]);
  });
});
