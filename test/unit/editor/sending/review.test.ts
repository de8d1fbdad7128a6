import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import type { QuickPickItem } from 'vscode';
import type { CostRange } from '../../../../src/core/base/costRange.ts';
import { configureLocalization } from '../../../../src/core/base/localization.ts';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import type { Conversation } from '../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { leftOutText } from '../../../../src/core/chat/conversation/messagesFor.ts';
import { CallGate, type FindSender, openSenders } from '../../../../src/core/chat/sending/callGate.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { defaultLimits, GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { Model } from '../../../../src/core/models/list/model.ts';
import type { Gateways, PaidCalls as PaidCallsOf } from '../../../../src/editor/sending/paidCalls.ts';
import { systemClock as clock } from '../../../../src/node/system/machine.ts';
import type { ReviewView } from '../../../../src/protocol/protocol.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import { until } from '../../../until.ts';
import { projectRoot } from '../../../vscode/paths.ts';
import { AccountsFixture } from '../../core/account/accountsFixture.ts';
import { calmPorts } from '../../core/chat/sending/chatScene.ts';
import { openLimiter, unlimited } from '../../core/usage/limiterFixture.ts';
import { openLedger } from '../../core/usage/memoryLedger.ts';
import { withGateway } from '../../gateway/askGateway.ts';
import { send } from '../../node/network/standardNetwork.ts';
import { isQuick } from '../../propertyRuns.ts';
import { targetOf } from '../../wire/wireCall.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type List = FakePick;
type Review = Pick<ReviewView, 'objections'> & { readonly answers: readonly string[] };
/** What VS Code shows, and what the person does then. */
const person = {
  lists: [] as List[],
  /** What the panel shows before a question is sent. */
  reviews: [] as Review[],
  /** The title of the last one. */
  title: '',
  isPanelOpen: true,
  onList: (list: List): void => list.accept(),
  /** The label of the answer; undefined cancels. */
  onReview: (_: Review): string | undefined => undefined,
  settings: {} as Record<string, unknown>,
  commands: [] as unknown[][],
};
Object.assign(globalThis, { personOfTest: person });
const vscode = `data:text/javascript,
  const person = globalThis.personOfTest;
  export const QuickPickItemKind = { Separator: -1 };
  export const QuickInputButtons = {};
  export class ThemeIcon {}
  export const commands = { executeCommand: async (...command) => void person.commands.push(command) };
  export const workspace = {
    getConfiguration: () => ({ inspect: (id) => ({ globalValue: person.settings[id] }) }),
  };
  export const window = {
    createQuickPick: () => new FakePick(),
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, vscode);
const { PaidCalls, pickAnswer } = await import('../../../../src/editor/sending/paidCalls.ts');
afterEach(FakePick.forget);

const model: Model = { id: 'qwen3-8b', vendor: 'Qwen', kind: 'chat', isForChat: true, contextTokens: 8_192 };
const embedding: Model = { id: 'text-embedding-3-small', vendor: 'OpenAI', kind: 'embedding', isForChat: false };

/** A conversation at a gateway, through everything from the panel's paid calls to the socket. */
class Scene {
  file = '';
  readonly chat: Chat;
  readonly calls: PaidCallsOf;
  picked: string | undefined;
  /** What a question may cost, by model. */
  readonly costs = new Map<string, CostRange>();
  /** The stored conversation, with what another window added. */
  reread: () => Promise<Conversation | undefined> = async () => undefined;
  readonly connections = {} as { active: Connection };
  readonly unscanned = new Set<string>();
  limits = unlimited;
  #notes: unknown;
  readonly #gateway: Gateway;
  readonly findSender: FindSender;
  #actions = 0;

  constructor(gateway: Gateway, key: string, models: readonly Model[] = [model, embedding], modelToAsk = model.id) {
    Object.assign(person, { lists: [], reviews: [], isPanelOpen: true, settings: {}, commands: [] });
    FakePick.onShow = (list) => {
      person.lists.push(list);
      setImmediate(() => person.onList(list));
    };
    person.onList = (list) => list.accept();
    person.onReview = () => undefined;
    this.#gateway = gateway;
    const client = new GatewayClient({ transport: send, clock, limits: { ...defaultLimits }, userAgent: 'test/1' });
    const { ledger } = openLedger();
    const limiter = openLimiter(ledger, clock, {
      limits: () => this.limits,
      notes: {
        read: () => this.#notes,
        write: async (notes) => {
          this.#notes = notes;
        },
      },
    });
    const gate = new CallGate({
      client,
      limiter,
      priceNow: () => undefined,
      log: { info() {} },
      clock,
    });
    this.use(gateway.baseUrl);
    const { connections } = this;
    const destination = {
      findDestination: async () => ({ status: 'ready', connection: connections.active, key }) as const,
      readKeys: async () => undefined,
    };
    this.findSender = openSenders(destination, gate, 'test/1', {
      read: () => false,
      write: async () => undefined,
    }).find;
    this.chat = new Chat(emptyConversation('c1', 5), false, {
      ...calmPorts,
      findSender: this.findSender,
      clock,
      store: {
        ...calmPorts.store,
        append: async (_, text) => {
          this.file += text;
        },
      },
      reread: () => this.reread(),
      isScanned: (uri) => !this.unscanned.has(uri),
    });
    const gateways = {
      catalogue: {
        modelToAsk,
        used: async () => undefined,
        view: catalogueView({ models, dropped: 0 }, noChoices, new Set()),
        isGone: (id: string) => !models.some((each) => each.id === id),
      },
      connections,
      accounts: new AccountsFixture().accounts,
      costs: { range: (_: Conversation, id: string) => this.costs.get(id) },
      ledger: () => ledger,
      limiter,
      pickModel: async () => this.picked,
      ensureConnected: async () => true,
    } as unknown as Gateways;
    const log = { defect: (where: string, error: unknown) => assert.fail(`${where}: ${error}`) };
    const unscanned = { add: async (uri: string) => void this.unscanned.add(uri) };
    this.calls = new PaidCalls(this.chat, gateways, log, unscanned, (review) => {
      if (review && person.isPanelOpen) {
        const shown = { objections: review.objections, answers: review.answers.map(({ label }) => label) };
        person.reviews.push(shown);
        person.title = review.title;
        setImmediate(() => {
          const chosen = person.onReview(shown);
          const answer = review.answers.find(({ label }) => label === chosen);
          if (answer) {
            this.calls.answerReview(review.id, answer.answer);
          } else {
            this.calls.cancelReview();
          }
        });
      }
      return person.isPanelOpen;
    });
  }

  /** Makes the connection with this address the active one. */
  use(address: string): void {
    const { url } = targetOf(address, '');
    this.connections.active = { id: 'g', name: 'work', url, headers: {}, probes: false };
  }

  /**
   * Types a question and sends it.
   *
   * @param host the gateway that the box said it is sent to.
   * @returns whether it was sent, after its answer has ended.
   */
  async send(text: string, contexts: readonly CodeContext[] = [], host?: string): Promise<boolean> {
    this.chat.live.setDraft({ text, contexts });
    const { ok } = await this.calls.askDraft(`a${++this.#actions}`, host);
    await until(() => assert.equal(this.chat.isBusy, false));
    return ok;
  }

  get turn() {
    return this.chat.live.conversation.turns.at(-1) ?? assert.fail();
  }

  get reply() {
    return this.turn.replies.at(-1) ?? assert.fail();
  }

  /** The messages of the last request, as the gateway received them. */
  get received(): readonly { readonly role: string; readonly content: string }[] {
    const request = this.#gateway.requests().findLast(({ method }) => method === 'POST');
    return JSON.parse(request?.body ?? '').messages;
  }
}

