import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { projectRoot } from '../vscode/paths.ts';
import { makeProjectCopy } from './projectCopy.ts';

const notices = 'THIRD-PARTY-NOTICES.txt';

describe('the package', { timeout: 240_000 }, () => {
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
      ['@vscode/codicons', 'CC-BY-4.0'],
      ['@vscode/l10n', 'MIT'],
      ['entities', 'BSD-2-Clause'],
      ['get-east-asian-width', 'MIT'],
      ['highlight.js', 'BSD-3-Clause'],
      ['ignore', 'MIT'],
      ['jsonrepair', 'ISC'],
      ['linkify-it', 'MIT'],
      ['markdown-it', 'MIT'],
      ['markdown-it-cjk-friendly', 'MIT'],
      ['uc.micro', 'MIT'],
      ['undici', 'MIT'],
      ['zod', 'MIT'],
    ]);
    for (const words of [
      'Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode',
      'Git Logo by [Jason Long]',
      'Copyright (c) Microsoft Corporation',
      'Felix Böhm',
      'Josh Goebel|Ivan Sagalaev',
      'Vitaly Puzrin',
      'Matteo Collina',
      'Fedor Indutny',
      'Jimmy Wärting',
      'Colin McDonnell',
    ]) {
      assert.match(text, new RegExp(words.replace(/[()[\]]/g, '\\$&')));
    }
    assert.equal(readFileSync(join(projectRoot, notices), 'utf8'), text, `build for production and commit ${notices}`);
    const code = (name: string) => readFileSync(join(folder, 'dist', name), 'utf8');
    assert.equal(
      code('extension.cjs').match(/require\("vscode"\)/g)?.length,
      1,
      'the entry point requires vscode once',
    );
    assert.match(code('extension.cjs'), /=require\("vscode"\)/, 'and without a wrapper');
    const chunks = readdirSync(join(folder, 'dist', 'app')).map((name) => code(join('app', name)));
    for (const error of ['GatewayError', 'ProxyError', 'ClearRouteError', 'DeletedElsewhereError']) {
      const withError = chunks.filter((text) => text.includes(`this.name="${error}"`));
      assert.equal(withError.length, 1, `${error} is in one chunk only, so that instanceof works`);
    }
    for (const name of ['package.nls.zh-cn.json', 'dist/l10n/bundle.l10n.zh-cn.json']) {
      JSON.parse(contentOf(files, `extension/${name}`).toString('utf8'));
    }
    assert.deepEqual([...files.keys()].slice(0, 2), ['extension.vsixmanifest', '[Content_Types].xml']);
    for (const [name, { content }] of files) {
      const source = sourceOf(name);
      if (source !== undefined) {
        assert.ok(content.equals(readFileSync(join(folder, source))), name);
      }
    }
    const panel = files.get('extension/dist/webview.js');
    assert.ok(panel && panel.size < deflateRawSync(panel.content, { level: 9 }).length, 'it is compressed with Zopfli');
    assert.ok(statSync(vsix).size <= 700 * 1024, `${statSync(vsix).size} bytes`);
  });

  it('is not made when the licence text of a bundled package, even a nested one, is missing', () => {
    for (const [owner, bare] of [
      ['zod', 'node_modules/zod'],
      ['markdown-it', 'node_modules/markdown-it/node_modules/entities'],
    ] as const) {
      const folder = makeProjectCopy([owner]);
      rmSync(join(folder, bare, 'LICENSE'));
      const made = npm(folder, ['run', 'package']);
      assert.notEqual(made.status, 0);
      assert.match(made.output, new RegExp(`${bare.split('/').at(-1)} [\\d.]+ is in the build and has no text`));
      assert.throws(() => statSync(join(folder, 'ask-model.vsix')));
    }
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

/** The file of the project that a file of the package is a copy of; undefined for the two that `vsce` writes. */
function sourceOf(name: string): string | undefined {
  const [, path] = /^extension\/(.+)$/.exec(name) ?? [];
  const renamed: Record<string, string> = {
    'LICENSE.txt': 'LICENSE',
    'changelog.md': 'CHANGELOG.md',
    'readme.md': 'README.md',
  };
  return path && (renamed[path] ?? path);
}

/** A file in a zip archive; `size` is the number of bytes that it takes there. */
interface ZippedFile {
  readonly content: Buffer;
  readonly size: number;
}

/** Reads the files of a zip archive by their names, in the order of its central directory. Their checksums must be right. */
function filesInZip(zip: Buffer): ReadonlyMap<string, ZippedFile> {
  const files = new Map<string, ZippedFile>();
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
    files.set(name, { content, size });
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}

function contentOf(files: ReadonlyMap<string, ZippedFile>, name: string): Buffer {
  const file = files.get(name);
  assert.ok(file, `${name} is not in the archive.`);
  return file.content;
}
