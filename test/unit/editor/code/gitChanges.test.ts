import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ChangesKind, Repository } from '../../../../src/editor/code/gitChanges.ts';
import { readGit } from '../../../../src/node/system/gitFiles.ts';
import { makeTemporary } from '../../../vscode/temporary.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(
  import.meta,
  `data:text/javascript,
  export const workspace = {
    isTrusted: true,
    getConfiguration: () => ({ get: () => undefined }),
    decode: async (bytes, { uri }) => {
      if (bytes.subarray(0, 512).includes(0)) {
        throw new Error('File seems to be binary');
      }
      return new TextDecoder(uri.path.endsWith('/src/中.c') ? 'gbk' : 'utf-8').decode(bytes);
    },
  };
  export const Uri = { joinPath: ({ path }, name) => ({ path: path + '/' + name }) };
  export const extensions = { getExtension: () => undefined };`,
);
const { diffLimit, GitChanges } = await import('../../../../src/editor/code/gitChanges.ts');

const skip = spawnSync('git', ['--version']).status !== 0;
const changes = new GitChanges(readGit);

/** A repository with what a test needs of git. */
function temporary() {
  const folder = makeTemporary('changes');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'protocol.file.allow=always', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 2 ** 26,
    });
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  git('config', 'commit.gpgsign', 'false');
  const head = () => spawnSync('git', ['-C', folder, 'rev-parse', '--verify', '-q', 'HEAD'], { encoding: 'utf8' });
  const read = (kind: ChangesKind) => changes.read(repository(), kind);
  const repository = () => {
    const commit = head().stdout.trim();
    const state = { ...(commit !== '' && { HEAD: { commit } }), indexChanges: [], workingTreeChanges: [] };
    const rootUri = { fsPath: folder, path: pathToFileURL(folder).pathname };
    return { rootUri, inputBox: { value: '' }, state } as unknown as Repository;
  };
  return {
    folder,
    git,
    read,
    repository,
    text: async (kind: ChangesKind) => (await read(kind)).pieces.map(({ text }) => text).join(),
    write: (path: string, content: string | Buffer) => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    },
  };
}

const lines = (count: number, word = 'line') => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join('');

test('reads what git has staged byte for byte, also of a first commit and a half-staged file', { skip }, async () => {
  const { folder, git, read, text, write } = temporary();
  write('first.ts', 'one\n');
  write('empty', '');
  git('add', '.');
  assert.equal(await text('staged'), git('diff', '--cached'));
  assert.notEqual(await text('staged'), '');
  write('half.ts', lines(30));
  write('crlf.txt', 'a\r\nb\r\n');
  write('gone.ts', lines(3));
  write('moved.ts', lines(40, 'moved'));
  write('picture.png', Buffer.from([0x89, 0x50, 0, 1]));
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  assert.deepEqual(await read('staged'), { pieces: [], leftOut: [] });
  write('half.ts', lines(30).replace('line 3\n', 'staged\n'));
  git('add', '.');
  write('half.ts', lines(30).replace('line 3\n', 'staged\n').replace('line 25\n', 'not staged\n'));
  write('crlf.txt', 'a\r\nc\r\nlone \r sign\u2028\n');
  git('mv', 'moved.ts', 'src-moved.ts');
  rmSync(join(folder, 'gone.ts'));
  write('picture.png', Buffer.from([0x89, 0x50, 0, 2]));
  write('no end', 'no newline');
  write('large.txt', lines(170_000));
  git('add', 'crlf.txt', 'gone.ts', 'picture.png', 'no end', 'large.txt');
  const staged = git('diff', '--cached');
  assert.ok(staged.length > 2_000_000);
  assert.match(staged, /rename to src-moved\.ts/);
  assert.match(staged, /Binary files/);
  assert.doesNotMatch(staged, /not staged/);
  const { pieces, leftOut } = await read('staged');
  assert.equal(pieces[0]?.text, staged);
  assert.deepEqual([pieces.length, pieces[0]?.name, leftOut], [1, 'staged changes', []]);
});