function fileOf(id: string, lines: number): CodeContext {
  const text = Array.from({ length: lines }, (_, index) => `export const value${index} = round(${index} * 1.19);\n`);
  const path = `src/${id}.ts`;
  return { kind: 'file', id, path, languageId: 'typescript', startLine: 1, endLine: lines, text: text.join('') };
}

const long = 'word '.repeat(3_000);
const choose = 'Choose What to Send…';

test('sends nothing and loses no text when the person closes the list', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send(`One ${long}`);
    await scene.send(`Two ${long}`);
    person.onReview = () => choose;
    person.onList = (list) => list.hide();
    const posts = gateway.postCount();
    assert.equal(await scene.send(`Why? ${long}`, [fileOf('f', 20)]), false);
    assert.equal(gateway.postCount(), posts);
    assert.equal(scene.chat.live.composed.text, `Why? ${long}`);
    assert.equal(scene.chat.live.composed.contexts.length, 1);
  }));

test('shows the size while rows are checked, and sends exactly what is checked', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send(`One ${long}`);
    await scene.send('Two');
    const file = fileOf('cart', 3_000);
    const titles: string[] = [];
    person.onReview = () => choose;
    person.onList = (list) => {
      const rows = list.items.filter(({ kind }) => kind === undefined);
      assert.deepEqual(
        rows.map(({ label }) => label),
        ['src/cart.ts, lines 1–3000', 'One word word word word word word word word word word word w…', 'Two'],
      );
      const [file, one, two] = rows as [QuickPickItem, QuickPickItem, QuickPickItem];
      assert.deepEqual(list.selectedItems, [one, two]);
      titles.push(list.title);
      list.check([file, one, two]);
      titles.push(list.title);
      list.check([two]);
      titles.push(list.title);
      list.accept();
    };
    assert.equal(await scene.send('Why?', [file]), true);
    assert.match(titles[0] ?? '', /^Choose What to Send: ≈ [\d,]+ tokens · \d+% of 8K$/);
    assert.match(titles[1] ?? '', /% of 8K · doesn't fit$/);
    assert.match(titles[2] ?? '', /% of 8K$/);
    const { received, reply, turn } = scene;
    assert.equal(received.length, 3);
    assert.equal(received[0]?.content, 'Two');
    assert.equal(received[2]?.content, 'Why?');
    assert.equal(leftOutText(reply, turn), 'Left out: 1 earlier question and cart.ts');
    assert.equal(turn.contexts[0]?.text, file.text, 'the file stays with the question');
    // The next question has what was sent, unless it leaves out more.
    person.onList = (list) => list.accept();
    await scene.send('And?');
    assert.ok(scene.received.every(({ content }) => !content.includes('export const value')));
  }));

