import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, DisposableStore } from '../../core/base/lifetime.ts';
import { turnsBeside, visibleTurns } from '../../core/chat/conversation/branches.ts';
import { answerWith } from '../../core/chat/conversation/continued.ts';
import { type Conversation, isRunning, type Reply, titleOf } from '../../core/chat/conversation/conversation.ts';
import type { ConversationEvent } from '../../core/chat/conversation/conversationRecord.ts';
import { asShown, withCharges, withSecrets } from '../../core/chat/conversation/withSecrets.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import { type ConversationStore, lockedReason } from '../../core/chat/store/conversationStore.ts';
import { isAccountProblem } from '../../core/errors/gatewayProblem.ts';
import { questionPriceText } from '../../core/usage/prices/questionPrice.ts';
import type { ComposerView, HostMessage, ReviewView } from '../../protocol/protocol.ts';
import type { ContextSources } from '../code/contextFinder.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import type { Gateways, PaidCalls } from '../sending/paidCalls.ts';
import type { UnscannedFiles } from '../sending/questionSecrets.ts';
import type { QuestionSettings } from '../settingFiles/questionSettings.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { ComparisonLayout, composerView, replyUpdate, shownTurn, shownTurns, switchedView } from './panelView.ts';

/** What the panels of all conversations share. */
export type PanelParts = {
  readonly shared: SharedPorts;
  readonly gateways: Gateways;
  readonly store: ConversationStore;
  readonly sources: ContextSources;
  readonly documents: ShownTexts;
  /** The changes to files that replies propose. */
  readonly changes: ProposedChanges;
  readonly unscanned: UnscannedFiles;
  readonly questionSettings: QuestionSettings;
  readonly paid: PaidActions;
  /** The version of the extension. */
  readonly version: string;
};

/** How often a visible panel looks for calls of other windows, of which VS Code tells nothing. */
const otherWindowsMs = 2_000;

