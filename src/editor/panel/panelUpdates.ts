import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { turnsBeside, visibleTurns } from '../../core/chat/conversation/branches.ts';
import { type Conversation, isRunning, type Reply, titleOf } from '../../core/chat/conversation/conversation.ts';
import type { ConversationEvent } from '../../core/chat/conversation/conversationRecord.ts';
import { hasUnknownMasks, withCharges, withSecrets } from '../../core/chat/conversation/withSecrets.ts';
import { MaskRestorer, type Masks } from '../../core/chat/masking/masks.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import { DeltaJoiner } from '../../core/chat/sending/deltaJoiner.ts';
import type { QuestionCosts } from '../../core/chat/sending/questionCosts.ts';
import { lockedReason } from '../../core/chat/store/conversationStore.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { isAccountProblem } from '../../core/errors/consolePage.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { shownModels } from '../../core/models/catalogue/shownGroups.ts';
import type { ReplyDelta } from '../../core/reply/replyContent.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { questionPriceText } from '../../core/usage/prices/questionPrice.ts';
import type { ComposerView, HostMessage } from '../../protocol/protocol.ts';
import type { Log } from '../ui/log.ts';
import type { InstructionFiles } from './instructionFiles.ts';
import { type ComparisonLayout, composerView, replyUpdate, switchedView, turnView, turnViews } from './panelView.ts';
import { canSendAsIs, onlyFile, secretsText } from './secretsText.ts';

export type PanelUpdatesDeps = {
  readonly layout: ComparisonLayout;
  readonly clock: Clock;
  /** Exact id of the model the next question is sent to. */
  readonly model: () => string | undefined;
  /** The host a question would be sent to now. */
  readonly host: () => string | undefined;
  /** What to multiply estimates of tokens with for a model, as learned from its calls. */
  readonly tokenFactor: (model: string) => number;
  /** A change may affect which model is the default, and what is known of the model. */
  readonly catalogue: Pick<Catalogue, 'onDidChange' | 'view'>;
  /** The active one has the system prompts and the parameters. */
  readonly connections: Pick<Connections, 'active' | 'all' | 'onDidChange'>;
  readonly accounts: Pick<Accounts, 'balance' | 'read' | 'refused' | 'onDidChange'>;
  readonly instructions: Pick<InstructionFiles, 'offers' | 'onDidChange' | 'refresh'>;
  readonly costs: Pick<QuestionCosts, 'price' | 'onDidChange'>;
  /** A call has the id of its reply. */
  readonly ledger: () => Pick<Ledger, 'chargedOf' | 'onDidReceive'>;
  /** Whether another window makes a call in this conversation. */
  readonly isLockedElsewhere: () => Promise<boolean>;
  readonly log: Pick<Log, 'defect'>;
};

/** How often a visible panel looks for calls of other windows, of which VS Code tells nothing. */
const otherWindowsMs = 2_000;

