import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { turnsBeside, visibleTurns } from '../../core/chat/conversation/branches.ts';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import type { ConversationEvent } from '../../core/chat/conversation/conversationRecord.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import { DeltaJoiner } from '../../core/chat/sending/deltaJoiner.ts';
import type { ComposerView, HostMessage } from '../../protocol.ts';
import type { Log } from '../ui/log.ts';
import type { ComparedLook } from './comparedLook.ts';
import { composerView, replyNews, turnView, turnViews } from './panelView.ts';

export type PanelNewsDeps = {
  readonly look: ComparedLook;
  readonly clock: Clock;
  /** Exact id of the model the next question goes to. */
  readonly model: () => string | undefined;
  /** Host that a question would go to now. */
  readonly host: () => string | undefined;
  /** Id of the action that is on its way to its request: it can be stopped like the reply it becomes. */
  readonly starting: () => string | undefined;
  readonly log: Log;
};

/** How many turns a new page is sent at first: more than can be read before it has the others. */
const firstTurns = 200;
/** How many it is sent at a time then: some tens of milliseconds of work for host and page. */
const turnsAtOnce = 1_000;

/** What the panel's page is told, in the order it happened: everything at its beginning, then only news. */
export class PanelNews implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #chat: Chat;
  readonly #deps: PanelNewsDeps;
  readonly #deltas: DeltaJoiner;
  /** The page has asked for its snapshot and is there to hear news. */
  #isListening = false;
  /** How many turns of the branch that is shown, from its first one on, the page was not sent yet. */
  #unsent = 0;
  /** Id of the turn to lead to when the page is there. */
  #place: string | undefined;
  /** Turns with a new reply that is not told yet: those of a comparison come all at once. */
  readonly #begun = new Set<string>();

  constructor(webview: vscode.Webview, chat: Chat, deps: PanelNewsDeps) {
    this.#webview = webview;
    this.#chat = chat;
    this.#deps = deps;
    this.#deltas = new DeltaJoiner(deps.clock, (replyId, { text, reasoning }) =>
      this.post({ type: 'delta', replyId, text, reasoning }),
    );
  }

  /** The page is there and knows nothing yet, or missed something. */
  begin(): void {
    const isNew = !this.#isListening;
    this.#isListening = true;
    const first = this.snapshot(isNew ? firstTurns : undefined);
    if (this.#place !== undefined) {
      this.leadTo(this.#place);
    }
    void this.#postRest(first);
  }

  /** Leads the person to a turn, as soon as the page is there. */
  leadTo(turnId: string): void {
    this.#place = this.#isListening ? undefined : turnId;
    if (visibleTurns(this.#chat.conversation).findIndex(({ id }) => id === turnId) < this.#unsent) {
      this.#postEarlier();
    }
    this.post({ type: 'leadTo', turnId });
  }

  /** The page was thrown away; it says that it is ready when there is another one. */
  end(): void {
    this.#isListening = false;
  }

  /** `last`: how many turns are in it, where the page is sent the others afterwards. */
  snapshot(last = Number.POSITIVE_INFINITY): Thenable<unknown> | undefined {
    const { conversation } = this.#chat;
    this.#unsent = Math.max(0, visibleTurns(conversation).length - last);
    return this.post({
      type: 'snapshot',
      title: titleOf(conversation),
      turns: turnViews(conversation, this.#deps.look, this.#unsent),
      composer: this.#composer(),
    });
  }

  /** Sends the page `most` of the turns that it was not sent yet, the last ones first. */
  #postEarlier(most = Number.POSITIVE_INFINITY): Thenable<unknown> | undefined {
    const end = this.#unsent;
    if (end === 0) {
      return undefined;
    }
    this.#unsent = Math.max(0, end - most);
    return this.post({
      type: 'earlier',
      turns: turnViews(this.#chat.conversation, this.#deps.look, this.#unsent, end),
    });
  }

  /**
   * Sends all that the page was not sent yet, a part at a time. Each part waits for the one before it, so that the page
   * can show that first.
   *
   * @param sent resolves when what was sent before has been handed over.
   */
  async #postRest(sent: Thenable<unknown> | undefined): Promise<void> {
    await sent;
    while (this.#isListening && this.#unsent > 0) {
      await this.#postEarlier(turnsAtOnce);
    }
  }

  composer(): void {
    this.post({ type: 'composer', composer: this.#composer() });
  }

  /** Says what an event of the conversation changed. */
  show(event: ConversationEvent): void {
    const { turns } = this.#chat.conversation;
    switch (event.type) {
      case 'delta':
        this.#deltas.push(event.replyId, event);
        return;
      case 'reply': {
        const turn = turns.find(({ id }) => id === event.turnId);
        if (turn) {
          this.#deps.look.choose(turn, event.id);
        }
        if (this.#begun.size === 0) {
          queueMicrotask(() => this.#postBegun());
        }
        this.#begun.add(event.turnId);
        return;
      }
      case 'end': {
        const reply = turns.flatMap(({ replies }) => replies).find(({ id }) => id === event.replyId);
        if (reply) {
          this.post({ type: 'reply', reply: replyNews(reply) });
          this.composer();
        }
        return;
      }
      case 'choose':
      case 'chooseTurn':
      case 'conversation':
        // New, or read anew because another window has gone on with it.
        this.snapshot();
        return;
      case 'edit':
      case 'cancelEdit':
        this.composer();
        this.post({ type: 'focus' });
        return;
      case 'title':
      case 'draft':
      case 'turn':
        return;
      default:
        event satisfies never;
    }
  }

  /** Says which turns have new replies. */
  #postBegun(): void {
    const { conversation } = this.#chat;
    const visible = new Set(visibleTurns(conversation));
    // A turn that the page does not know is a new one to it.
    this.#postEarlier();
    for (const turnId of this.#begun) {
      const turn = conversation.turns.find(({ id }) => id === turnId);
      const view = turn && turnView(turn, turnsBeside(conversation), this.#deps.look);
      if (turn && view && visible.has(turn)) {
        this.post({ type: 'turn', turn: view });
        if (view.questions) {
          // It is on a branch of its own: what stood below its fork is not shown any more.
          this.snapshot();
          continue;
        }
      }
      // One on a branch that is not shown is not for the page, but it runs.
      this.composer();
    }
    this.#begun.clear();
  }

  /**
   * Joined text goes out before anything that is said after it.
   *
   * @returns resolves when it was handed over, or never will be; rejects never.
   */
  post(message: HostMessage): Thenable<unknown> | undefined {
    if (message.type === 'snapshot') {
      // It has all the text there is.
      this.#deltas.drop();
    } else if (message.type !== 'delta') {
      this.#deltas.flush();
    }
    return this.#isListening
      ? this.#webview
          .postMessage(message)
          .then(undefined, (error: unknown) => this.#deps.log.defect(`Message ${message.type} to the panel`, error))
      : undefined;
  }

  dispose(): void {
    this.end();
    this.#deltas.dispose();
  }

  #composer(): ComposerView {
    const view = composerView(this.#chat.conversation, this.#deps.model(), this.#deps.host());
    const runningReply = view.runningReply ?? this.#deps.starting();
    return runningReply === undefined ? view : { ...view, runningReply };
  }
}