const tooLong =
  /^The question doesn't fit into the context window of qwen3-8b\. It has about [\d,]+ tokens\. The window has 8,192, of which 2,048 are reserved for the answer\. The gateway may reject it\.$/;

test('sends what does not fit only when the person says so, and asks again after a choice that does not fit either', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    const all = (list: List) => {
      list.check(list.items.filter(({ kind }) => kind === undefined));
      list.accept();
    };
    await scene.send(`One ${long}`);
    await scene.send(`Two ${long}`);
    const posts = gateway.postCount();
    person.onList = all;
    person.onReview = () => (person.reviews.length === 1 ? choose : undefined);
    assert.equal(await scene.send(`Three ${long}`), false);
    assert.equal(person.reviews.length, 2, 'the review comes back');
    for (const { objections, answers } of person.reviews) {
      assert.match(objections.join(), tooLong);
      assert.deepEqual(answers, ['Send', choose]);
    }
    assert.equal(gateway.postCount(), posts);
    person.onReview = () => 'Send';
    assert.equal(await scene.send(`Three ${long}`), true);
    assert.equal(scene.received.length, 5);
    assert.equal(scene.reply.leftOut, undefined);
    assert.equal(await scene.send('Four'), true);
    assert.equal(person.reviews.length, 3, 'the same model is not asked about again');
  }));

test('offers no choice for a long question that has nothing to leave out', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    assert.equal(await scene.send(`One ${long.repeat(4)}`), false);
    assert.match(person.reviews[0]?.objections.join() ?? '', tooLong);
    assert.deepEqual(person.reviews[0]?.answers, ['Send']);
    person.settings['askModel.context.confirmTokens'] = 2_000;
    person.onReview = () => 'Send';
    assert.equal(await scene.send(`One ${long}`), true);
    assert.deepEqual(person.reviews[1]?.objections, [
      "It has about 2,585 tokens. You're asked from 2,000 tokens on (setting askModel.context.confirmTokens).",
    ]);
    assert.deepEqual([person.lists.length, gateway.postCount()], [0, 1]);
  }));

