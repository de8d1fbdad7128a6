import * as l10n from '@vscode/l10n';
import { recordOf } from '../core/base/loose.ts';
import { visibleName } from '../core/base/visibleText.ts';
import type { HostMessage, PanelMessage, ShownTurn, TroubleAction } from '../protocol/protocol.ts';
import { showFiles, showOpenChanges } from './code/answerFiles.ts';
import { wrapLines } from './code/codeHeader.ts';
import { Composer } from './composer/composer.ts';
import { ConversationView, isContinued } from './conversation/conversationView.ts';
import { isArriving } from './conversation/replyView.ts';
import { showPicture } from './markdown/answerPictures.ts';
import { showFinding, showPlaces } from './markdown/places.ts';
import { liveRegion } from './page/announcer.ts';
import { element, isForInputMethod, type Post, setText } from './page/dom.ts';
import { HostWatch } from './page/hostWatch.ts';
import { runPageCommand, watchContextMenu } from './page/pageCommands.ts';
import { paintNow } from './page/painter.ts';
import type { ChoiceMessage } from './page/panelActions.ts';
import { guardPaying, isPaying, newSendId, PaidAction, updatePaying } from './page/paying.ts';
import { watchFocus } from './page/questionFocus.ts';
import { ReadingPlace } from './page/readingPlace.ts';
import { ScrollPin } from './page/scrollPin.ts';
import { showFound } from './page/showFound.ts';

/** Room for the question above an answer, and for the header above code, in pixels. */
const lineAbove = 72;