/** Sends the panel's page the state of the conversation: first a snapshot, then each change in order. */
export class PanelUpdates implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #chat: Chat;
  readonly #deps: PanelUpdatesDeps;
  readonly #store = new DisposableStore();
  readonly #deltas: DeltaJoiner;
  /** Whether the page has asked for its snapshot. Before that, messages are dropped. */
  #isListening = false;
  #hasNotedMasks = false;
  #isLockedElsewhere = false;
  #otherWindowsTimer: Disposable | undefined;
  /** Messages for a page that isn't ready yet. */
  readonly #waiting = new Map<HostMessage['type'], HostMessage>();
  readonly #restored: RestoredReplies;
  /** Ids of turns with a new reply that was not posted yet. The replies of a comparison begin at the same time. */
  readonly #begun = new Set<string>();

  constructor(webview: vscode.Webview, chat: Chat, deps: PanelUpdatesDeps) {
    this.#webview = webview;
    this.#chat = chat;
    this.#deps = deps;
    this.#restored = new RestoredReplies(chat.masks);
    this.#deltas = this.#store.add(
      new DeltaJoiner(deps.clock, (replyId, delta) => this.#postDelta(replyId, this.#restored.push(replyId, delta))),
    );
    this.#store.add(chat.onDidChange((event) => this.#show(event)));
    const { catalogue, connections, instructions, accounts, costs } = deps;
    for (const { onDidChange } of [catalogue, connections, instructions, accounts, costs]) {
      this.#store.add(onDidChange(() => this.composer()));
    }
    this.#store.add(deps.connections.onDidChange(() => this.#readAccount()));
    this.#store.add(deps.ledger().onDidReceive(() => this.snapshot()));
  }

  /** Called when the page is ready, or has missed a message: sends a snapshot. */
  begin(): void {
    this.#isListening = true;
    this.snapshot();
    this.#deps.instructions.refresh();
    this.#readAccount();
    for (const message of this.#waiting.values()) {
      this.post(message);
    }
    this.#waiting.clear();
    this.#noteUnknownMasks();
    void this.#checkOtherWindows();
  }

  /** Says while another window makes a call in this conversation, because nothing can be sent here then. */
  async #checkOtherWindows(): Promise<void> {
    const isLocked = await this.#deps.isLockedElsewhere().catch(() => false);
    if (!this.#isListening) {
      return;
    }
    if (isLocked !== this.#isLockedElsewhere) {
      this.#isLockedElsewhere = isLocked;
      this.composer();
    }
    this.#otherWindowsTimer?.dispose();
    this.#otherWindowsTimer = this.#deps.clock.after(otherWindowsMs, () => void this.#checkOtherWindows());
  }

  /** Reads the balance that the composer shows. */
  #readAccount(): void {
    const { active } = this.#deps.connections;
    void (this.#isListening && active && this.#deps.accounts.read(active));
  }

  /** Says once why masks are not restored. */
  #noteUnknownMasks(): void {
    const { conversation, masks } = this.#chat;
    if (!this.#hasNotedMasks && hasUnknownMasks(conversation, masks)) {
      this.#hasNotedMasks = true;
      const reason = l10n.t('Masked values stay masked in this conversation: VS Code had them in memory only.');
      this.post({ type: 'notAdded', reason, isNote: true });
    }
  }

  /** Sends a message as soon as the page is ready; of each type, only the last one waits. */
  postWhenReady(message: HostMessage): void {
    if (this.#isListening) {
      this.post(message);
    } else {
      this.#waiting.set(message.type, message);
    }
  }

  /** Called when VS Code has discarded the page. A new page sends `ready`. */
  end(): void {
    this.#isListening = false;
    this.#otherWindowsTimer?.dispose();
  }

  snapshot(): void {
    const conversation = this.#conversation;
    const turns = turnViews(conversation, this.#deps.layout);
    this.post({ type: 'snapshot', title: titleOf(conversation), turns, composer: this.#composer() });
  }

  /** The conversation as it is shown. */
  get #conversation(): Conversation {
    return withSecrets(this.#charged, this.#chat.masks);
  }

  get #charged(): Conversation {
    return withCharges(this.#chat.conversation, (id) => this.#deps.ledger().chargedOf(id));
  }

  #postDelta(replyId: string, { text, reasoning }: ReplyDelta): void {
    if (text !== '' || reasoning !== '') {
      this.post({ type: 'delta', replyId, text, reasoning });
    }
  }

  composer(): void {
    this.post({ type: 'composer', composer: this.#composer() });
  }

  /** Posts the change that an event of the conversation made. */
  #show(event: ConversationEvent): void {
    if (event.type === 'delta') {
      if (event.allBefore === undefined) {
        this.#deltas.push(event.replyId, event);
      } else {
        // The page can only add to texts.
        this.snapshot();
      }
      return;
    }
    const { turns } = this.#conversation;
    switch (event.type) {
      case 'reply': {
        const turn = turns.find(({ id }) => id === event.turnId);
        if (turn) {
          this.#deps.layout.choose(turn, event.id);
        }
        if (this.#begun.size === 0) {
          queueMicrotask(() => this.#postBegun());
        }
        this.#begun.add(event.turnId);
        return;
      }
      case 'end': {
        const turn = turns.find(({ replies }) => replies.some(({ id }) => id === event.replyId));
        const reply = turn?.replies.find(({ id }) => id === event.replyId);
        if (turn && reply) {
          this.#deltas.flush();
          this.#postDelta(reply.id, this.#restored.end(reply.id));
          this.post({ type: 'reply', reply: replyUpdate(reply, turn) });
          this.composer();
          const { active } = this.#deps.connections;
          if (active && reply.host === this.#deps.host() && isAccountProblem(reply.problem)) {
            void this.#deps.accounts.refused(active);
          }
        }
        return;
      }
      case 'choose':
      case 'chooseTurn':
      case 'conversation':
        // `conversation`: another window has continued the conversation.
        this.snapshot();
        return;
      case 'systemPrompt':
      case 'parameters':
        this.composer();
        return;
      case 'edit':
      case 'cancelEdit':
        this.composer();
        this.post({ type: 'focus' });
        return;
      case 'draft':
        if (turns.length === 0) {
          // A first question that could not be sent is now in the composer.
          this.snapshot();
        }
        return;
      case 'title':
      case 'turn':
        return;
      default:
        event satisfies never;
    }
  }

  /** Posts the turns that have new replies. */
  #postBegun(): void {
    const conversation = this.#conversation;
    const visible = new Set(visibleTurns(conversation));
    for (const turnId of this.#begun) {
      const turn = conversation.turns.find(({ id }) => id === turnId);
      const view = turn && turnView(turn, turnsBeside(conversation), this.#deps.layout);
      if (turn && view && visible.has(turn)) {
        this.post({ type: 'turn', turn: view });
        if (view.questions) {
          // The turn begins a new branch, so the turns after the fork are no longer shown.
          this.snapshot();
          continue;
        }
      }
      // A turn on a hidden branch is not posted, but its reply is running.
      this.composer();
    }
    this.#begun.clear();
  }

  /** Sends a message to the page, after the deltas that were pushed before it. */
  post(message: HostMessage): void {
    if (message.type === 'snapshot') {
      // The snapshot contains their text.
      this.#deltas.drop();
    } else if (message.type !== 'delta') {
      this.#deltas.flush();
    }
    if (message.type === 'snapshot' || message.type === 'turn') {
      this.#restored.restart(this.#chat.conversation.turns.flatMap(({ replies }) => replies));
    }
    if (this.#isListening) {
      this.#webview
        .postMessage(message)
        .then(undefined, (error: unknown) => this.#deps.log.defect(`Message ${message.type} to the panel`, error));
    }
  }

  dispose(): void {
    this.end();
    this.#store.dispose();
  }

  /** What to multiply estimates of tokens with for the model that is asked next. */
  get tokenFactor(): number {
    const id = this.#deps.model();
    return id === undefined ? 1 : this.#deps.tokenFactor(id);
  }

  #composer(): ComposerView {
    const { model, host, catalogue, connections, instructions, costs } = this.#deps;
    const { conversation, starting, hasBegun } = this.#chat;
    const secrets = this.#chat.secretsIn();
    const id = model();
    const connection = connections.active;
    const secretContexts = new Set(secrets.map(({ context }) => context));
    const view = composerView(this.#charged, id, host(), this.tokenFactor, {
      hasSecret: (context) => secretContexts.has(context),
      isMasked: (text) => {
        const sent = this.#chat.withoutSecrets(text);
        return this.#chat.masks.all.some((mask) => sent.includes(mask));
      },
      starting,
      connection,
      offers: instructions.offers(conversation),
      isStored: hasBegun,
      facts: id === undefined ? undefined : shownModels(catalogue).get(id)?.model,
    });
    const balance = connection && this.#deps.accounts.balance(connection);
    const price = id === undefined ? undefined : costs.price(conversation, id);
    const switched = switchedView(conversation, connections.all);
    return {
      ...view,
      ...(switched && { switched }),
      ...(this.#isLockedElsewhere && { due: lockedReason('otherWindow'), mayBeDone: true }),
      ...(balance && { balance }),
      ...(price && { price: { ...price, hint: questionPriceText(price) } }),
      draft: this.#chat.unmask({ text: view.draft, contexts: [] }).text,
      ...(secrets.length > 0 && {
        secrets: {
          text: secretsText(secrets),
          canLeaveOut: secrets.some(({ context }) => context !== undefined),
          isOneFile: onlyFile(secrets) !== undefined,
          canSendAsIs: canSendAsIs(secrets),
        },
      }),
    };
  }
}

type Restorers = Readonly<Record<'text' | 'reasoning', MaskRestorer>>;

/** Puts secrets back into replies while they arrive. What may be the start of a mask is held back. */
export class RestoredReplies {
  readonly #masks: Masks;
  /** By reply id; only for replies that got text while there were masks. */
  readonly #restorers = new Map<string, Restorers>();

  constructor(masks: Masks) {
    this.#masks = masks;
  }

  /** @returns what can be shown of a delta, with what was held back before it. */
  push(replyId: string, delta: ReplyDelta): ReplyDelta {
    const restorers = this.#restorers.get(replyId) ?? (this.#masks.size > 0 ? this.#begin(replyId) : undefined);
    return restorers
      ? { text: restorers.text.push(delta.text), reasoning: restorers.reasoning.push(delta.reasoning) }
      : delta;
  }

  /** Ends a reply. @returns what was held back. */
  end(replyId: string): ReplyDelta {
    const restorers = this.#restorers.get(replyId);
    this.#restorers.delete(replyId);
    return { text: restorers?.text.end() ?? '', reasoning: restorers?.reasoning.end() ?? '' };
  }

  /** Continues after the page got all that `withSecrets` shows of these replies. */
  restart(replies: readonly Reply[]): void {
    this.#restorers.clear();
    if (this.#masks.size === 0) {
      return;
    }
    for (const reply of replies.filter(isRunning)) {
      const { text, reasoning } = this.#begin(reply.id);
      text.push(reply.text);
      reasoning.push(reply.reasoning);
    }
  }

  #begin(replyId: string): Restorers {
    const restorers = { text: new MaskRestorer(this.#masks), reasoning: new MaskRestorer(this.#masks) };
    this.#restorers.set(replyId, restorers);
    return restorers;
  }
}
