import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuickPickItem } from 'vscode';
import type { CostRange } from '../../../../src/core/base/costRange.ts';
import type { CodeContext } from '../../../../src/core/chat/context/prompt.ts';
import type { Conversation } from '../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { leftOutText } from '../../../../src/core/chat/conversation/messagesFor.ts';
import { CallGate } from '../../../../src/core/chat/sending/callGate.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import { defaultLimits } from '../../../../src/core/http/requestTimers.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import type { Model } from '../../../../src/core/models/list/model.ts';
import { Senders } from '../../../../src/editor/connections/findSender.ts';
import type { PaidCalls as PaidCallsOf } from '../../../../src/editor/panel/paidCalls.ts';
import type { Gateways } from '../../../../src/editor/sending/sendReview.ts';
import { systemClock as clock } from '../../../../src/node/system/machine.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import { until } from '../../../until.ts';
import { AccountsFixture } from '../../core/account/accountsFixture.ts';
import { calmPorts } from '../../core/chat/sending/chatScene.ts';
import { openLimiter } from '../../core/usage/limiterFixture.ts';
import { openLedger } from '../../core/usage/memoryLedger.ts';
import { withGateway } from '../../gateway/askGateway.ts';
import { send } from '../../node/network/standardNetwork.ts';
import { targetOf } from '../../wire/wireCall.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type List = {
  title: string;
  items: readonly QuickPickItem[];
  selectedItems: readonly QuickPickItem[];
  check(items: readonly QuickPickItem[]): void;
  accept(): void;
  hide(): void;
};
type Dialog = { readonly message: string; readonly buttons: readonly string[]; readonly detail?: string };
/** What VS Code shows, and what the person does then. */
const person = {
  lists: [] as List[],
  dialogs: [] as Dialog[],
  onList: (list: List): void => list.accept(),
  onDialog: (_: Dialog): string | undefined => undefined,
  settings: {} as Record<string, unknown>,
};
Object.assign(globalThis, { personOfTest: person });
const vscode = `data:text/javascript,
  const person = globalThis.personOfTest;
  export const QuickPickItemKind = { Separator: -1 };
  export const workspace = {
    getConfiguration: () => ({ inspect: (id) => ({ globalValue: person.settings[id] }) }),
  };
  export const window = {
    createQuickPick: () => {
      const pick = { items: [], selectedItems: [], dispose() {} };
      pick.onDidChangeSelection = (listener) => (pick.check = (items) => { pick.selectedItems = items; listener(items); });
      pick.onDidAccept = (listener) => (pick.accept = listener);
      pick.onDidHide = (listener) => (pick.hide = listener);
      pick.show = () => {
        person.lists.push(pick);
        setImmediate(() => person.onList(pick));
      };
      return pick;
    },
    showWarningMessage: async (message, options, ...buttons) => {
      person.dialogs.push({ message, buttons, ...(options.detail.includes('cost') && { detail: options.detail }) });
      return person.onDialog({ message, buttons });
    },
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, vscode);
const { PaidCalls } = await import('../../../../src/editor/panel/paidCalls.ts');

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
  readonly #gateway: Gateway;
  #actions = 0;

  constructor(gateway: Gateway, key: string, models: readonly Model[] = [model, embedding], modelToAsk = model.id) {
    person.lists = [];
    person.dialogs = [];
    person.onList = (list) => list.accept();
    person.onDialog = () => undefined;
    person.settings = {};
    this.#gateway = gateway;
    const client = new GatewayClient({ transport: send, clock, limits: { ...defaultLimits }, userAgent: 'test/1' });
    const { ledger } = openLedger();
    const gate = new CallGate({
      client,
      limiter: openLimiter(ledger, clock),
      priceNow: () => undefined,
      clock,
    });
    const { url } = targetOf(gateway.baseUrl, key);
    const connection = { id: 'g', name: 'work', url, headers: {}, probes: false };
    const destination = {
      findDestination: async () => ({ status: 'ready', connection, key }) as const,
      readKeys: async () => undefined,
    };
    this.chat = new Chat(emptyConversation('c1', 5), false, {
      ...calmPorts,
      findSender: new Senders(destination, gate, 'test/1', { read: () => false }, () => undefined).find,
      clock,
      store: {
        ...calmPorts.store,
        append: async (_, text) => {
          this.file += text;
        },
      },
      reread: () => this.reread(),
    });
    const gateways = {
      catalogue: {
        modelToAsk,
        used: async () => undefined,
        view: { list: { models, dropped: 0 }, choices: noChoices, newIds: new Set() },
      },
      connections: { active: connection },
      accounts: new AccountsFixture().accounts,
      costs: {
        tokenFactor: (id: string) => ledger.tokenFactor(id),
        range: (_: Conversation, id: string) => this.costs.get(id),
      },
      pickModel: async () => this.picked,
      ensureConnected: async () => true,
    } as unknown as Gateways;
    this.calls = new PaidCalls(this.chat, gateways, {
      defect: (where, error) => assert.fail(`${where}: ${error}`),
    });
  }

  /** Types a question and sends it. @returns whether it was sent, after its answer has ended. */
  async send(text: string, contexts: readonly CodeContext[] = []): Promise<boolean> {
    this.chat.live.setDraft({ text, contexts });
    const { ok } = await this.calls.askDraft(`a${++this.#actions}`);
    await until(() => assert.equal(this.chat.isRunning, false));
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

test('sends nothing and loses no text when the person closes the list', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    await scene.send(`One ${long}`);
    await scene.send(`Two ${long}`);
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
    person.onList = (list) => {
      const rows = list.items.filter(({ kind }) => kind === undefined);
      assert.deepEqual(
        rows.map(({ label }) => label.replace(/–\d+/, '–N')),
        [
          'src/cart.ts, lines 1–N',
          'src/cart.ts, lines 1–N',
          'One word word word word word word word word word word word…',
          'Two',
        ],
      );
      const [part, whole, one, two] = rows as [QuickPickItem, QuickPickItem, QuickPickItem, QuickPickItem];
      assert.ok(list.selectedItems.includes(part) && !list.selectedItems.includes(whole));
      titles.push(list.title);
      list.check([whole, ...list.selectedItems]);
      assert.ok(list.selectedItems.includes(whole) && !list.selectedItems.includes(part), 'one replaces the other');
      titles.push(list.title);
      list.check([]);
      list.check([part, whole]);
      assert.deepEqual(list.selectedItems, [whole], 'what is checked is what is sent, also when all rows are checked');
      list.check([]);
      list.check([part, one]);
      list.check([part, two]);
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
    assert.match(received[2]?.content ?? '', /^Why\?\n\nFrom `src\/cart\.ts`, lines 1–\d+ of 3000:/);
    assert.match(leftOutText(reply, turn) ?? '', /^Left out: 1 earlier question and cart\.ts except lines 1–\d+$/);
    assert.equal(turn.contexts[0]?.text, file.text, 'the whole file stays with the question');
    // The next question has the lines that were sent, unless it leaves out more.
    person.onList = (list) => list.accept();
    await scene.send('And?');
    assert.ok(scene.received.every(({ content }) => !content.includes('The whole file')));
  }));

