import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Credit } from '../../../../src/core/connections/consoleSettings.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { anEnd, aStart, noon, openLedger } from '../../core/usage/memoryLedger.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const shown = { text: '', questions: [] as string[], answers: [] as string[], messages: [] as string[] };
Object.assign(globalThis, { shownByTest: shown });
// The part of VS Code that an import uses: a file is chosen, and of every list the row that is an answer, or the first one.
const vscode = `data:text/javascript,
  const shown = globalThis.shownByTest;
  export const window = {
    showOpenDialog: async () => [{ path: '/log.csv' }],
    showInformationMessage: async (words) => void shown.messages.push(words),
    showErrorMessage: async (words) => void shown.messages.push(words),
    createQuickPick: () => new FakePick(),
  };
  export const workspace = { fs: { stat: async () => ({ size: 1 }), readFile: async () => Buffer.from(shown.text) } };
  export const [ProgressLocation, commands, ThemeIcon, Uri, QuickPickItemKind, QuickInputButtons] = [{}, {}, {}, {}, {}, {}];`;
fakeVSCode(import.meta, vscode);
const { openUsageMatching } = await import('../../../../src/editor/usage/usageMatching.ts');
afterEach(FakePick.forget);

beforeEach(() => {
  shown.questions.length = 0;
  shown.messages.length = 0;
});

/** A ledger with a call of the request `A`, and an import of `rows` for its connection. */
async function scene(credit?: Credit) {
  FakePick.onShow = (list) => {
    const answer = shown.answers.shift();
    shown.questions.push(list.placeholder);
    list.selectedItems = [list.items.find(({ label }) => label === answer) ?? list.items[0] ?? assert.fail()];
    list.accept();
  };
  const { ledger, clock } = openLedger();
  const call = await ledger.begin(aStart('a'));
  await call.end(anEnd({ requestId: 'A' }));
  let stored: unknown;
  const matching = openUsageMatching(
    ledger,
    clock,
    { find: () => connectionTo('https://h', { creditUnit: credit }), change: async () => undefined },
    {
      ofConnections: () => ({
        read: () => stored,
        write: async (_, columns) => {
          stored = columns;
        },
      }),
    },
    { log: async () => ({ status: 'noKey' }) },
  );
  const importRows = (...rows: string[]) => importFile('created_at,model_name,quota,token_name,request_id', ...rows);
  const importFile = async (...lines: string[]) => {
    shown.text = lines.join('\n');
    await matching.importLog('c1');
    return (await ledger.totals(0, noon + 1)).costs;
  };
  return { importRows, importFile };
}

const at = Math.floor(noon / 1_000) + 2;

test('counts dollars of a site at what the person states they are worth', async () => {
  const { importRows } = await scene({ factor: 0.5, unit: 'CNY' });
  assert.deepEqual(await importRows(`${at},m1,$0.5,one,A`), new Map([['CNY', 0.25]]));
});

test('asks for the key again when the log no longer has the one that was chosen', async () => {
  const { importRows } = await scene();
  assert.deepEqual(await importRows(`${at},m2,$9,old,B`, `${at},m2,$0.5,other,C`), new Map());
  assert.equal(shown.questions.length, 1);
  assert.deepEqual(await importRows(`${at},m1,$0.25,new,A`), new Map([['USD', 0.25]]));
  assert.equal(shown.questions.length, 2);
});

test('reads the times and the currency of each log as they are, whatever those of an earlier one were', async () => {
  const { importRows } = await scene();
  assert.deepEqual(await importRows(`${at},m2,$0.5,one,B`), new Map());
  assert.deepEqual(await importRows(`${new Date(at * 1_000).toISOString()},m1,$0.25,one,A`), new Map([['USD', 0.25]]));
  assert.deepEqual(await importRows(`${at},m1,¥2,one,A`), new Map([['CNY', 2]]));
});

test('asks once for a connection which column of another log is which', async () => {
  const { importFile } = await scene();
  const log = (cost: string) => ['when,who,what,spent,in,out,id', `${at},me,m1,${cost},10,2,A`];
  shown.answers = ['when', 'what', 'spent', 'in', 'None', 'id', 'CNY'];
  assert.deepEqual(await importFile(...log('0.5')), new Map([['CNY', 0.5]]));
  assert.equal(shown.questions.length, 7);
  assert.deepEqual(await importFile(...log('0.75')), new Map([['CNY', 0.75]]));
  assert.equal(shown.questions.length, 7);
  assert.deepEqual(shown.messages, ['The model was read from the column "what", and what was charged from "spent".']);
});