test('asks again with less when the gateway refuses the length, also with an unknown window', () =>
  withGateway(
    async (gateway, key) => {
      const { contextTokens: _, ...unknown } = model;
      const scene = new Scene(gateway, key, [unknown]);
      await scene.send(`One ${long}`);
      await scene.send(`Two ${long}`);
      assert.equal(scene.reply.problem?.kind, 'contextTooLong');
      assert.equal(person.lists.length, 0);
      assert.deepEqual(await scene.calls.askAgain('b1', 'chooseParts', scene.turn.id, scene.reply.id), { ok: true });
      await until(() => assert.equal(scene.chat.isBusy, false));
      assert.match(person.lists[0]?.title ?? '', /% of 5K$/, 'the window that the gateway stated');
      assert.equal(scene.reply.state, 'complete');
      assert.equal(scene.received.length, 1);
      assert.deepEqual(scene.reply.leftOut, { turns: ['a1'], contexts: [] });
    },
    { contextTokens: 5_000 },
  ));

test('does not take the window that one model stated for that of another', () =>
  withGateway(
    async (gateway, key) => {
      const large: Model = { ...model, id: 'qwen3-32b', contextTokens: 32_768 };
      const { contextTokens: _, ...unknown } = model;
      const scene = new Scene(gateway, key, [unknown, large]);
      await scene.send(`One ${long}`);
      await scene.send(`Two ${long}`);
      assert.equal(scene.reply.problem?.kind, 'contextTooLong');
      scene.picked = large.id;
      await scene.calls.pickModel();
      await scene.calls.askAgain('b1', 'chooseParts', scene.turn.id, scene.reply.id);
      await until(() => assert.equal(scene.chat.isBusy, false));
      assert.equal(person.lists.length, 1);
      assert.match(person.lists[0]?.title ?? '', /% of 33K$/);
      assert.equal(scene.received.length, 3, 'all of it fits there');
    },
    { contextTokens: 5_000 },
  ));

test('asks about the questions that another window has added, before or while the list is open', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send(`One ${long}`);
    const [first] = scene.chat.live.conversation.turns;
    const [reply] = first?.replies ?? [];
    assert.ok(first && reply);
    const added = (id: string) => ({ ...first, id, question: `${id} ${long}`, replies: [{ ...reply, id: `r${id}` }] });
    const addTurn = (id: string) => {
      const { conversation } = scene.chat.live;
      const all = conversation.turns.some((turn) => turn.id === id) ? [] : [added(id)];
      scene.reread = async () => ({ ...conversation, turns: [...conversation.turns, ...all] });
    };
    addTurn('x');
    const posts = gateway.postCount();
    person.onReview = () => choose;
    person.onList = (list) => {
      assert.equal(gateway.postCount(), posts);
      if (person.lists.length === 1) {
        addTurn('y');
      }
      list.accept();
    };
    assert.equal(await scene.send(`Two ${long}`), true);
    const rows = (list: List | undefined) =>
      list?.items.flatMap(({ label, kind }) => (kind === undefined ? [label.slice(0, 4)] : []));
    assert.deepEqual(person.lists.map(rows), [
      ['One ', 'x wo'],
      ['One ', 'x wo', 'y wo'],
    ]);
    assert.equal(gateway.postCount(), posts + 1);
    assert.deepEqual(scene.reply.leftOut?.turns, [first.id, 'x']);
    assert.equal(scene.received.length, 3);
  }));

test('never proposes to leave out the answer that is continued', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send('Zero');
    person.onReview = () => (person.reviews.length === 2 ? choose : 'Send');
    await scene.send(`One ${long.repeat(4)}`);
    person.settings['askModel.confirmPrice'] = 0.1;
    scene.costs.set(model.id, { low: 0.2, high: 0.3, unit: 'USD' });
    const { turn, reply } = scene;
    assert.deepEqual(await scene.calls.askAgain('c1', 'continue', turn.id), { ok: true });
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.deepEqual(
      person.lists.at(-1)?.items.flatMap(({ label, kind }) => (kind === undefined ? [label] : [])),
      ['Zero'],
    );
    assert.equal(scene.received.at(-3)?.content, turn.question.trim());
    assert.equal(scene.received.at(-2)?.content, reply.text);
  }));

