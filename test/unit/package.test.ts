import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { projectRoot } from '../vscode/paths.ts';
import { makeProjectCopy } from './projectCopy.ts';
import { isQuick } from './propertyRuns.ts';

const notices = 'THIRD-PARTY-NOTICES.txt';

describe('the package', { skip: isQuick, timeout: 240_000 }, () => {
  it('has every file unchanged and the licence of every bundled package, and stays small', () => {
    const folder = makeProjectCopy();
    rmSync(join(folder, notices), { force: true });
    const made = npm(folder, ['run', 'package']);
    assert.equal(made.status, 0, made.output);
    const vsix = join(folder, 'ask-model.vsix');
    const files = filesInZip(readFileSync(vsix));
    const text = contentOf(files, `extension/${notices}`).toString('utf8');
    const titles = [...text.matchAll(/^={80}\n(\S+) [\d.]+ \((.+)\)$/gm)].map(([, name, licence]) => [name, licence]);
    assert.deepEqual(titles, [
      ['@pydantic/genai-prices', 'MIT'],
      ['@vscode/codicons', 'CC-BY-4.0'],
      ['@vscode/l10n', 'MIT'],
      ['entities', 'BSD-2-Clause'],
      ['get-east-asian-width', 'MIT'],
      ['highlight.js', 'BSD-3-Clause'],
      ['jsonrepair', 'ISC'],
      ['linkify-it', 'MIT'],
      ['markdown-it', 'MIT'],
      ['markdown-it-cjk-friendly', 'MIT'],
      ['mdurl', 'MIT'],
      ['punycode.js', 'MIT'],
      ['temml', 'MIT'],
      ['uc.micro', 'MIT'],
      ['undici', 'MIT'],
      ['zod', 'MIT'],
    ]);
    for (const part of text.split(/^={80}\n/m).slice(1)) {
      assert.ok(part.length > 500, `the text of the licence is missing: ${part}`);
    }
    for (const words of [
      'Creative Commons Attribution 4.0',
      'Git Logo by [Jason Long]',
      'Fedor Indutny',
      'Matteo Collina',
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.equal(readFileSync(join(projectRoot, notices), 'utf8'), text, `build for production and commit ${notices}`);
    for (const name of ['package.nls.zh-cn.json', 'l10n/bundle.l10n.zh-cn.json']) {
      JSON.parse(contentOf(files, `extension/${name}`).toString('utf8'));
    }
    assert.deepEqual([...files.keys()].slice(0, 2), ['extension.vsixmanifest', '[Content_Types].xml']);
    for (const [name, content] of files) {
      const source = sourceOf(name);
      if (source !== undefined) {
        assert.ok(content.equals(readFileSync(join(folder, source))), name);
      }
    }
    assert.ok(statSync(vsix).size <= 780 * 1024, `${statSync(vsix).size} bytes`);
  });
});

function npm(cwd: string, args: readonly string[]): { status: number | null; output: string } {
  const isWindows = process.platform === 'win32';
  // The scripts must find the Node that runs this test.
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    shell: isWindows,
  });
  return { status, output: `${stdout}${stderr}` };
}

/** The file of the project that a file of the package is a copy of; undefined for what `vsce` writes, also links in the README. */
function sourceOf(name: string): string | undefined {
  const [, path] = /^extension\/(.+)$/.exec(name) ?? [];
  const renamed: Record<string, string> = {
    'LICENSE.txt': 'LICENSE',
    'changelog.md': 'CHANGELOG.md',
  };
  return path && path !== 'readme.md' ? (renamed[path] ?? path) : undefined;
}

/** Reads the files of a zip archive by their names, in the order of its central directory. Their checksums must be right. */
function filesInZip(zip: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const size = zip.readUInt32LE(at + 20);
    const bytes = zip.subarray(start, start + size);
    const content = zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    assert.equal(crc32(content), zip.readUInt32LE(at + 16), `the checksum of ${name}`);
    files.set(name, content);
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}

function contentOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  return files.get(name) ?? assert.fail(`${name} is not in the archive.`);
}
