import assert from 'node:assert/strict';
import type { Webview } from 'vscode';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelUpdates.ts';
import { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import type { ComposerView, HostMessage, ShownReply, ShownTurn } from '../../../../src/protocol/protocol.ts';
import { AccountsFixture } from '../../core/account/accountsFixture.ts';
import { Scene } from '../../core/chat/sending/chatScene.ts';
import { openLedger } from '../../core/usage/memoryLedger.ts';

const onDidChange = () => ({ dispose: () => undefined });

/** A list without models, in which nothing was chosen. */
const noModels = catalogueView(undefined, noChoices, new Set());

/** What the updates of a page use beside its conversation. */
type Around = {
  readonly account?: AccountsFixture;
  readonly active?: Connection;
  readonly opened?: ReturnType<typeof openLedger>;
  readonly isLockedElsewhere?: () => Promise<boolean>;
};

/** What a panel needs of the other rooms, where nothing is connected unless the test says so. */
export function partsOf(scene: Scene, onDefect: (where: string) => void, around: Around = {}): PanelParts {
  const { account = new AccountsFixture(), active, opened = openLedger(), isLockedElsewhere } = around;
  return {
    shared: { clock: scene.clock, log: { defect: onDefect, warn: () => undefined } },
    gateways: {
      catalogue: { onDidChange, view: noModels },
      connections: { active, all: active ? [active] : [], onDidChange },
      accounts: account.accounts,
      costs: { price: () => undefined, onDidChange },
      ledger: () => opened.ledger,
    },
    store: { isLockedElsewhere: isLockedElsewhere ?? (async () => false), isOnDisk: async () => true },
    changes: { onDidChange, blocks: [{ replyId: 'a1', block: 0 }] },
  } as unknown as PanelParts;
}

/** The page of a conversation's panel, which receives the updates and does with them what a real one does. */
export class ShownPage {
  readonly scene: Scene;
  readonly updates: PanelUpdates;
  /** The messages that the page received, in their order. */
  readonly messages: HostMessage[] = [];
  turns: ShownTurn[] = [];
  /** All of them that were received. */
  readonly composers: ComposerView[] = [];
  /** Whether it rejects what it receives, which is logged in `defects`. */
  isLost = false;
  readonly defects: string[] = [];

  constructor(scene = new Scene(), around: Around = {}) {
    this.scene = scene;
    const onDefect = (where: string) => (this.isLost ? this.defects.push(where) : assert.fail(where));
    const parts = partsOf(scene, onDefect, around);
    const postMessage = (message: HostMessage) => {
      this.#receive(message);
      return this.isLost ? Promise.reject(new Error('the page is gone')) : Promise.resolve(true);
    };
    const webview = { postMessage } as unknown as Webview;
    this.updates = new PanelUpdates(webview, scene.chat, { model: 'm', compared: [] }, parts);
  }

  get composer(): ComposerView | undefined {
    return this.composers.at(-1);
  }

  get reply(): ShownReply | undefined {
    return this.turns.at(-1)?.reply;
  }

  #receive(message: HostMessage): void {
    this.messages.push(message);
    if ('composer' in message) {
      this.composers.push(message.composer);
    }
    if (message.type === 'snapshot') {
      this.turns = [...message.turns];
    } else if (message.type === 'turn') {
      const at = this.turns.findIndex(({ id }) => id === message.turn.id);
      this.turns.splice(at < 0 ? this.turns.length : at, 1, message.turn);
    } else if (message.type === 'delta') {
      this.#change(message.replyId, ({ text, reasoning }) => ({
        text: text + message.text,
        reasoning: reasoning + message.reasoning,
      }));
    } else if (message.type === 'reply') {
      this.#change(message.reply.id, ({ text, reasoning }) => {
        const { length, ...reply } = message.reply;
        assert.equal(length, text.length + reasoning.length, 'no snapshot is needed');
        return reply;
      });
    }
  }

  #change(id: string, change: (reply: ShownReply) => Partial<ShownReply>): void {
    this.turns = this.turns.map((turn) =>
      turn.reply.id === id ? { ...turn, reply: { ...turn.reply, ...change(turn.reply) } } : turn,
    );
  }
}
