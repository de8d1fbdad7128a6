import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellOutputLimit, cellSource, cellText } from '../../../../../src/core/chat/context/cellText.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';

const item = (mime: string, text: string) => ({ mime, data: new TextEncoder().encode(text) });
const stdout = 'application/vnd.code.notebook.stdout';
const error = (json: string) => item('application/vnd.code.notebook.error', json);

test('puts the output of a cell below its source, as text', () => {
  assert.equal(cellText('x = 1', []), 'x = 1');
  assert.equal(cellText('x = 1', [[], [item(stdout, '')]]), 'x = 1');
  assert.equal(
    cellText('f()', [
      [item(stdout, '\x1b[31mred\x1b[0m\n'), item('application/vnd.code.notebook.stderr', 'late\n')],
      [item('text/html', '<b>7</b>'), item('text/plain', '7')],
      [item('image/png', 'PNG')],
      [error('{"name":"ValueError","message":"no","stack":"…"}')],
    ]),
    'f()\n\n--- Output ---\nred\nlate\n7\n[image/png]\nValueError: no',
  );
  assert.equal(cellText('f()', [[error('{"message":"no"}')]]), 'f()\n\n--- Output ---\nno');
  assert.equal(cellText('f()', [[error('not JSON')]]), 'f()\n\n--- Output ---\nnot JSON');
});

test('includes the end of a long output, and says that the beginning is left out', () => {
  const text = cellText('f()', [[item(stdout, `${'x'.repeat(cellOutputLimit)}\n`)], [error('{"name":"E"}')]]);
  assert.equal(text, `f()\n\n--- Output ---\n(The beginning is left out.)\n${'x'.repeat(cellOutputLimit - 2)}\nE`);
});

test('reads only the end of much output, of any type and in any form', () => {
  const text = 'x'.repeat(60_000_000);
  const end = `f()\n\n--- Output ---\n(The beginning is left out.)\n${'x'.repeat(cellOutputLimit)}`;
  const outputs = [[item(stdout, text)], [item('text/plain', text)], [error(text)]];
  const many = Array.from({ length: 400_000 }, () => [item(stdout, 'x'.repeat(99))]);
  let texts: string[] = [];
  const ms = leastCpuMs(400, () => {
    texts = outputs.map((output) => cellText('f()', [output]));
    cellText('f()', many);
  });
  assert.deepEqual(texts, [end, end, end]);
  assert.ok(ms < 400, `${ms} ms`);
  const odd = [[], [{ mime: 'a'.repeat(1_000_000), data: new Uint8Array() }], [error('{"name":{},"message":[1]}')]];
  assert.match(cellText('f()', odd), /a{9}\]\n\{"name":\{\},"message":\[1\]\}$/);
});

test('reads the source from the text of a cell', () => {
  assert.equal(cellSource('a\n'), 'a\n');
  assert.equal(cellSource(cellText('a', [[item(stdout, 'b')]])), 'a');
});
