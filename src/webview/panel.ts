import * as l10n from '@vscode/l10n';
import { visibleName, visibleText } from '../core/base/visibleText.ts';
import type { HostMessage, PanelMessage } from '../protocol/messages.ts';
import type { TurnView } from '../protocol/views.ts';
import { Composer, type ComposerActions } from './composer/composer.ts';
import { ConversationView } from './conversation/conversationView.ts';
import { isRunning } from './conversation/replyView.ts';
import { Announcer } from './page/announcer.ts';
import { element, setText } from './page/dom.ts';
import { HostWatch } from './page/hostWatch.ts';
import { LineWrap } from './page/lineWrap.ts';
import { paintNow } from './page/painter.ts';
import { isPaying } from './page/payingAction.ts';
import { guardPaying, updatePaying } from './page/payingButtons.ts';
import { newSendId, PendingSends } from './page/pendingSends.ts';
import { watchFocus } from './page/questionFocus.ts';
import { ScrollPin } from './page/scrollPin.ts';
import { showFound } from './page/showFound.ts';

export type PanelPreferences = { readonly wrapsCode: boolean; saveWrapsCode(isOn: boolean): void };

/** The conversation panel: shows what the host sends, and posts what the person does to the host. */
export class Panel {
  readonly #post: (message: PanelMessage) => void;
  readonly #title = element('h1', 'unseen', l10n.t('Conversation'));
  readonly #calls = element('p', 'calls');
  readonly #announcer = new Announcer();
  readonly #conversation: ConversationView;
  readonly #scroll: ScrollPin;
  readonly #composer: Composer;
  readonly #sends = new PendingSends();
  readonly #gone = element('p', 'gone');
  readonly #watch = new HostWatch(
    () => this.#post({ type: 'ping' }),
    (isGone) => this.#showGone(isGone),
  );
  readonly #app: HTMLElement;
  readonly #takeFocus: () => void;
  #runningReply: string | undefined;
  #hasSnapshot = false;
  #awaitsSnapshot = false;

  /** @param preferences the saved preferences, and how to save a change. */
  constructor(app: HTMLElement, post: (message: PanelMessage) => void, preferences: PanelPreferences) {
    this.#app = app;
    this.#post = post;
    this.#conversation = new ConversationView(
      {
        copy: (text) => post({ type: 'copy', text }),
        useCode: (replyId, use) => post({ type: 'useCode', replyId, ...use }),
        wrap: new LineWrap(preferences.wrapsCode, preferences.saveWrapsCode),
        openLink: (href) => post({ type: 'openLink', href }),
        act: (turnId, action, replyId) => this.#act(turnId, action, replyId),
        stop: (replyId) => post({ type: 'stop', replyId }),
        keep: (replyId) => this.#choose({ type: 'keep', replyId }),
        compareAgain: (turnId) => this.#choose({ type: 'compareAgain', turnId }),
        edit: (turnId) => this.#edit(turnId),
        openChip: (id) => post({ type: 'openChip', id }),
        showSent: (replyId) => post({ type: 'showSent', replyId }),
        say: (words) => this.#announcer.say(words),
        chooseReply: (replyId) => this.#choose({ type: 'chooseReply', replyId }),
        chooseTurn: (turnId) => this.#choose({ type: 'chooseTurn', turnId }),
      },
      this.#announcer,
    );
    this.#scroll = new ScrollPin(this.#conversation.element, () => this.#conversation.belowText);
    this.#composer = new Composer({
      send: (...question) => this.#send(...question),
      neverScanFile: () => post({ type: 'neverScanFile' }),
      leaveOutSecrets: () => post({ type: 'leaveOutSecrets' }),
      stop: (replyId) => post({ type: 'stop', replyId }),
      stopAll: () => post({ type: 'stopAll' }),
      saveDraft: (text, editing) => post({ type: 'draft', text, editing }),
      editLast: () => this.#edit(this.#conversation.lastTurn),
      cancelEdit: () => post({ type: 'cancelEdit' }),
      switchBack: () => post({ type: 'switchBack' }),
      openChip: (id) => post({ type: 'openChip', id }),
      removeChip: (id) => post({ type: 'removeChip', id }),
      addContext: () => post({ type: 'addContext' }),
      addOffered: (id) => post({ type: 'addOffered', id }),
      editSystemPrompt: () => post({ type: 'editSystemPrompt' }),
      editParameters: () => post({ type: 'editParameters' }),
      findContext: (request, query) => post({ type: 'findContext', request, query: query.slice(0, 500) }),
      addFiles: (uris) => post({ type: 'addFiles', uris: [...uris] }),
      addPasted: ({ text, language }) => post({ type: 'addPasted', text, language }),
      findPrompts: (request, query) => post({ type: 'findPrompts', request, query: query.slice(0, 500) }),
      addFound: ({ id }) => post({ type: 'addFound', id }),
      say: (words) => this.#announcer.say(words),
      showRequest: (text, editing) => post({ type: 'showRequest', text, editing }),
      chooseModel: () => post({ type: 'chooseModel' }),
    });
    this.#gone.hidden = true;
    this.#calls.hidden = true;
    this.#gone.setAttribute('role', 'alert');
    const gutter = element('div', 'gutter', this.#gone, this.#composer.element);
    const lower = element('div', 'lower', this.#scroll.jump, this.#composer.contextList.element, gutter);
    // The model button stays hidden until the first snapshot.
    app.classList.add('isNew');
    app.append(this.#title, this.#calls, this.#scroll.element, lower, this.#announcer.element);
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing) {
        this.#composer.stop();
      }
    });
    guardPaying();
    this.#takeFocus = watchFocus(() => this.#composer.focus());
    this.#takeFocus();
    showFound(this.#scroll);
  }

  /** Handles one message from the host. Before the first snapshot there is nothing to update. */
  receive(message: HostMessage): void {
    this.#watch.noteActivity();
    if (!this.#hasSnapshot && message.type !== 'snapshot') {
      return;
    }
    this.#show(message);
    if (message.type !== 'delta') {
      this.#takeFocus();
    }
  }

  #show(message: HostMessage): void {
    switch (message.type) {
      case 'snapshot': {
        const replaces = this.#hasSnapshot;
        this.#hasSnapshot = true;
        this.#awaitsSnapshot = false;
        this.#app.classList.remove('isNew');
        setText(this.#title, visibleName(message.title));
        this.#conversation.showAll(message.turns, message.composer.runningReply !== undefined);
        this.#showComposer(message.composer, true);
        this.#stayAtTop(message.turns.at(-1));
        if (replaces) {
          paintNow();
        }
        break;
      }
      case 'turn':
        this.#conversation.show(message.turn);
        this.#goToQuestion(message.turn.id);
        this.#stayAtTop(message.turn);
        this.#updateSending();
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
          this.#requestSnapshot();
        }
        this.#updateSending();
        break;
      case 'composer':
        this.#showComposer(message.composer, false);
        break;
      case 'sent':
        if (this.#sends.settle(message.sendId)?.kind === 'composer') {
          this.#composer.sent();
        }
        this.#updateSending();
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
        this.#composer.showReason(message.reason, false, message.isNote);
        break;
      case 'leadTo':
        this.#leadTo(message.turnId);
        break;
      case 'focus':
        this.#composer.focus();
        break;
      case 'alive':
        break;
      default:
        message satisfies never;
    }
  }

  /** Requests a new snapshot because part of a reply is missing; one request at a time. */
  #requestSnapshot(): void {
    if (this.#awaitsSnapshot) {
      return;
    }
    this.#awaitsSnapshot = true;
    this.#post({ type: 'ready' });
  }

  #send(...[text, editing, secrets, host]: Parameters<ComposerActions['send']>): boolean {
    const sendId = this.#runningReply === undefined ? this.#sends.begin({ kind: 'composer' }) : undefined;
    if (sendId === undefined) {
      return false;
    }
    this.#post({
      type: 'send',
      sendId,
      text,
      editing,
      secrets,
      host,
    });
    this.#updateSending();
    return true;
  }

  #act(turnId: string, action: Extract<PanelMessage, { type: 'act' }>['action'], replyId: string | undefined): void {
    const request = { turnId, action, replyId };
    if (!isPaying(action)) {
      this.#post({ type: 'act', sendId: newSendId(), ...request });
      return;
    }
    const sendId = this.#runningReply === undefined ? this.#sends.begin({ kind: 'card', turnId, replyId }) : undefined;
    if (sendId === undefined) {
      return;
    }
    this.#post({ type: 'act', sendId, ...request });
    this.#updateSending();
  }

  #edit(turnId: string | undefined): void {
    if (turnId === undefined || this.#sends.pendingId !== undefined) {
      return;
    }
    this.#composer.saveDraft();
    this.#post({ type: 'edit', turnId });
  }

  /** Posts a choice. The chosen content appears at the current scroll position, not at its end. */
  #choose(message: Extract<PanelMessage, { type: 'chooseReply' | 'chooseTurn' | 'keep' | 'compareAgain' }>): void {
    this.#scroll.unpinBriefly();
    this.#post(message);
  }

  #refuse({ sendId, reason, isNote }: Extract<HostMessage, { type: 'notSent' }>): void {
    const sender = this.#sends.settle(sendId);
    if (sender?.kind === 'composer') {
      this.#composer.refused(reason, false, isNote);
    } else if (sender?.kind === 'card') {
      this.#conversation.showRefusal(sender.turnId, sender.replyId, reason, isNote);
    }
    this.#updateSending(true);
  }

  #leadTo(turnId: string): void {
    const turn = this.#conversation.turn(turnId);
    if (turn === undefined) {
      return;
    }
    this.#goTo(turn);
    turn.focus({ preventScroll: true });
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
  #stayAtTop(turn: TurnView | undefined): void {
    const shown = turn?.columns?.some(({ reply }) => isRunning(reply)) ? this.#conversation.turn(turn.id) : undefined;
    if (shown !== undefined) {
      this.#goTo(shown);
    }
  }

  #goTo(turn: HTMLElement): void {
    const { element } = this.#scroll;
    this.#scroll.hold(() => turn.getBoundingClientRect().top - element.getBoundingClientRect().top);
  }

  #showComposer(composer: Parameters<Composer['update']>[0], restoresDraft: boolean): void {
    this.#runningReply = composer.runningReply;
    this.#calls.hidden = composer.calls === undefined;
    setText(this.#calls, composer.calls?.text ?? '');
    this.#calls.title = visibleText(composer.calls?.hint ?? '');
    this.#composer.update(composer, restoresDraft);
    this.#updateSending();
  }

  #updateSending(wasRefused = false): void {
    const { pendingId } = this.#sends;
    const isExpecting = this.#runningReply !== undefined || pendingId !== undefined;
    this.#composer.setPending(pendingId);
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