test('reads all changes since the last commit, with untracked text files, but not what a link leads to', {
  skip,
}, async () => {
  const { folder, git, read, text, write } = temporary();
  write('secret', 'outside');
  write('tracked.ts', 'one\n');
  write('.gitignore', 'ignored\nsecret\n');
  // Before the first commit too.
  assert.match(await text('uncommitted'), /\+one\n/);
  git('add', 'tracked.ts');
  assert.match(await text('uncommitted'), /\+one\n/);
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  write('tracked.ts', 'two\n');
  git('add', '.');
  write('tracked.ts', 'three\n');
  write('ignored', 'x');
  write('a/-new "file".txt', 'new\r\nno end');
  write('数据.txt', '一\n');
  write('data.bin', Buffer.from([0, 1]));
  write('huge.csv', lines(600_000));
  symlinkSync(join(folder, 'secret'), join(folder, 'link'));
  chmodSync(join(folder, 'data.bin'), 0o644);
  mkdirSync(join(folder, 'nested'));
  execFileSync('git', ['init', '--quiet', join(folder, 'nested')]);
  const { pieces, leftOut } = await read('uncommitted');
  const diff = pieces[0]?.text ?? '';
  assert.deepEqual(leftOut, []);
  assert.ok(diff.startsWith(git('diff', 'HEAD')));
  git('add', '--intent-to-add', '.', ':!nested', ':!huge.csv');
  for (const path of ['a', '数据.txt', 'data.bin', 'link']) {
    const added = git('-c', 'core.quotePath=false', 'diff', '--', path);
    assert.ok(added !== '' && diff.includes(added), path);
  }
  assert.match(diff, /Binary files \/dev\/null and b\/huge\.csv differ\n/);
  assert.doesNotMatch(diff, /outside|ignored|nested/);
});

test('starts no git for untracked files that are too many to send (get-bb/bb#1489)', async () => {
  const untracked = Array.from({ length: 43_832 }, (_, at) => `store/${at}`).join('\0');
  let processes = 0;
  const counting = new GitChanges(async (_, _folder, args) => {
    processes += 1;
    return args.includes('ls-files') ? untracked : args.includes('--no-index') ? `diff --git a b\n${lines(8_000)}` : '';
  });
  const state = { indexChanges: [], workingTreeChanges: [] };
  const { pieces } = await counting.read({ rootUri: { path: '/a' }, state } as unknown as Repository, 'uncommitted');
  assert.ok((pieces[0]?.text.length ?? 0) > diffLimit);
  assert.ok(processes < 100, String(processes));
});

test('leaves out lock files and files that .gitattributes marks as generated, and says which', { skip }, async () => {
  const { git, read, write } = temporary();
  write('.gitattributes', 'api/* linguist-generated\nold/* linguist-generated=true\nmine/* -linguist-generated\n');
  for (const path of ['api/client.ts', 'old/x', 'mine/x', 'package-lock.json', 'src/a.ts']) {
    write(path, 'x\n');
  }
  const before = await read('uncommitted');
  git('add', '.');
  const staged = await read('staged');
  for (const { pieces, leftOut } of [before, staged]) {
    assert.deepEqual(leftOut, ['api/client.ts', 'old/x', 'package-lock.json']);
    assert.doesNotMatch(pieces[0]?.text ?? '', /client\.ts|old\/x|lock/);
  }
  const kept = ['--', '.', ':!api', ':!old', ':!package-lock.json'];
  assert.equal(staged.pieces[0]?.text, git('diff', '--cached', ...kept));
  git('commit', '--quiet', '--message', 'All');
  write('package-lock.json', 'y\n');
  assert.deepEqual(await read('uncommitted'), { pieces: [], leftOut: ['package-lock.json'] });
});

