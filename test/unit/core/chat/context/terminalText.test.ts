import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { terminalText } from '../../../../../src/core/chat/context/terminalText.ts';

const read = (written: string, limit = 1_000) => terminalText(written, limit);
const esc = '\x1b';

test('removes colors, titles, links and the marks of shell integration', () => {
  for (const [written, text] of [
    [`${esc}[1;31mred${esc}[0m and ${esc}[38;2;1;2;3mtrue color${esc}[m`, 'red and true color'],
    [`${esc}]633;E;npm test;nonce\x07${esc}]633;C\x07out\r\n${esc}]633;D;1\x07`, 'out'],
    [`${esc}]0;title${esc}\\a ${esc}]8;;https://example.org${esc}\\link${esc}]8;;${esc}\\`, 'a link'],
    [`${esc}P1$r0m${esc}\\${esc}_apc${esc}\\${esc}^pm${esc}\\b${esc}(B${esc}=${esc}7`, 'b'],
    ['\x9b31mc\x9d0;title\x9cd\x85\x07\x00', 'cd'],
    [`a${esc}]8;;cut\x18b${esc}[31\x1ac`, 'abc'],
    [`ends in a sequence${esc}[3`, 'ends in a sequence'],
    ['tab\there\r\n\r\nü 日本 🙂  \r\n', 'tab\there\n\nü 日本 🙂'],
  ] as const) {
    assert.deepEqual(read(written), { text, cut: 0 }, JSON.stringify(written));
  }
});

test('shows a line that was overwritten as the terminal does in the end', () => {
  for (const [written, text] of [
    ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    [`long words\r${esc}[Kend`, 'end'],
    [`long words\r${esc}[2Kend`, 'end'],
    ['working |\b/\b-\b done', 'working  done'],
    [`npm\r${esc}[2K\r`, 'npm'],
    // What npm and other programs of Node write (cline/cline#1537).
    [`⠋${esc}[1G${esc}[0K⠙${esc}[1G${esc}[0K\nadded 5 packages${esc}[1G${esc}[0K\n`, '⠙\nadded 5 packages'],
    [`⠋ building${esc}[2K${esc}[G⠙ built${esc}[12Gok`, '⠙ builtok'],
    [`a${esc}[4Cb`, 'a    b'],
    [`one${esc}[5;1Htwo${esc}[Bthree\r\n${esc}[4;1Hfour`, 'one\ntwo\nthree\nfour'],
    [`before\n${esc}[?1049h a whole\nscreen ${esc}[?1049lafter`, 'before\nafter'],
  ] as const) {
    assert.deepEqual(read(written), { text, cut: 0 }, JSON.stringify(written));
  }
  assert.equal(read(`${esc}[999999999Cx`, 5_000).text.length, 201, 'a hostile number moves by a limited amount');
});

test('keeps the end of a long text and counts what is missing', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join('');
  const { text, cut } = read(lines, 200);
  assert.ok(text.length <= 200 && text.endsWith('line 998\nline 999'), text);
  assert.equal(lines.trimEnd().slice(cut), text, 'the rest is counted');
  assert.deepEqual(read('x'.repeat(99), 20), { text: 'x'.repeat(20), cut: 79 });
  assert.deepEqual(read('🙂'.repeat(20), 9), { text: '🙂'.repeat(4), cut: 32 }, 'no half of a character');
  assert.deepEqual(read('x'.repeat(20), 20), { text: 'x'.repeat(20), cut: 0 });
});

test('lets no control character through, whatever is written, and is never longer than the limit', () => {
  const parts = fc.constantFrom(
    ...[
      '\x1b',
      '[',
      ']',
      '31m',
      '2K',
      '633;C',
      '\x07',
      '\\',
      '\r',
      '\n',
      '\b',
      'P',
      '\x9b',
      '\x9c',
      '?1049h',
      '?1049l',
    ],
    ...['words', '日', '🙂', '\t', '5;1H', '9C', ' '],
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (pieces, limit) => {
      const { text } = read(pieces.join(''), limit);
      assert.doesNotMatch(text.replace(/[\n\t]/g, ''), /\p{Cc}/u);
      assert.ok(text.length <= limit);
    }),
  );
});

test('reads megabytes of movements of the cursor without ten times as much text', () => {
  const { text, cut } = read(`${`${esc}[999C`.repeat(2_000_000)}end`, 20_000);
  assert.ok(text.endsWith('  end') && text.length <= 20_000 && cut > 0);
});
