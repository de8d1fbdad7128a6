import assert from 'node:assert/strict';
import type { Picture } from '../../../../../src/core/base/pictures.ts';
import type { Conversation, Reply } from '../../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation, readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import type { CallOrigin, Sender } from '../../../../../src/core/chat/sending/callGate.ts';
import { Chat } from '../../../../../src/core/chat/sending/chat.ts';
import type { ChatRequest, ReplyEnd } from '../../../../../src/core/client/gatewayClient.ts';
import { KeyRemover, removedKey } from '../../../../../src/core/secrets/keyRemover.ts';
import { ManualClock } from '../../base/manualClock.ts';

/** One call as a gateway receives it. The test decides what arrives and how it ends. */
export type Call = {
  request: ChatRequest;
  facts: CallOrigin;
  delta(text: string, reasoning?: string, allBefore?: 'reasoning' | 'text', ...pictures: Picture[]): void;
  end(end?: ReplyEnd): Promise<void>;
  fail(error: unknown): Promise<void>;
  signal: AbortSignal;
};

export const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

const fail = (error: unknown) => assert.fail(String(error));

/** The ports of a chat where nothing fails and no other window is open; only its sender and its clock are missing. */
export const calmPorts = {
  store: {
    keepPicture: async (): Promise<void> => undefined,
    append: async (_id: string, _text: string): Promise<void> => undefined,
    isOnDisk: async () => true,
    lock: async (): Promise<(() => void) | undefined> => () => undefined,
  },
  maskSuffix: () => 'k3f9x2a8b7c6',
  reread: async () => undefined,
  onKeepFailed: fail,
  onDefect: fail,
};

/** A chat with a gateway, a disk and a clock that the test controls. */
export class Scene {
  readonly clock = new ManualClock();
  readonly calls: Call[] = [];
  /** The pieces that were written to the file. */
  readonly written: string[] = [];
  readonly events: string[] = [];
  readonly keepFailures: unknown[] = [];
  storedAgain = 0;
  readonly defects: unknown[] = [];
  readonly pictures: Picture[] = [];
  keep: (text: string) => Promise<void> = async (text) => void this.written.push(text);
  /** The stored conversation with what another window added, if it did. */
  reread: () => Promise<Conversation | undefined> = async () => undefined;
  isInMemory = false;
  released = 0;
  lock: () => Promise<(() => void) | undefined> = async () => () => void this.released++;
  findSender: () => Promise<{ ok: true; sender: Sender } | { ok: false; reason: string }> = async () => ({
    ok: true,
    sender: this.sender,
  });
  readonly sender: Sender = {
    host: 'gateway.example',
    send: (request, facts, onDelta, signal) =>
      new Promise<ReplyEnd>((resolve, reject) => {
        signal.addEventListener('abort', () => resolve({ outcome: 'stopped' }));
        this.calls.push({
          request,
          facts,
          signal,
          delta: (text, reasoning = '', allBefore, ...pictures) => onDelta({ text, reasoning, allBefore, pictures }),
          end: (end = { outcome: 'complete', finishReason: 'stop' }) => {
            resolve(end);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
  };
  readonly chat: Chat;
  readonly keys = new KeyRemover(removedKey, true);
  /** Addresses of files that no secrets are looked for in. */
  readonly unscanned = new Set<string>();

  constructor(conversation: Conversation = emptyConversation('c1', 5), isStored = false, maskSuffix = 'k3f9x2a8b7c6') {
    this.chat = new Chat(conversation, isStored, {
      findSender: () => this.findSender(),
      keys: this.keys,
      isScanned: (uri) => !this.unscanned.has(uri),
      maskSuffix: () => maskSuffix,
      clock: this.clock,
      store: {
        ...calmPorts.store,
        append: (_, text) => this.keep(text),
        keepPicture: async (_, picture) => void this.pictures.push(picture),
        isOnDisk: async () => !this.isInMemory,
        lock: () => this.lock(),
      },
      reread: () => this.reread(),
      onKeepFailed: (error) => this.keepFailures.push(error),
      onStoredAgain: () => this.storedAgain++,
      onDefect: (error) => this.defects.push(error),
    });
    this.chat.live.onDidChange(({ type }) => this.events.push(type));
  }

  get file(): string {
    return this.written.join('');
  }

  get reply(): Reply {
    const reply = this.chat.live.conversation.turns.at(-1)?.replies.at(-1);
    assert.ok(reply);
    return reply;
  }

  call(index = -1): Call {
    const call = this.calls.at(index);
    assert.ok(call, 'a request was sent');
    return call;
  }

  /** Answers the last call with a text. */
  async answer(text = 'So.'): Promise<void> {
    this.call().delta(text);
    await this.call().end();
  }

  /** Ends the last call, and waits until all of it is stored. */
  async end(end?: ReplyEnd): Promise<void> {
    await this.call().end(end);
    await this.chat.live.settled();
  }

  /** Asserts that the file has the conversation as it is shown. */
  assertStored(): void {
    assert.deepEqual(readConversation('c1', this.file), { conversation: this.chat.live.conversation, unreadLines: 0 });
  }

  /** Sends an action, and waits until its requests were sent. */
  async act(action: Parameters<Chat['send']>[0]): Promise<void> {
    assert.deepEqual(await this.chat.send(action), { ok: true });
    await settle();
  }

  async ask(id = 'a1', question = 'Why?'): Promise<void> {
    await this.act({ id, question, contexts: [], models: ['m'] });
  }
}