test('asks once for each multiple of the size that the person set', () =>
  withGateway(async (gateway, key) => {
    const { contextTokens: _, ...unknown } = model;
    const scene = new Scene(gateway, key, [unknown]);
    person.settings['askModel.context.confirmTokens'] = 4_000;
    person.onReview = () => choose;
    await scene.send(`One ${long}`);
    assert.equal(person.reviews.length, 0);
    await scene.send(`Two ${long}`);
    assert.deepEqual([person.reviews.length, person.lists.length], [1, 1]);
    assert.match(person.lists[0]?.title ?? '', /tokens · context window unknown$/);
    assert.equal(scene.reply.leftOut, undefined, 'nothing has to be left out');
    await scene.send('Three');
    assert.equal(person.reviews.length, 1);
    person.onReview = () => 'Send';
    await scene.send(`Four ${long}${long}`);
    assert.equal(person.reviews.length, 2);
    person.settings['askModel.context.confirmTokens'] = 0;
    await scene.send(`Five ${long}${long}`);
    assert.equal(person.reviews.length, 2);
  }));

test('says before a question is sent that its model does not seem to be for chat, and sends it all the same', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key, [model, embedding], embedding.id);
    assert.equal(await scene.send('Why?'), false);
    const other = 'Choose Another Model…';
    const objections = [
      "text-embedding-3-small doesn't seem to be a chat model (embedding). The gateway may reject the question, and may charge for it.",
    ];
    assert.deepEqual(person.reviews, [{ objections, answers: ['Send', other] }]);
    assert.equal(gateway.postCount(), 0);
    assert.equal(scene.chat.live.composed.text, 'Why?');
    person.onReview = () => other;
    assert.equal(await scene.send('Why?'), false, 'none was chosen');
    scene.picked = model.id;
    assert.equal(await scene.send('Why?'), true);
    assert.equal(scene.reply.model, model.id);
    person.onReview = () => 'Send';
    scene.calls.prepare([], [model.id, embedding.id]);
    assert.equal(await scene.send('Both?'), true);
    assert.deepEqual(person.reviews.at(-1), { objections, answers: ['Send', choose] });
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.equal(gateway.postCount(), 3);
  }));

