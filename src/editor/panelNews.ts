import type * as vscode from 'vscode';
import { turnsBeside } from '../core/chat/branches.ts';
import type { Chat } from '../core/chat/chat.ts';
import { titleOf } from '../core/chat/conversation.ts';
import type { ConversationEvent } from '../core/chat/conversationRecord.ts';
import { DeltaJoiner } from '../core/chat/deltaJoiner.ts';
import type { Clock } from '../core/clock.ts';
import type { ComposerView, HostMessage } from '../protocol.ts';
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
};

/** What the panel's page is told, in the order it happened: everything at its beginning, then only news. */
export class PanelNews implements vscode.Disposable {
  readonly #webview: vscode.Webview;
  readonly #chat: Chat;
  readonly #deps: PanelNewsDeps;
  readonly #deltas: DeltaJoiner;
  /** The page has asked for its snapshot and is there to hear news. */
  #isListening = false;
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

  /** The page is there and knows nothing yet. */
  begin(): void {
    this.#isListening = true;
    this.snapshot();
    if (this.#place !== undefined) {
      this.leadTo(this.#place);
    }
  }

  /** Leads the person to a turn, as soon as the page is there. */
  leadTo(turnId: string): void {
    this.#place = this.#isListening ? undefined : turnId;
    this.post({ type: 'leadTo', turnId });
  }

  /** The page was thrown away; it says that it is ready when there is another one. */
  end(): void {
    this.#isListening = false;
  }

  snapshot(): void {
    this.post({
      type: 'snapshot',
      title: titleOf(this.#chat.conversation),
      turns: turnViews(this.#chat.conversation, this.#deps.look),
      composer: this.#composer(),
    });
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
          queueMicrotask(() => this.#tellBegun());
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
  #tellBegun(): void {
    const { conversation } = this.#chat;
    for (const turnId of this.#begun) {
      const turn = conversation.turns.find(({ id }) => id === turnId);
      const view = turn && turnView(turn, turnsBeside(conversation), this.#deps.look);
      if (view) {
        this.post({ type: 'turn', turn: view });
        if (view.questions) {
          // It is on a branch of its own: what stood below its fork is not shown any more.
          this.snapshot();
        } else {
          this.composer();
        }
      }
    }
    this.#begun.clear();
  }

  /** Joined text goes out before anything that is said after it. */
  post(message: HostMessage): void {
    if (message.type === 'snapshot') {
      // It has all the text there is.
      this.#deltas.drop();
    } else if (message.type !== 'delta') {
      this.#deltas.flush();
    }
    if (this.#isListening) {
      void this.#webview.postMessage(message);
    }
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
