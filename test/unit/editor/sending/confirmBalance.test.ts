import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CostRange } from '../../../../src/core/base/costRange.ts';
import type { Draft } from '../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import type { Action, Chat } from '../../../../src/core/chat/sending/chat.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { Gateways, PaidCalls as PaidCallsOf } from '../../../../src/editor/sending/paidCalls.ts';
import type { ReviewAnswer, ReviewView } from '../../../../src/protocol/protocol.ts';
import { AccountsFixture, budget } from '../../core/account/accountsFixture.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** What the panel shows, what VS Code runs, and what the person answers. */
const window = {
  reviews: [] as ReviewView[],
  commands: [] as unknown[][],
  answer: undefined as ReviewAnswer | undefined,
};
Object.assign(globalThis, { windowOfTest: window });
const vscode = `data:text/javascript,
  const { windowOfTest } = globalThis;
  export const workspace = { getConfiguration: () => ({ inspect: () => undefined }) };
  export const commands = { executeCommand: async (...command) => void windowOfTest.commands.push(command) };
  export const window = {};`.replaceAll('\n', ' ');
fakeVSCode(import.meta, vscode);
const { PaidCalls } = await import('../../../../src/editor/sending/paidCalls.ts');

const connection = connectionTo('https://gateway.example/v1', { id: 'g' });
const action: Action = { id: 'a', models: ['m'], question: 'Why?', contexts: [] };

/** The review of one conversation. */
class Scene extends AccountsFixture {
  cost: CostRange | undefined;
  readonly #calls: PaidCallsOf;

  constructor() {
    super();
    Object.assign(window, { reviews: [], commands: [], answer: 'send' });
    const conversation = emptyConversation('c', 1);
    const live = {
      conversation,
      composed: conversation.draft,
      secretsIn: () => [],
      unmask: (draft: Draft) => draft,
      maskAgain: () => undefined,
      scan: () => [],
    };
    const gateways = {
      catalogue: { view: catalogueView(undefined, noChoices, new Set()), isGone: () => false },
      connections: { active: connection },
      accounts: this.accounts,
      costs: { range: () => this.cost },
      ledger: () => ({ tokenFactor: () => 1 }),
      limiter: { refusal: async () => undefined },
      pickModel: async () => undefined,
    } as unknown as Gateways;
    const log = { defect: (where: string) => assert.fail(where) };
    this.#calls = new PaidCalls(
      { live } as unknown as Chat,
      gateways,
      log,
      { add: async () => undefined },
      (review) => {
        if (review) {
          window.reviews.push(review);
          const { answer } = window;
          setImmediate(() => (answer ? this.#calls.answerReview(review.id, answer) : this.#calls.cancelReview()));
        }
        return true;
      },
    );
  }

  async find(answers: AccountsFixture['answers']): Promise<void> {
    this.answers = answers;
    this.accounts.forget(connection);
    await this.accounts.read(connection);
  }

  /** @returns whether the question may be sent. */
  async send(): Promise<boolean> {
    return (await this.#calls.review(action, new AbortController().signal)) !== undefined;
  }
}

test('asks before a question that may cost more than what is left, once for each balance', async () => {
  const scene = new Scene();
  await scene.find(budget(0.2));
  scene.cost = { low: 0.01, high: 0.5, unit: 'USD' };
  assert.deepEqual([await scene.send(), await scene.send()], [true, true]);
  assert.equal(window.reviews.length, 1);
  const [{ objections, answers }] = window.reviews as [ReviewView];
  assert.match(
    objections.join(),
    /^This question may cost \$0\.50, and \$0\.20 is left\. \$0\.20 left · \$0\.00 used · From an undocumented endpoint · As of /,
  );
  assert.deepEqual(
    answers.map(({ label }) => label),
    ['Send', 'Open Wallet in Browser'],
  );
  await scene.find(budget(0.2));
  assert.deepEqual([await scene.send(), window.reviews.length], [true, 1]);
  await scene.find(budget(0.1));
  assert.deepEqual([await scene.send(), window.reviews.length], [true, 2]);
});

test('asks by the assumed output while a model has few answers', async () => {
  const scene = new Scene();
  await scene.find(budget(0.2));
  scene.cost = { low: 0.01, assumed: 0.15, unit: 'USD' };
  assert.deepEqual([await scene.send(), window.reviews.length], [true, 0]);
  scene.cost = { low: 0.01, assumed: 0.3, unit: 'USD' };
  assert.equal(await scene.send(), true);
  assert.match(window.reviews[0]?.objections.join() ?? '', /^This question may cost \$0\.30, and \$0\.20 is left\./);
});

test('asks again after the person cancelled', async () => {
  const scene = new Scene();
  await scene.find(budget(5, { expires: new Date(scene.now - 1).toISOString() }));
  window.answer = undefined;
  assert.deepEqual([await scene.send(), await scene.send()], [false, false]);
  assert.deepEqual(
    window.reviews.map(({ objections }) => objections.length === 1 && /^Key expired/.test(objections.join())),
    [true, true],
  );
});

test('opens the wallet of the connection, sends nothing, and reads the balance again with the next question', async () => {
  const scene = new Scene();
  await scene.find(budget(0));
  window.answer = 'wallet';
  assert.equal(await scene.send(), false);
  assert.deepEqual(window.commands, [['askModel.openConsole', 'g', 'wallet']]);
  assert.deepEqual([scene.asked, await scene.send(), window.reviews.length], [1, true, 1]);
  await new Promise(setImmediate);
  assert.equal(scene.asked, 2);
});

test('sends without a question where nothing is known or comparable', async () => {
  const scene = new Scene();
  scene.cost = { low: 0.01, high: 100, unit: 'CNY' };
  assert.equal(await scene.send(), true);
  await scene.find(budget(3));
  assert.equal(await scene.send(), true);
  scene.cost = undefined;
  assert.equal(await scene.send(), true);
  assert.deepEqual([window.reviews, scene.asked], [[], 2]);
});