test('sends what does not fit only after another question', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    const all = (list: List) => {
      list.check(list.items.filter(({ kind }) => kind === undefined));
      list.accept();
    };
    await scene.send(`One ${long}`);
    await scene.send(`Two ${long}`);
    const posts = gateway.postCount();
    person.onList = (list) => (person.dialogs.length > 0 ? list.hide() : all(list));
    assert.equal(await scene.send(`Three ${long}`), false);
    assert.deepEqual(person.dialogs, [
      { message: "The question doesn't fit into the context window of qwen3-8b.", buttons: ['Send Anyway'] },
    ]);
    assert.equal(person.lists.length, 2, 'the list comes back');
    assert.equal(gateway.postCount(), posts);
    person.onList = all;
    person.onDialog = ({ buttons }) => buttons[0];
    assert.equal(await scene.send(`Three ${long}`), true);
    assert.equal(scene.received.length, 5);
    assert.equal(scene.reply.leftOut, undefined);
  }));

test('asks in a dialog about a long question that has nothing to leave out', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key);
    assert.equal(await scene.send(`One ${long.repeat(4)}`), false);
    assert.deepEqual(person.dialogs, [
      { message: "The question doesn't fit into the context window of qwen3-8b.", buttons: ['Send Anyway'] },
    ]);
    person.settings['askModel.context.confirmTokens'] = 2_000;
    person.onDialog = ({ buttons }) => buttons[0];
    assert.equal(await scene.send(`One ${long}`), true);
    assert.deepEqual(person.dialogs[1], { message: 'Send a question of this size to qwen3-8b?', buttons: ['Send'] });
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
      assert.deepEqual(await scene.calls.askAgain('b1', scene.turn.id, scene.reply.id, undefined, true), { ok: true });
      await until(() => assert.equal(scene.chat.isRunning, false));
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
      await scene.calls.askAgain('b1', scene.turn.id, scene.reply.id, undefined, true);
      await until(() => assert.equal(scene.chat.isRunning, false));
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
    person.onDialog = ({ buttons }) => buttons[0];
    await scene.send(`One ${long.repeat(4)}`);
    const { turn, reply } = scene;
    assert.deepEqual(await scene.calls.continueReply('c1', turn.id), { ok: true });
    await until(() => assert.equal(scene.chat.isRunning, false));
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
    await scene.send(`One ${long}`);
    assert.equal(person.lists.length, 0);
    await scene.send(`Two ${long}`);
    assert.equal(person.lists.length, 1);
    assert.match(person.lists[0]?.title ?? '', /tokens · context window unknown$/);
    assert.equal(scene.reply.leftOut, undefined, 'nothing has to be left out');
    await scene.send('Three');
    assert.equal(person.lists.length, 1);
    await scene.send(`Four ${long}${long}`);
    assert.equal(person.lists.length, 2);
    person.settings['askModel.context.confirmTokens'] = 0;
    await scene.send(`Five ${long}${long}`);
    assert.equal(person.lists.length, 2);
  }));