test('asks before a question that may cost more than the person set, for all models of a comparison together', () =>
  withGateway(async (gateway, key) => {
    const other = { ...model, id: 'gpt-5-mini' };
    const scene = new Scene(gateway, key, [model, other]);
    scene.costs.set(model.id, { low: 0.2, high: 0.6, unit: 'USD' });
    scene.costs.set(other.id, { low: 0.1, assumed: 0.3, unit: 'USD' });
    assert.equal(await scene.send('Zero'), true);
    person.settings['askModel.confirmPrice'] = 0.6;
    assert.equal(await scene.send('One'), true, 'it does not cost more');
    person.settings['askModel.confirmPrice'] = 0.25;
    assert.equal(await scene.send('Two'), false);
    const reason = (upTo: string) =>
      `You're asked above $0.25 (setting askModel.confirmPrice). Up to ${upTo}, you won't be asked again in this conversation.`;
    const assumed = 'With few answers so far, 4,096 output tokens are assumed.';
    assert.deepEqual(person.reviews, [
      { objections: [`Estimated cost: $0.20–$0.60. ${reason('$0.75')}`], answers: ['Send', choose] },
    ]);
    assert.equal(scene.chat.live.composed.text, 'Two');
    assert.equal(gateway.postCount(), 2);
    person.onReview = () => 'Send';
    assert.equal(await scene.send('Two'), true);
    scene.costs.set(model.id, { low: 0.2, high: 0.74, unit: 'USD' });
    assert.equal(await scene.send('Three'), true);
    assert.equal(person.reviews.length, 2, 'up to this price, nothing is asked again');
    scene.costs.set(model.id, { low: 0.2, high: 0.6, unit: 'USD' });
    person.reviews = [];
    scene.calls.prepare([], [model.id, other.id]);
    assert.equal(await scene.send('Both?'), true);
    const objections = [`Estimated cost: $0.30–$0.90. ${assumed} ${reason('$1.00')}`];
    assert.deepEqual(person.reviews, [{ objections, answers: ['Send', choose] }]);
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.equal(gateway.postCount(), 6);
    person.onReview = () => undefined;
    const later = new Scene(gateway, key, [model]);
    person.settings['askModel.confirmPrice'] = 0.25;
    later.costs.set(model.id, { low: 0.1, assumed: 0.3, unit: 'USD' });
    assert.equal(await later.send('Three'), false, 'an answer of the assumed length would cost more');
    assert.deepEqual(person.reviews[0]?.objections, [`Estimated cost: $0.10–$0.30. ${assumed} ${reason('$0.50')}`]);
    person.settings['askModel.confirmPrice'] = 0.0002;
    later.costs.set(model.id, { low: 0.0001, assumed: 0.00035, unit: 'USD' });
    assert.equal(await later.send('Four'), false);
    assert.match(
      person.reviews[1]?.objections[0] ?? '',
      /^Estimated cost: under \$0\.001\. .* above \$0\.0002 \(.* Up to \$0\.0004,/,
    );
  }));

const secret = 'Tr0ubKybfPf6%38';
const env: CodeContext = {
  kind: 'file',
  id: 'env',
  path: 'app/.env',
  languageId: 'dotenv',
  startLine: 1,
  endLine: 1,
  text: `DB_PASSWORD=${secret}\n`,
};
const envIs = '.env, line 1 looks like a password.';
const sentText = (scene: Scene) => scene.received.map(({ content }) => content).join('\n');

test('asks about a secret once in a conversation, keeps it masked or as it is, and asks about a new one', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    assert.equal(await scene.send('Why?', [env]), false, 'cancelled');
    assert.deepEqual(person.reviews, [{ objections: [envIs], answers: ['Mask and Send', 'Send As Is', choose] }]);
    assert.equal(scene.chat.live.composed.contexts.length, 1);
    assert.equal(gateway.postCount(), 0);
    person.onReview = () => 'Mask and Send';
    assert.equal(await scene.send('Why?', [env]), true);
    assert.equal(await scene.send('And now?', [{ ...env, id: 'again' }]), true);
    assert.equal(person.reviews.length, 2);
    assert.ok(sentText(scene).includes('MASKED_PASSWORD_1') && !sentText(scene).includes(secret));
    const other = 'Xq8LmN2pRt5vWz';
    person.onReview = () => 'Send As Is';
    assert.equal(await scene.send(`password: ${other}`, [{ ...env, id: 'third' }]), true);
    assert.deepEqual(person.reviews[2]?.objections, ['Line 1 of your question looks like a password.']);
    assert.ok(sentText(scene).includes(other) && !sentText(scene).includes(secret), 'what was masked stays masked');
    assert.equal(await scene.send(`Is password: ${other} right?`), true);
    assert.equal(person.reviews.length, 3);
    assert.ok(sentText(scene).includes(`Is password: ${other} right?`));
    const { text } = scene.calls.revealed({
      ...scene.chat.live.mask({ text: `password: ${other}`, contexts: [] }),
    });
    assert.equal(text, `password: ${other}`, 'as Show Request shows it');
  }));

test('names the model that a question goes to, also in a language without a singular', () =>
  withGateway(async (gateway, key) => {
    configureLocalization({
      language: 'zh-cn',
      texts: JSON.parse(readFileSync(join(projectRoot, 'l10n', 'bundle.l10n.zh-cn.json'), 'utf8')),
    });
    try {
      assert.equal(await new Scene(gateway, key).send('Why?', [env]), false);
      assert.equal(person.title, `将此问题发送给 ${model.id}？`);
      assert.deepEqual(person.reviews[0]?.objections, ['.env，第 1 行看起来像密码。']);
    } finally {
      configureLocalization({ language: 'en' });
    }
  }));

test('does not ask about a secret that is left out, and asks again after a choice that leaves it in', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    person.onReview = () => choose;
    person.onList = (list) => {
      list.check([]);
      list.accept();
    };
    assert.equal(await scene.send('Why?', [env]), true);
    assert.equal(person.reviews.length, 1);
    assert.ok(!sentText(scene).includes('DB_PASSWORD'));
    person.onList = (list) => list.accept();
    person.onReview = () => (person.reviews.length === 2 ? choose : 'Mask and Send');
    assert.equal(await scene.send('Why?', [{ ...env, id: 'again' }]), true);
    assert.deepEqual([person.reviews.length, person.lists.length], [3, 2]);
    assert.ok(sentText(scene).includes('MASKED_PASSWORD_1'));
  }));

test('sends what is in the box when the review is answered', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    person.onReview = () => {
      const { contexts } = scene.chat.live.composed;
      scene.chat.live.setDraft({ contexts: [...contexts.slice(1), fileOf('cart', 3)] });
      return 'Send As Is';
    };
    assert.equal(await scene.send('Why?', [env]), true);
    assert.match(sentText(scene), /src\/cart\.ts/);
    assert.doesNotMatch(sentText(scene), /DB_PASSWORD/);
  }));