/** VS Code's API for the page. */
export type PanelHost = {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The conversation panel: shows what the host sends, and posts what the person does to the host. */
export class Panel {
  readonly #host: PanelHost;
  readonly #title = element('h1', 'unseen', l10n.t('Conversation'));
  readonly #conversation: ConversationView;
  readonly #scroll: ScrollPin;
  readonly #place: ReadingPlace;
  readonly #composer: Composer;
  readonly #paid = new PaidAction();
  readonly #gone = element('p', 'gone');
  readonly #watch = new HostWatch(
    () => this.#post({ type: 'ping' }),
    (isGone) => this.#showGone(isGone),
  );
  readonly #app: HTMLElement;
  readonly #takeFocus: () => void;
  #hasSnapshot = false;

  constructor(app: HTMLElement, host: PanelHost) {
    this.#app = app;
    this.#host = host;
    const post = this.#post;
    wrapLines(recordOf(host.getState()).wrapsCode === true, (wrapsCode) => this.#save({ wrapsCode }));
    this.#conversation = new ConversationView({
      post,
      act: (turnId, action, replyId) => this.#act(turnId, action, replyId),
      edit: (turnId) => this.#edit(turnId),
      choose: (choice) => this.#choose(choice),
    });
    this.#scroll = new ScrollPin(this.#conversation.element, () => this.#conversation.belowText);
    const turnOf = (id: string) => this.#conversation.turn(id);
    this.#place = new ReadingPlace(this.#scroll, turnOf, (place) =>
      this.#save({ place, lastTurn: this.#conversation.lastTurn }),
    );
    this.#composer = new Composer(post, () => this.#edit(this.#conversation.lastTurn), this.#paid);
    this.#gone.hidden = true;
    this.#gone.setAttribute('role', 'alert');
    const gutter = element('div', 'gutter', this.#gone, this.#composer.element);
    const lower = element('div', 'lower', this.#scroll.jump, this.#composer.contextList.element, gutter);
    // The model button stays hidden until the first snapshot.
    app.classList.add('isNew');
    app.append(this.#title, this.#scroll.element, lower, liveRegion);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !isForInputMethod(event)) {
        this.#composer.stop();
      }
    });
    guardPaying();
    this.#takeFocus = watchFocus(() => this.#composer.focus());
    this.#takeFocus();
    showFound(this.#scroll);
    watchContextMenu();
    addEventListener('message', ({ data }: MessageEvent<HostMessage>) => this.#receive(data));
    post({ type: 'ready' });
  }

  readonly #post: Post = (message) => {
    if ((message.type === 'draft' || message.type === 'send') && message.text !== '') {
      this.#noteUse();
    }
    this.#host.postMessage(message);
    if (message.type === 'send' || message.type === 'act') {
      this.#updateSending();
    }
  };

  /** Saves which conversation this is, once it has something to lose: a reload of the window restores it then. */
  #noteUse(): void {
    const { conversation } = this.#app.dataset;
    if (conversation !== undefined) {
      delete this.#app.dataset.conversation;
      this.#save({ conversation });
    }
  }

  #save(more: Readonly<Record<string, unknown>>): void {
    this.#host.setState({ ...recordOf(this.#host.getState()), ...more });
  }

  /** Handles one message from the host. Before the first snapshot there is nothing to update. */
  #receive(message: HostMessage): void {
    const isUsed = message.type === 'snapshot' && (message.turns.length > 0 || message.composer.draft !== '');
    if (message.type === 'turn' || isUsed || ('composer' in message && message.composer.isStored)) {
      this.#noteUse();
    }
    this.#watch.noteActivity();
    if (!this.#hasSnapshot && message.type !== 'snapshot' && message.type !== 'font') {
      return;
    }
    this.#show(message);
    if (message.type !== 'delta') {
      this.#updateSending(message.type === 'notSent');
      this.#takeFocus();
    }
  }

  #show(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot': {
        const replaces = this.#hasSnapshot;
        this.#hasSnapshot = true;
        this.#app.classList.remove('isNew');
        setText(this.#title, visibleName(message.title));
        this.#conversation.showAll(message.turns, message.composer.runningReply !== undefined);
        this.#composer.update(message.composer, true);
        this.#stayAtTop(message.turns.at(-1));
        if (replaces) {
          paintNow();
        } else {
          const { place, lastTurn } = recordOf(this.#host.getState());
          // A question that a command has asked since is shown instead.
          this.#place.restore(lastTurn === this.#conversation.lastTurn ? place : undefined);
        }
        break;
      }
      case 'turn':
        this.#conversation.show(message.turn);
        if (!isContinued(message.turn)) {
          this.#goToQuestion(message.turn.id);
          this.#stayAtTop(message.turn);
        }
        paintNow();
        break;
      case 'delta':
        this.#conversation.append(message.replyId, message.text, message.reasoning);
        if (message.text !== '') {
          this.#scroll.noteNewText();
        }
        break;
      case 'reply':
        if (!this.#conversation.update(message.reply)) {
          // Part of the reply is missing: this asks for a new snapshot.
          this.#post({ type: 'ready' });
        }
        break;
      case 'composer':
        this.#composer.update(message.composer);
        break;
      case 'sent':
        if (this.#paid.settle(message.sendId) === 'composer') {
          this.#composer.sent();
        }
        break;
      case 'notSent':
        this.#refuse(message);
        break;
      case 'found':
        this.#composer.contextList.show(message);
        break;
      case 'prompt':
        this.#composer.showPrompt(message);
        break;
      case 'notAdded':
        this.#composer.refuse(message.reason, message.isNote);
        break;
      case 'places':
        showPlaces(message.paths, message.found);
        break;
      case 'finding':
        showFinding(message.index, message.line, this.#post);
        break;
      case 'picture':
        showPicture(message);
        break;
      case 'files':
        showFiles(message, this.#post);
        break;
      case 'openChanges':
        showOpenChanges(message.blocks, this.#post);
        break;
      case 'command':
        runPageCommand(message.command, (to) => this.#goTo(to, lineAbove));
        break;
      case 'leadTo':
        this.#leadTo(message.turnId);
        break;
      case 'focus':
        this.#composer.focus();
        break;
      case 'font':
        document.body.style.fontSize = message.size === undefined ? '' : `${message.size}px`;
        document.body.style.fontFamily = message.family ?? '';
        break;
      case 'alive':
        break;
      default:
        message satisfies never;
    }
  }

  #act(turnId: string, action: TroubleAction, replyId: string | undefined): void {
    const sendId = isPaying(action) ? this.#paid.begin({ turnId, replyId }) : newSendId();
    if (sendId !== undefined) {
      this.#post({ type: 'act', sendId, turnId, action, replyId });
    }
  }

  #edit(turnId: string | undefined): void {
    if (turnId !== undefined && !this.#paid.isPending) {
      this.#composer.saveDraft();
      this.#post({ type: 'edit', turnId });
    }
  }

  /** Posts a choice. The chosen content appears at the current scroll position, not at its end. */
  #choose(choice: ChoiceMessage): void {
    this.#scroll.unpinBriefly();
    this.#post(choice);
  }

  #refuse({ sendId, reason, isNote }: Extract<HostMessage, { type: 'notSent' }>): void {
    const from = this.#paid.settle(sendId);
    if (from === 'composer') {
      this.#composer.refuse(reason, isNote);
    } else if (from !== undefined) {
      this.#conversation.showRefusal(from.turnId, from.replyId, reason, isNote);
    }
  }

  #leadTo(turnId: string): void {
    const turn = this.#conversation.turn(turnId);
    if (turn) {
      this.#goTo(turn);
      turn.focus({ preventScroll: true });
    }
  }

  /** Shows the question that was just sent, also when an earlier one was asked again. */
  #goToQuestion(turnId: string): void {
    const turn = this.#conversation.turn(turnId);
    if (turnId === this.#conversation.lastTurn || turn === undefined) {
      this.#scroll.pin();
    } else {
      this.#goTo(turn);
    }
  }

  /** Scrolls to the top of a turn whose columns are running: following the longest would scroll the others away. */
  #stayAtTop(turn: ShownTurn | undefined): void {
    const shown = turn?.columns?.some(({ reply }) => isArriving(reply)) ? this.#conversation.turn(turn.id) : undefined;
    if (shown !== undefined) {
      this.#goTo(shown);
    }
  }

  /** @param above pixels that stay free above it. */
  #goTo(part: HTMLElement, above = 0): void {
    const { element } = this.#scroll;
    this.#scroll.hold(() => part.getBoundingClientRect().top - element.getBoundingClientRect().top - above);
  }

  #updateSending(wasRefused = false): void {
    const isExpecting = this.#paid.id !== undefined;
    this.#composer.show();
    updatePaying(isExpecting, wasRefused);
    this.#watch.expect(isExpecting);
  }

  /** Shows or hides the notice that the host is gone. The text received so far is in the conversation's file. */
  #showGone(isGone: boolean): void {
    document.body.classList.toggle('isGone', isGone);
    this.#gone.hidden = !isGone;
    setText(this.#gone, isGone ? goneText() : '');
  }
}

function goneText(): string {
  return l10n.t(
    'VS Code\'s extension host stopped responding, so nothing more will arrive here. Text that arrived is saved, except possibly the last quarter of a second. To continue, run "Developer: Reload Window".',
  );
}
