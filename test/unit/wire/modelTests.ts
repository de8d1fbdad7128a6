import assert from 'node:assert/strict';
import type { ProblemKind } from '../../../src/core/errors/gatewayProblem.ts';
import { faultNamed, matchProblem } from './chatCase.ts';
import type { QuirkTest } from './quirkTest.ts';
import { holdsKey, type Listed, newClient, type OwnGateway, ownGateway, readList } from './wireCall.ts';

type Ids = readonly string[];

/** The expected ids of a list; `all` are those of a faultless one. */
type ExpectedIds = (all: Ids) => { readonly ids: Ids; readonly dropped?: number };

function idsOf(listed: Listed): Ids {
  assert.ok('models' in listed, JSON.stringify(listed));
  return listed.models.map(({ id }) => id);
}

/** Asserts that the list was read with GET requests to one origin only, and does not contain the key. */
function checkPrivacy({ gateway, key }: OwnGateway, listed: Listed): void {
  assert.equal(gateway.postCount(), 0);
  assert.deepEqual(gateway.foreign.requests(), []);
  assert.equal(holdsKey(listed, key), false);
}

const same: ExpectedIds = (all) => ({ ids: all });
const more =
  (...ids: string[]): ExpectedIds =>
  (all) => ({ ids: [...all, ...ids] });

function listTest(
  fault: string,
  expectedIds: ExpectedIds | undefined,
  also = '',
  check?: (listed: Listed) => void,
): QuirkTest {
  const { quirk, about } = faultNamed(fault);
  return {
    title: `${quirk}${also} ${about} (${fault}): a list`,
    async run() {
      await using own = await ownGateway();
      const all = idsOf(await readList(newClient(), own.target()));
      const listed = await readList(newClient(), own.target(fault));
      if (expectedIds !== undefined) {
        const { ids, dropped = 0 } = expectedIds(all);
        assert.deepEqual(idsOf(listed).toSorted(), ids.toSorted());
        assert.equal('models' in listed && listed.dropped, dropped);
      }
      check?.(listed);
      checkPrivacy(own, listed);
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
      checkPrivacy(own, listed);
    },
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `vendor/model-${index}`);

/** Reading `GET /v1/models` (wire 1.1, Q52, Q81–Q86); test/unit/core/models/list reads its other shapes. */
export const modelTests: readonly QuirkTest[] = [
  ...['models-priced'].map((fault) => listTest(fault, same)),
  listTest('models-duplicates', same, '', (listed) => {
    // Duplicates are merged: metadata of the second one is added to that of the first.
    assert.ok('models' in listed && new Set(listed.models.map(({ id }) => id)).size === listed.models.length);
  }),
  listTest('models-null', () => ({ ids: [] })),
  listTest('models-empty', () => ({ ids: [] }), ' Q84'),
  listTest('models-odd-items', (all) => ({ ids: [...all, '42', 'a b/ü:β@1+x'], dropped: 5 })),
  listTest('models-path-ids', more('vendor/model:free', 'accounts/x/models/y', 'a#b', 'a%2Fb', 'a?b=c', '../models')),
  listTest('models-known-ids', more('auto', 'gpt-4o', 'gpt-4.1', 'claude-sonnet-4')),
  listTest(
    'models-with-key',
    (all) => ({ ids: all, dropped: 2 }),
    '',
    (listed) => {
      assert.ok('models' in listed);
      assert.ok(
        listed.models.every(({ title }) => title?.includes(' of ') && title.includes('[key removed]')),
        'the rest of the title is there',
      );
    },
  ),
  listTest('models-many', undefined, '', (listed) => assert.equal(new Set(idsOf(listed)).size, 5_000)),
  listTest('models-large', () => ({ ids: numbered(3_414) })),
  ...['gzip', 'gzip-lie', 'br', 'bom', 'early-hints', 'good-under-500', 'redirect-same-origin', 'byte-by-byte:999'].map(
    (fault) => listTest(fault, same, fault.startsWith('redirect') ? ' Q61' : ''),
  ),
  refusedTest('models-large:21', 'tooLarge', { limitBytes: 20 * 1024 * 1024 }),
  refusedTest('models-no-list', 'unreadable'),
  refusedTest('models-404', 'wrongAddress', { status: 404, words: 'Not Found' }),
  refusedTest('invalid-url', 'wrongAddress', { words: 'Invalid URL (GET /v1/models)' }),
  refusedTest('html-200', 'webPage', { words: 'Welcome' }),
  refusedTest('blocked', 'blocked'),
  refusedTest('captive-portal', 'redirected', { target: 'http://sign-in.invalid/portal' }),
  refusedTest('redirect-foreign', 'redirected', { target: /\/v1\/models$/ }),
  refusedTest('redirect-other-scheme', 'redirected', { target: /^https:/ }),
  refusedTest('redirect-loop', 'redirected', { status: 307 }),
  refusedTest('error-200', 'gatewayDown', { status: 200 }),
  refusedTest('key-in-error', 'keyExhausted', { words: /\[\[key\]\] for Bearer \[key\]$/ }),
  refusedTest('empty-429', 'rateLimited', { status: 429 }),
  refusedTest('error-err', 'gatewayDown', { words: 'The relay lost its upstream.' }, ' Q37'),
  refusedTest('empty-200', 'unreadable', {}),
  refusedTest('cut-mid-stream:500', 'cut'),
  refusedTest('reset-before-headers', 'cut'),
  refusedTest('short-content-length', 'cut'),
  refusedTest('never-answers', 'timedOut', { timer: 'firstByte' }, ' Q70'),
];