test('masks in the context what a text that is typed during the review shows to be a secret', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    person.onReview = () => {
      if (person.reviews.length === 1) {
        scene.chat.live.setDraft({ text: 'Is my password: Kz82mQx1 right?' });
      }
      return 'Mask and Send';
    };
    const bare = { ...fileOf('login', 1), text: 'login(ann, Kz82mQx1)\n' };
    assert.equal(await scene.send('Why?', [env, bare]), true);
    assert.equal(person.reviews.length, 2);
    assert.ok(!sentText(scene).includes('Kz82mQx1'), sentText(scene));
  }));

test('turns off the search for secrets in a file without sending it', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    const uri = 'file:///shop/app/.env';
    person.onReview = () => 'Never for This File';
    assert.equal(await scene.send('Why?', [{ ...env, uri }]), false);
    assert.equal(gateway.postCount(), 0);
    assert.deepEqual([...scene.unscanned], [uri]);
    assert.equal(scene.chat.live.composed.contexts[0]?.text, env.text);
    assert.equal((await scene.calls.askDraft('b1')).ok, true);
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.equal(person.reviews.length, 1);
    assert.ok(sentText(scene).includes(secret));
  }));

test('asks about all that speaks against a question at once, and sends it to the gateway that was confirmed', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send('Zero');
    const first = new URL(gateway.baseUrl).host;
    const other = first.replace('127.0.0.1', 'localhost');
    scene.use(gateway.baseUrl.replace('127.0.0.1', 'localhost'));
    scene.costs.set(model.id, { low: 0.2, high: 0.6, unit: 'USD' });
    person.settings['askModel.confirmPrice'] = 0.5;
    person.onReview = () => 'Mask and Send';
    assert.equal(await scene.send('Why?', [env]), true);
    assert.equal(person.reviews.length, 1);
    assert.deepEqual(person.reviews[0]?.objections.slice(0, 2), [
      envIs,
      `This question was meant for ${first}, but the active connection is ${other}. The whole conversation, including code, is sent to ${other} and charged there.`,
    ]);
    assert.match(person.reviews[0]?.objections[2] ?? '', /^Estimated cost: \$0\.20–\$0\.60\. /);
    assert.equal(scene.reply.host, other);
    assert.equal(gateway.postCount(), 2);
    scene.use(gateway.baseUrl);
    person.onReview = () => 'Send';
    await scene.calls.askAgain('b1', 'sendAgain', scene.turn.id);
    await until(() => assert.equal(scene.chat.isBusy, false));
    scene.use(gateway.baseUrl.replace('127.0.0.1', 'localhost'));
    await scene.calls.askAgain('b2', 'sendAgain', scene.turn.id);
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.deepEqual([scene.reply.host, person.reviews.length], [other, 2], 'the way back was confirmed before');
  }));

test('asks nothing about a question that is stopped while it is looked at', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    person.settings['askModel.confirmPrice'] = 0.01;
    scene.costs.set(model.id, { low: 1, high: 2, unit: 'USD' });
    Object.defineProperty(scene, 'limits', {
      get: () => {
        scene.chat.stop('a1');
        return unlimited;
      },
    });
    assert.equal(await scene.send('Why?'), false);
    assert.deepEqual([person.reviews, gateway.postCount(), scene.chat.live.composed.text], [[], 0, 'Why?']);
  }));

test('offers nothing but to raise a limit that is reached, and sends nothing', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    scene.limits = { ...unlimited, hard: { calls: 1 } };
    assert.equal(await scene.send('One'), true);
    person.onReview = () => 'Raise Limit…';
    assert.equal(await scene.send('Two', [env]), false);
    assert.deepEqual(person.reviews, [
      {
        objections: [
          envIs,
          'Daily limit reached. Calls allowed per day and connection: 1. Made today: 1. Nothing was sent. Raise the limit in the settings, or try again tomorrow.',
        ],
        answers: ['Raise Limit…'],
      },
    ]);
    assert.deepEqual(person.commands, [['workbench.action.openSettings', '@id:askModel.dailyLimit']]);
    assert.equal(scene.chat.live.composed.text, 'Two');
    assert.equal(gateway.postCount(), 1);
    scene.limits = { ...unlimited, hard: { calls: 2 } };
    person.onReview = () => 'Mask and Send';
    assert.equal(await scene.send('Two', [env]), true);
    assert.equal(gateway.postCount(), 2);
  }));