/** Sends the panel's page the state of the conversation: first a snapshot, then each change in order. */
export class PanelUpdates implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #chat: Chat;
  /** How compared questions are shown. */
  readonly layout = new ComparisonLayout();
  readonly #calls: Pick<PaidCalls, 'model' | 'compared'>;
  readonly #parts: PanelParts;
  readonly #store = new DisposableStore();
  readonly #deltas: DeltaJoiner;
  /** Whether the page has asked for its snapshot. Before that, messages are dropped. */
  #isListening = false;
  #isLockedElsewhere = false;
  #otherWindowsTimer: Disposable | undefined;
  #review: ReviewView | undefined;
  /** Messages for a page that isn't ready yet. */
  readonly #waiting = new Map<HostMessage['type'], HostMessage>();
  /** Ids of turns with a new reply that was not posted yet. The replies of a comparison begin at the same time. */
  readonly #begun = new Set<string>();

  /** @param calls has the models that the next question is sent to. */
  constructor(webview: vscode.Webview, chat: Chat, calls: Pick<PaidCalls, 'model' | 'compared'>, parts: PanelParts) {
    this.#webview = webview;
    this.#chat = chat;
    this.#calls = calls;
    this.#parts = parts;
    this.#deltas = this.#store.add(
      new DeltaJoiner(
        parts.shared.clock,
        (replyId) => this.#textsOf(replyId),
        (replyId, added) => this.post({ type: 'delta', replyId, ...added }),
      ),
    );
    this.#store.add(chat.live.onDidChange((event) => this.#show(event)));
    const { catalogue, connections, accounts, costs, ledger } = parts.gateways;
    for (const { onDidChange } of [catalogue, connections, accounts, costs]) {
      this.#store.add(onDidChange(() => this.composer()));
    }
    this.#store.add(connections.onDidChange(() => this.#readAccount()));
    this.#store.add(ledger().onDidReceive(() => this.snapshot()));
    this.#store.add(parts.changes.onDidChange(() => this.#postChanges()));
  }

  /** Whether there is a page that has asked for its snapshot. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Called when the page is ready, or has missed a message: sends a snapshot. @param font in which it is drawn. */
  begin(font?: HostMessage): void {
    this.#isListening = true;
    void (font && this.post(font));
    this.snapshot();
    this.#postChanges();
    this.#readAccount();
    for (const message of this.#waiting.values()) {
      this.post(message);
    }
    this.#waiting.clear();
    void this.#checkOtherWindows();
  }

  /** Says which code blocks have a change that is open. The page ignores those of other conversations. */
  #postChanges(): void {
    const { live } = this.#chat;
    const blocks = this.#parts.changes.blocks.map(({ replyId, block }) => {
      // An answer that was continued since has another id.
      const turn = live.turnOf(replyId);
      return { replyId: (turn && answerWith(turn, replyId)?.id) ?? replyId, block };
    });
    this.post({ type: 'openChanges', blocks });
  }

  /** Says while another window makes a call in this conversation, because nothing can be sent here then. */
  async #checkOtherWindows(): Promise<void> {
    const isLocked = await this.#parts.store.isLockedElsewhere(this.#chat.live.conversation.id).catch(() => false);
    if (!this.#isListening) {
      return;
    }
    if (isLocked !== this.#isLockedElsewhere) {
      this.#isLockedElsewhere = isLocked;
      this.composer();
    }
    this.#otherWindowsTimer?.dispose();
    this.#otherWindowsTimer = this.#parts.shared.clock.after(otherWindowsMs, () => void this.#checkOtherWindows());
  }

  /** Reads the balance that the composer shows. */
  #readAccount(): void {
    const { connections, accounts } = this.#parts.gateways;
    void (this.#isListening && connections.active && accounts.read(connections.active));
  }

  /** Sends a message as soon as the page is ready; of each type, only the last one waits. */
  postWhenReady(message: HostMessage): void {
    if (this.#isListening) {
      this.post(message);
    } else {
      this.#waiting.set(message.type, message);
    }
  }

  /** Shows what has to be answered before a question is sent; undefined: nothing. */
  showReview(review: ReviewView | undefined): void {
    this.#review = review;
    this.composer();
  }

  /** Called when VS Code has discarded the page. A new page sends `ready`. */
  end(): void {
    this.#isListening = false;
    this.#otherWindowsTimer?.dispose();
  }

  snapshot(): void {
    const conversation = this.#conversation;
    const turns = shownTurns(conversation, this.layout);
    this.post({ type: 'snapshot', title: titleOf(conversation), turns, composer: this.#composer() });
  }

  /** The conversation as it is shown. */
  get #conversation(): Conversation {
    return asShown(this.#charged, this.#chat.live.masks);
  }

  get #charged(): Conversation {
    return withCharges(this.#chat.live.conversation, (id) => this.#parts.gateways.ledger().chargedOf(id));
  }

  /** The texts of the answer that a reply is, or is a part of. */
  #textsOf(replyId: string): Pick<Reply, 'text' | 'reasoning'> | undefined {
    const turn = this.#chat.live.turnOf(replyId);
    const answer = turn && answerWith(turn, replyId);
    return answer && withSecrets(answer, this.#chat.live.masks);
  }

  composer(): void {
    this.post({ type: 'composer', composer: this.#composer() });
  }

  /** Posts the change that an event of the conversation made. */
  #show(event: ConversationEvent): void {
    if (event.type === 'delta') {
      if (event.allBefore === undefined) {
        this.#deltas.push(event.replyId);
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
          this.layout.choose(turn, event.id);
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
          this.#deltas.end(reply.id);
          this.post({ type: 'reply', reply: replyUpdate(reply, turn) });
          this.composer();
          const { connections, accounts } = this.#parts.gateways;
          const { active } = connections;
          if (active && reply.host === active.url.host && isAccountProblem(reply.problem)) {
            void accounts.refused(active);
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
      const view = turn && shownTurn(turn, turnsBeside(conversation), this.layout);
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
    this.#postChanges();
  }

  /** Sends a message to the page, after the deltas that were pushed before it. */
  post(message: HostMessage): void {
    if (message.type !== 'delta' && message.type !== 'snapshot') {
      this.#deltas.flush();
    }
    if (message.type === 'snapshot' || message.type === 'turn') {
      const replies = this.#chat.live.conversation.turns.flatMap((turn) => turn.replies);
      this.#deltas.restart(replies.filter(isRunning).map(({ id }) => id));
    }
    if (this.#isListening) {
      this.#webview
        .postMessage(message)
        .then(undefined, (error: unknown) =>
          this.#parts.shared.log.defect(`Message ${message.type} to the panel`, error),
        );
    }
  }

  dispose(): void {
    this.end();
    this.#store.dispose();
  }

  /** What to multiply estimates of tokens with for the model that is asked next. */
  get tokenFactor(): number {
    const id = this.#calls.model;
    return id === undefined ? 1 : this.#parts.gateways.ledger().tokenFactor(id);
  }

  #composer(): ComposerView {
    const { catalogue, connections, accounts, costs } = this.#parts.gateways;
    const { conversation, hasBegun } = this.#chat.live;
    const { model: id, compared: models } = this.#calls;
    const connection = connections.active;
    const secretContexts = new Set(this.#chat.live.secretsIn().map(({ context }) => context));
    const view = composerView(this.#charged, id, connection?.url.host, this.tokenFactor, {
      hasSecret: (context) => secretContexts.has(context),
      isMasked: (text) => {
        const sent = this.#chat.live.withoutSecrets(text);
        return this.#chat.live.masks.restore(sent) !== sent;
      },
      starting: this.#chat.starting,
      connection,
      isStored: hasBegun,
      facts: id === undefined ? undefined : catalogue.view.models.get(id)?.model,
    });
    const balance = connection && accounts.balance(connection);
    const price = id === undefined ? undefined : costs.price(conversation, id);
    const switched = switchedView(conversation, connections.all);
    return {
      ...view,
      ...(switched && { switched }),
      ...(this.#isLockedElsewhere && { due: lockedReason(), mayBeDone: true }),
      ...(balance && { balance }),
      ...(models.length > 0
        ? { compared: { models, prices: models.map((model) => costs.price(conversation, model) ?? null) } }
        : price && { price: { ...price, hint: questionPriceText(price) } }),
      draft: this.#chat.live.unmask({ text: view.draft, contexts: [] }).text,
      review: this.#review,
    };
  }
}

/** More frequent messages have a cost and show nothing sooner: the panel draws 20 times a second. */
const pauseMs = 33;

/** The texts of an answer as they are shown. */
type Texts = Pick<Reply, 'text' | 'reasoning'>;

/**
 * Posts what was added to the texts of running replies, at most 30 times a second. The first text after a pause is posted
 * at once, so that it is on screen in the next frame.
 */
export class DeltaJoiner implements Disposable {
  readonly #clock: Clock;
  readonly #textsOf: (replyId: string) => Texts | undefined;
  readonly #post: (replyId: string, added: Texts) => void;
  /** Ids of the replies whose new text waits for the end of the pause, in the order of arrival. */
  readonly #waiting = new Set<string>();
  /** The lengths of the texts that the page has, by reply id. */
  readonly #posted = new Map<string, Readonly<Record<keyof Texts, number>>>();
  #pause: Disposable | undefined;

  /** @param textsOf finds the texts of a reply. While it runs, they only grow. */
  constructor(
    clock: Clock,
    textsOf: (replyId: string) => Texts | undefined,
    post: (replyId: string, added: Texts) => void,
  ) {
    this.#clock = clock;
    this.#textsOf = textsOf;
    this.#post = post;
  }

  /** Call this when a reply has new text. */
  push(replyId: string): void {
    this.#waiting.add(replyId);
    if (this.#pause === undefined) {
      this.#postWaiting();
      this.#wait();
    }
  }

  /** Posts the rest of a reply, which has ended. */
  end(replyId: string): void {
    this.#waiting.add(replyId);
    this.flush();
    this.#posted.delete(replyId);
  }

  /** Posts what waits now, before a message that must come after it. */
  flush(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#postWaiting();
  }

  /** Continues after the page got the texts of these replies in another message. */
  restart(replyIds: readonly string[]): void {
    this.#waiting.clear();
    this.#posted.clear();
    for (const id of replyIds) {
      this.#note(id, this.#textsOf(id));
    }
  }

  dispose(): void {
    this.#waiting.clear();
    this.flush();
  }

  #wait(): void {
    this.#pause = this.#clock.after(pauseMs, () => {
      this.#pause = undefined;
      if (this.#waiting.size > 0) {
        this.#postWaiting();
        this.#wait();
      }
    });
  }

  #postWaiting(): void {
    for (const id of this.#waiting) {
      const texts = this.#textsOf(id);
      const { text, reasoning } = this.#posted.get(id) ?? { text: 0, reasoning: 0 };
      const added = { text: texts?.text.slice(text) ?? '', reasoning: texts?.reasoning.slice(reasoning) ?? '' };
      if (added.text !== '' || added.reasoning !== '') {
        this.#note(id, texts);
        this.#post(id, added);
      }
    }
    this.#waiting.clear();
  }

  #note(id: string, { text, reasoning }: Texts = { text: '', reasoning: '' }): void {
    this.#posted.set(id, { text: text.length, reasoning: reasoning.length });
  }
}
