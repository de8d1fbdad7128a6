import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeNamed, placeOfAddress, placesIn } from '../../../../src/webview/markdown/places.ts';

const found = (text: string) =>
  placesIn(text).flatMap(({ text, place }) => (place === undefined ? [] : [[text, place]]));
const at = (path: string, line?: number, column?: number, endLine?: number) => ({ path, line, column, endLine });

test('finds paths with and without lines in text, and the text around them stays', () => {
  for (const [text, named, place] of [
    ['See src/a.ts:12.', 'src/a.ts:12', at('src/a.ts', 12)],
    ['(src/a.ts:12:5)', 'src/a.ts:12:5', at('src/a.ts', 12, 5)],
    ['In `x`, src/a.ts:12-20, too', 'src/a.ts:12-20', at('src/a.ts', 12, undefined, 20)],
    ['src/a.ts#L12-L20', 'src/a.ts#L12-L20', at('src/a.ts', 12, undefined, 20)],
    ['src/a.ts#L12: wrong', 'src/a.ts#L12', at('src/a.ts', 12)],
    ['src\\core\\a.ts:3 and', 'src\\core\\a.ts:3', at('src\\core\\a.ts', 3)],
    ['a.ts:7', 'a.ts:7', at('a.ts', 7)],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', at('app/[id]/page.tsx')],
    ['./a/.env.local', './a/.env.local', at('./a/.env.local')],
    ['在 src/a.ts:12 中', 'src/a.ts:12', at('src/a.ts', 12)],
    ['C:\\shop\\a.ts:3', 'C:\\shop\\a.ts:3', at('C:\\shop\\a.ts', 3)],
  ] as const) {
    assert.deepEqual(found(text), [[named, place]], text);
    assert.equal(
      placesIn(text)
        .map((part) => part.text)
        .join(''),
      text,
    );
  }
});

test('finds no place in times, hosts, versions, addresses, prices and names without a line', () => {
  for (const text of [
    'At 10:30 or 10:30:15.',
    'http://localhost:4040/a.ts:1 and localhost:4040',
    'Version 1.2.3, v2.0.1:4, 3.14',
    'https://example.com/src/a.ts#L12',
    'mail me@example.com',
    'Use Node.js, e.g. console.log and README.md.',
    '../../etc/passwd.txt:1 and ..\\secret.ts:1',
    '\\\\server\\share\\a.ts:1 and //server/share/a.ts:1',
    'and/or, 1/2, $3.50/1M',
    'file:///etc/a.conf and vscode://file/a.ts:1',
  ]) {
    assert.deepEqual(found(text), [], text);
  }
});

test('takes inline code for a place only as a whole, with blanks in it', () => {
  assert.deepEqual(placeNamed('src/my files/a b.ts:3'), at('src/my files/a b.ts', 3));
  assert.deepEqual(placeNamed('README.md'), at('README.md'));
  assert.deepEqual(placeNamed('src/Makefile:3'), at('src/Makefile', 3));
  for (const code of ['total', 'a => a.ts:1 | b', 'localhost:x', 'https://a.example/b.ts', '../a.ts', 'total()']) {
    assert.equal(placeNamed(code), undefined, code);
  }
});

test('reads the lines and columns of addresses as VS Code writes them (microsoft/vscode#271573, microsoft/vscode#158128)', () => {
  assert.deepEqual(placeOfAddress('c:\\src\\chat.ts#1287-1290'), at('c:\\src\\chat.ts', 1287, undefined, 1290));
  assert.deepEqual(placeOfAddress('src/a.ts#12'), at('src/a.ts', 12));
  assert.deepEqual(placeOfAddress('src/a.ts#L3,4'), at('src/a.ts', 3, 4));
  assert.deepEqual(placeOfAddress('src/a.ts#L3C4-L5C6'), at('src/a.ts', 3, 4, 5));
  assert.deepEqual(found('In src/a.ts#L3C4: x'), [['src/a.ts#L3C4', at('src/a.ts', 3, 4)]]);
  assert.deepEqual(found('README.md#1-install, docs/a.md#2-\u5b89\u88c5'), [['docs/a.md', at('docs/a.md')]]);
});

test('takes the address of a link for a place only without a scheme', () => {
  assert.deepEqual(placeOfAddress('src/my%20file.ts#L2-L4'), at('src/my file.ts', 2, undefined, 4));
  assert.deepEqual(placeOfAddress('/shop/a.ts'), at('/shop/a.ts'));
  for (const address of [
    'file:///a.ts',
    'vscode://a/b',
    'command:x.y',
    '//host/a.ts',
    '../a.ts',
    'javascript:a.b',
    '',
  ]) {
    assert.equal(placeOfAddress(address), undefined, address);
  }
});

test('reads 100,000 characters that nearly name a place in linear time', () => {
  const ms = (length: number) => {
    const began = process.cpuUsage();
    for (const piece of ['a/', 'a.', 'a[', '.a', 'a:1', ':1-']) {
      placesIn(piece.repeat(length / piece.length));
    }
    return process.cpuUsage(began).user / 1_000;
  };
  ms(20_000);
  assert.ok(ms(20_000) < 20 * Math.max(ms(2_000), 2));
});
