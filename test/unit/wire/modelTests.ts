import assert from 'node:assert/strict';
import type { ProblemKind } from '../../../src/core/errors/gatewayProblem.ts';
import { faultNamed, matchProblem } from './chatCase.ts';
import type { QuirkTest } from './quirkTest.ts';
import { holdsKey, type Listed, newClient, type OwnGateway, ownGateway, readList } from './wireCall.ts';

type Ids = readonly string[];

/** What the ids of a list become; `all` are those of a faultless one. */
type Becomes = (all: Ids) => { readonly ids: Ids; readonly dropped?: number };

function idsOf(listed: Listed): Ids {
  assert.ok('models' in listed, JSON.stringify(listed));
  return listed.models.map(({ id }) => id);
}

/** The list was read with GET alone, told nobody, and does not hold the key. */
function checkQuiet({ gateway, key }: OwnGateway, listed: Listed): void {
  assert.equal(gateway.postCount(), 0);
  assert.deepEqual(gateway.foreign.requests(), []);
  assert.equal(holdsKey(listed, key), false);
}

const same: Becomes = (all) => ({ ids: all });
const more =
  (...ids: string[]): Becomes =>
  (all) => ({ ids: [...all, ...ids] });

function listTest(fault: string, becomes: Becomes | undefined, also = '', check?: (listed: Listed) => void): QuirkTest {
  const { quirk, about } = faultNamed(fault);
  return {
    title: `${quirk}${also} ${about} (${fault}): a list`,
    async run() {
      await using own = await ownGateway();
      const all = idsOf(await readList(newClient(), own.target()));
      const listed = await readList(newClient(), own.target(fault));
      if (becomes !== undefined) {
        const { ids, dropped = 0 } = becomes(all);
        assert.deepEqual(idsOf(listed).toSorted(), ids.toSorted());
        assert.equal('models' in listed && listed.dropped, dropped);
      }
      check?.(listed);
      checkQuiet(own, listed);
    },
  };
}

function refusedTest(
  fault: string,
  kind: ProblemKind,
  problem: Readonly<Record<string, unknown>> = {},
  also = '',
): QuirkTest {
  const { quirk, about } = faultNamed(fault);
  return {
    title: `${quirk}${also} ${about} (${fault}): no list, ${kind}`,
    async run() {
      await using own = await ownGateway();
      const listed = await readList(
        newClient({ limits: fault === 'never-answers' ? { firstByteMs: 400 } : {} }),
        own.target(fault),
      );
      assert.ok('problem' in listed, JSON.stringify(listed));
      assert.equal(listed.problem.kind, kind);
      matchProblem(listed.problem, problem);
      checkQuiet(own, listed);
    },
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `vendor/model-${index}`);

/** Reading `GET /v1/models` (section 1.1, Q52, Q81–Q86). */
export const modelTests: readonly QuirkTest[] = [
  ...[
    'models-bare-array',
    'models-object-map',
    'models-under-models',
    'models-nested',
    'models-data-models',
    'models-strings',
    'models-reversed',
    'models-with-success',
    'models-priced',
    'models-metadata',
    'models-ids-only',
    'models-paged',
    'models-twin',
    'models-any-key',
  ].map((fault) => listTest(fault, same, fault.endsWith('-twin') ? ' Q84' : '')),
  listTest('models-duplicates', same, '', (listed) => {
    // The first one's metadata stays, the second one's is put beside it.
    assert.ok('models' in listed && new Set(listed.models.map(({ id }) => id)).size === listed.models.length);
  }),
  listTest('models-null', () => ({ ids: [] })),
  listTest('models-empty', () => ({ ids: [] }), ' Q84'),
  listTest('models-gemini', (all) => ({ ids: all.map((id) => `models/${id}`) }), ' Q84'),
  listTest('models-odd-items', (all) => ({ ids: [...all, '42', 'a b/ü:β@1+x'], dropped: 5 })),
  listTest('models-hostile-names', more('__proto__', 'constructor'), ' Q83'),
  listTest('models-near-duplicates', (all) => ({
    ids: [...new Set(all.flatMap((id) => [id, id.toUpperCase(), `${id} `]))],
  })),
  listTest('models-path-ids', more('vendor/model:free', 'accounts/x/models/y', 'a#b', 'a%2Fb', 'a?b=c', '../models')),
  listTest('models-known-ids', more('auto', 'gpt-4o', 'gpt-4.1', 'claude-sonnet-4')),
  listTest('models-with-key', same, '', (listed) => {
    assert.ok('models' in listed && listed.withKey === 2);
    assert.ok(
      listed.models.every(({ title }) => title?.includes(' of ') && title.includes('[key removed]')),
      'the rest of it is there',
    );
  }),
  listTest('models-many', undefined, '', (listed) => assert.equal(new Set(idsOf(listed)).size, 5_000)),
  listTest('models-large', () => ({ ids: numbered(3_414) })),
  ...['gzip', 'br', 'deflate', 'bom', 'early-hints', 'good-under-500', 'redirect-same-origin', 'byte-by-byte:999'].map(
    (fault) => listTest(fault, same, fault.startsWith('redirect') ? ' Q61' : ''),
  ),
  refusedTest('models-large:21', 'tooLarge', { limitBytes: 20 * 1024 * 1024 }),
  refusedTest('models-no-list', 'unreadable', { detail: 'an object with hello, version' }),
  refusedTest('models-refused-200', 'requestRejected', { words: 'get user group failed' }, ' Q37'),
  refusedTest('models-404', 'wrongAddress', { status: 404, words: 'Not Found' }),
  refusedTest('models-405', 'wrongAddress', { status: 405, words: 'Method Not Allowed' }),
  refusedTest('invalid-url', 'wrongAddress', { words: 'Invalid URL (GET /v1/models)' }),
  refusedTest('html-200', 'webPage', { title: 'Welcome' }),
  refusedTest('blocked', 'blocked'),
  refusedTest('captive-portal', 'redirected', { target: 'http://sign-in.invalid/portal' }),
  refusedTest('redirect-foreign', 'redirected', { target: /\/v1\/models$/ }),
  refusedTest('redirect-foreign-301', 'redirected', { target: /\/v1\/models$/ }),
  refusedTest('redirect-other-scheme', 'redirected', { target: /^https:/ }),
  refusedTest('redirect-loop', 'redirected', { status: 307 }),
  refusedTest('error-200', 'gatewayDown', { status: 200 }),
  refusedTest('key-in-error', 'keyExhausted', { words: /\[\[key\]\] for Bearer \[key\]$/ }),
  refusedTest('empty-429', 'rateLimited', { status: 429 }),
  refusedTest('error-err', 'gatewayDown', { words: 'The relay lost its upstream.' }, ' Q37'),
  refusedTest('empty-200', 'unreadable', { detail: 'an empty answer' }),
  refusedTest('cut-mid-stream:500', 'cut'),
  refusedTest('reset-before-headers', 'cut'),
  refusedTest('short-content-length', 'cut'),
  refusedTest('never-answers', 'timedOut', { timer: 'firstByte' }, ' Q70'),
  refusedTest('gzip-lie', 'cut'),
];