test('reads a submodule, a commit and a merge, in spite of settings that are for people', { skip }, async () => {
  const { folder, git, read, repository, text, write } = temporary();
  const other = temporary();
  other.write('x', 'x\n');
  other.git('add', '.');
  other.git('commit', '--quiet', '--message', 'Other');
  write('a.ts', 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', '添加 a: 1');
  const main = git('branch', '--show-current').trim();
  git('checkout', '--quiet', '-b', 'side');
  git('submodule', '--quiet', 'add', other.folder, 'sub');
  const staged = git('diff', '--cached', '--submodule=short');
  assert.match(staged, /\+Subproject commit /);
  const external = join(folder, '.git', 'external');
  writeFileSync(external, '#!/bin/sh\necho external\n');
  chmodSync(external, 0o755);
  for (const [name, value] of [
    ['color.ui', 'always'],
    ['diff.external', external],
    ['diff.noprefix', 'true'],
    ['diff.submodule', 'log'],
  ] as const) {
    git('config', name, value);
  }
  assert.equal(await text('staged'), staged);
  git('commit', '--quiet', '--message', 'Add a submodule');
  git('checkout', '--quiet', main);
  appendFileSync(join(folder, 'a.ts'), 'two\n');
  git('commit', '--quiet', '--all', '--message', 'Two');
  git('merge', '--quiet', '--no-edit', 'side');
  const commits = await changes.commits(repository(), 10);
  assert.deepEqual(
    commits.map(({ subject }) => subject).toSorted(),
    ["Merge branch 'side'", 'Add a submodule', 'Two', '添加 a: 1'].toSorted(),
  );
  const [merge] = commits;
  const first = commits.find(({ subject }) => subject.startsWith('添加'));
  assert.ok(merge && first);
  assert.equal(await text(merge), staged);
  const { pieces } = await read(first);
  assert.match(pieces[0]?.text ?? '', /^diff --git a\/a\.ts b\/a\.ts\nnew file mode .*\+one\n$/s);
  assert.equal(pieces[0]?.name, `commit ${first.hash.slice(0, 8)}`);
  assert.deepEqual(await changes.commits(temporary().repository(), 10), []);
});

test('reads commits without what git says of their signatures (mhutchie/vscode-git-graph#452)', {
  skip: skip || process.platform === 'win32',
}, async () => {
  const { folder, git, repository, text, write } = temporary();
  const gpg = join(folder, '.git', 'gpg');
  writeFileSync(gpg, '#!/bin/sh\necho "gpg: Signature made today" >&2\n');
  chmodSync(gpg, 0o755);
  git('config', 'gpg.program', gpg);
  git('config', 'log.showSignature', 'true');
  write('a.ts', 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Signed');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';
  const signed = git('cat-file', 'commit', 'HEAD').replace('\n\n', `\n${signature}\n`);
  const input = { encoding: 'utf8', input: signed } as const;
  const hash = execFileSync('git', ['-C', folder, 'hash-object', '-t', 'commit', '-w', '--stdin'], input).trim();
  git('update-ref', 'HEAD', hash);
  assert.match(git('log'), /gpg: Signature made today/);
  const [commit] = await changes.commits(repository(), 10);
  assert.deepEqual(commit, { hash, subject: 'Signed' });
  assert.match(await text({ hash, subject: 'Signed' }), /^diff --git a\/a\.ts b\/a\.ts\n/);
});

test('reads changes of files that are not UTF-8, and subjects of commits that are not (alibaba/open-code-review#987, cweijan/vscode-office#485)', {
  skip,
}, async () => {
  const { git, repository, text, write } = temporary();
  git('config', 'i18n.commitEncoding', 'gbk');
  const chinese = Buffer.from([0xd6, 0xd0, 0xce, 0xc4]);
  write('src/中.c', Buffer.concat([Buffer.from('int a; // '), chinese, Buffer.from('\n')]));
  write('src/utf.ts', 'ünï 🦊\n');
  write('.gitattributes', 'u16.sql diff\n');
  write('u16.sql', Buffer.from('\ufeffselect 1\n', 'utf16le'));
  git('add', '.');
  assert.match(await text('staged'), /^\+int a; \/\/ 中文\n/m);
  assert.match(await text('staged'), /^diff --git a\/src\/中\.c b\/src\/中\.c\n(?:.*\n)+\+\+\+ b\/src\/中\.c\n/m);
  assert.match(await text('staged'), /^\+ünï 🦊\n/m);
  git('reset', '--quiet');
  assert.match(await text('uncommitted'), /^\+int a; \/\/ 中文\n/m);
  git('add', '.');
  write('.git/message', chinese);
  git('commit', '--quiet', '--file', '.git/message');
  const [commit] = await changes.commits(repository(), 1);
  assert.equal(commit?.subject, '中文');
  assert.match(await text({ hash: commit.hash, subject: '' }), /^\+int a; \/\/ 中文\n/m);
});

test('fails with the name of the command where git fails', { skip }, async () => {
  const { folder, repository } = temporary();
  const broken = repository();
  rmSync(join(folder, '.git'), { recursive: true });
  await assert.rejects(changes.read(broken, 'staged'), { message: 'git diff failed' });
});