test('says before a question is sent that its model does not seem to be for chat, and sends it all the same', () =>
  withGateway(async (gateway, key) => {
    const scene = new Scene(gateway, key, [model, embedding], embedding.id);
    assert.equal(await scene.send('Why?'), false);
    const message =
      "text-embedding-3-small doesn't seem to be a chat model (embedding). The gateway may reject the question.";
    assert.deepEqual(person.dialogs, [{ message, buttons: ['Choose Another Model…', 'Send Anyway'] }]);
    assert.equal(gateway.postCount(), 0);
    assert.equal(scene.chat.live.composed.text, 'Why?');
    person.onDialog = () => 'Choose Another Model…';
    assert.equal(await scene.send('Why?'), false, 'none was chosen');
    scene.picked = model.id;
    assert.equal(await scene.send('Why?'), true);
    assert.equal(scene.reply.model, model.id);
    person.onDialog = () => 'Send Anyway';
    const compared = await scene.calls.ask('Both?', [], [model.id, embedding.id], undefined);
    assert.deepEqual(compared, { ok: true });
    assert.deepEqual(person.dialogs.at(-1)?.buttons, ['Send Anyway']);
    await until(() => assert.equal(scene.chat.isRunning, false));
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
    const reason =
      'You want to be asked before a question that may cost more than $0.25 (setting askModel.confirmPrice).';
    const assumed = 'With few answers so far, 4,096 output tokens are assumed.';
    assert.deepEqual(person.dialogs, [
      {
        message: 'Send this question to qwen3-8b?',
        buttons: ['Send'],
        detail: `Estimated cost: $0.20–$0.60. ${reason}`,
      },
    ]);
    assert.equal(scene.chat.live.composed.text, 'Two');
    assert.equal(gateway.postCount(), 2);
    person.onDialog = () => 'Send';
    assert.equal(await scene.send('Two'), true);
    person.dialogs = [];
    assert.equal((await scene.calls.ask('Both?', [], [model.id, other.id], undefined)).ok, true);
    const detail = `qwen3-8b: $0.20–$0.60\ngpt-5-mini: from $0.10\nEstimated cost: from $0.30. ${assumed} ${reason}`;
    assert.deepEqual(person.dialogs, [{ message: 'Send this question to 2 models?', buttons: ['Send'], detail }]);
    await until(() => assert.equal(scene.chat.isRunning, false));
    assert.equal(gateway.postCount(), 5);
    person.dialogs = [];
    person.onDialog = () => undefined;
    scene.costs.set(model.id, { low: 0.1, assumed: 0.3, unit: 'USD' });
    assert.equal(await scene.send('Three'), false, 'an answer of the assumed length would cost more');
    assert.deepEqual(person.dialogs[0]?.detail, `Estimated cost: from $0.10. ${assumed} ${reason}`);
  }));