test('asks once a day before a model without a price is asked under a limit of costs', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    scene.limits = { ...unlimited, hard: { cost: 1 } };
    assert.equal(await scene.send('One'), false);
    person.onReview = () => 'Send';
    assert.equal(await scene.send('One'), true);
    assert.equal(await scene.send('Two'), true);
    assert.equal(person.reviews.length, 2);
    assert.match(person.reviews[0]?.objections.join() ?? '', /^You set a daily limit for costs, but no price of /);
  }));

test('has a row for each sentence in that list, which VS Code cuts off at its width', async () => {
  const labels: string[] = [];
  FakePick.onShow = (list) => {
    labels.push(...list.items.map(({ label }) => label));
    setImmediate(() => list.hide());
  };
  const cost = "Estimated cost: up to $0.0082. You're asked above $0.0001 (setting askModel.confirmPrice).";
  const objections = [cost, "gpt-5.1 isn't in the list.", '已达到每日上限。未发送任何内容。'];
  await pickAnswer({ title: '', objections, answers: [] });
  assert.deepEqual(labels.slice(0, -2), [
    'Estimated cost: up to $0.0082.',
    "You're asked above $0.0001 (setting askModel.confirmPrice).",
    "gpt-5.1 isn't in the list.",
    '已达到每日上限。',
    '未发送任何内容。',
  ]);
});

test('asks in a list where no panel is open, in which Enter answers nothing before an answer is selected', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    person.isPanelOpen = false;
    const labels: string[][] = [];
    person.onList = (list) => {
      labels.push(list.items.map(({ label }) => label));
      const answer = list.items.find(({ label }) => label === (labels.length === 1 ? 'Cancel' : 'Mask and Send'));
      for (const selected of [list.items.slice(0, 1), answer ? [answer] : []]) {
        assert.equal(gateway.postCount(), 0);
        list.selectedItems = selected;
        list.accept();
      }
    };
    const asked = {
      caller: 'explain',
      question: 'Explain this.',
      contexts: [env],
      model: model.id,
      host: undefined,
    } as const;
    assert.equal((await scene.calls.ask(asked, scene.findSender)).ok, false);
    assert.equal(scene.chat.live.composed.text, 'Explain this.');
    assert.equal((await scene.calls.ask(asked, scene.findSender)).ok, true);
    await until(() => assert.equal(scene.chat.isBusy, false));
    assert.deepEqual(labels[0], [envIs, '', 'Mask and Send', 'Send As Is', choose, 'Cancel']);
    assert.ok(!sentText(scene).includes(secret));
  }));

test(
  '100 ordinary sends meet two reviews: one for a secret, and one for a price above the limit',
  { skip: isQuick },
  () =>
    withGateway(async (gateway, key) => {
      let [sends, reviews] = [0, 0];
      for (let conversation = 0; conversation < 20; conversation++) {
        const scene = new Scene(gateway, key);
        person.settings['askModel.confirmPrice'] = 0.25;
        person.onReview = ({ answers }) => answers[0];
        for (let question = 0; question < 5; question++) {
          const files = conversation === 7 ? [env] : conversation % 4 === 0 && question < 2 ? [fileOf('cart', 20)] : [];
          // Each question of a conversation costs a little more than the one before.
          const high = (conversation === 11 ? 0.3 : 0.01) + question / 200;
          scene.costs.set(model.id, { low: high / 2, high, unit: 'USD' });
          let host: string | undefined;
          if (conversation === 13 && question === 3) {
            scene.use(gateway.baseUrl.replace('127.0.0.1', 'localhost'));
            // The line above the box says so.
            ({ host } = new URL(scene.connections.active.url.base));
          }
          const contexts = files.map((file) => ({ ...file, id: `${file.id}${question}` }));
          assert.equal(await scene.send(`Question ${question}: what does round() do?`, contexts, host), true);
          sends++;
        }
        reviews += person.reviews.length;
      }
      assert.deepEqual([sends, gateway.postCount(), reviews], [100, 100, 2]);
    }),
);
