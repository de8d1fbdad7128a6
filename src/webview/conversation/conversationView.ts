import * as l10n from '@vscode/l10n';
import { plural } from '../../core/base/localization.ts';
import type { ReplyUpdate, ShownTurn } from '../../protocol/protocol.ts';
import { say, sayEnd } from '../page/announcer.ts';
import { element } from '../page/dom.ts';
import { requestPaint } from '../page/painter.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { isArriving, type ReplyView } from './replyView.ts';
import { TurnView } from './turnView.ts';

/** Number of turns created at once: more than fit on a screen. */
const initialTurns = 12;

/** All questions and answers of the conversation, in order. */
export class ConversationView {
  readonly element = element('div', 'conversation');
  readonly #hint = element(
    'div',
    'hint',
    element('p', '', l10n.t('Ask about your code or anything else.')),
    element(
      'p',
      'quiet',
      l10n.t(
        'Type # to add files and symbols, / to run a prompt. What is sent with your question is listed above the question box.',
      ),
    ),
  );
  readonly #actions: PanelActions;
  #turns: TurnView[] = [];
  /** Turns before those in `#turns`. Their views are created later, a few per frame, the last turn first. */
  #earlier: ShownTurn[] = [];

  constructor(actions: PanelActions) {
    this.#actions = actions;
    this.#hint.hidden = true;
    this.element.append(this.#hint);
  }

  /** Id of the last shown turn. */
  get lastTurn(): string | undefined {
    return this.#turns.at(-1)?.id;
  }

  /** Height of what is below the last text, in pixels: a card, the line of facts. */
  get belowText(): number {
    const { replies = [] } = this.#turns.at(-1) ?? {};
    return this.element.getBoundingClientRect().bottom - Math.max(...replies.map(({ textBottom }) => textBottom));
  }

  /** The element of the turn with this id. */
  turn(id: string): HTMLElement | undefined {
    return this.#turn(id)?.element;
  }

  /**
   * Shows exactly these turns. Unchanged ones stay as they are.
   *
   * @param isAsking whether a first question may have been sent that is not among the turns yet.
   */
  showAll(turns: readonly ShownTurn[], isAsking: boolean): void {
    const at = this.#turns.findIndex(({ questions }) => questions.focused !== undefined);
    const focused = this.#turns[at]?.questions.focused;
    const existing = new Map(this.#turns.map((view) => [view.id, view]));
    // Turns before the shown ones are off screen, so they can be created later.
    const firstShown = turns.findIndex(({ id }) => existing.has(id));
    const start = firstShown === -1 ? Math.max(0, turns.length - initialTurns) : firstShown;
    this.#earlier = turns.slice(0, start);
    if (start > 0) {
      // The painter draws the latest request first, so this comes after the texts.
      requestPaint(this);
    }
    this.#turns = turns.slice(start).map((turn) => {
      const view = existing.get(turn.id);
      existing.delete(turn.id);
      if (view === undefined) {
        return new TurnView(turn, this.#actions);
      }
      view.update(turn);
      return view;
    });
    for (const view of existing.values()) {
      view.element.remove();
    }
    let place = this.#hint.nextSibling;
    for (const view of this.#turns) {
      if (view.element === place) {
        place = place.nextSibling;
      } else {
        this.element.insertBefore(view.element, place);
      }
    }
    this.#hint.hidden = this.#turns.length > 0 || isAsking;
    // The question whose button was pressed was replaced by another one: focus the same button there.
    if (focused !== undefined) {
      this.#turns[at]?.questions.focus(focused);
    }
  }

  paint(mayContinue: () => boolean): boolean {
    if (this.#earlier.length > 0) {
      this.#leaveTop();
    }
    for (let turn = this.#earlier.pop(); turn !== undefined; turn = mayContinue() ? this.#earlier.pop() : undefined) {
      const view = new TurnView(turn, this.#actions);
      this.#turns.unshift(view);
      this.#hint.after(view.element);
    }
    return this.#earlier.length > 0;
  }

  /** Leaves scroll position 0, where the browser would show turns added above instead of holding the visible ones. */
  #leaveTop(): void {
    const scroller = this.element.parentElement;
    if (scroller?.scrollTop === 0) {
      scroller.scrollTop = 1;
    }
  }

  /** Adds or updates one turn. */
  show(turn: ShownTurn): void {
    const known = this.#turn(turn.id);
    if (known === undefined) {
      const view = new TurnView(turn, this.#actions);
      this.#turns.push(view);
      this.element.append(view.element);
      this.#hint.hidden = true;
    } else {
      known.update(turn);
    }
    const replies = repliesOf(turn);
    const running = replies.filter(isArriving).length;
    if (running > 0) {
      say(plural(running, l10n.t('Answer started'), l10n.t('{0} answers started')));
    } else {
      sayEnd(turn.reply);
    }
  }

  append(replyId: string, text: string, reasoning: string): void {
    this.#reply(replyId)?.append(text, reasoning);
  }

  /** Updates a reply. Returns false when the shown text is incomplete and has to be requested again. */
  update(update: ReplyUpdate): boolean {
    const reply = this.#reply(update.id);
    if (reply === undefined) {
      return true;
    }
    const ran = isArriving(reply.latest);
    reply.update(update);
    const isOneOfSeveral = this.#turns.some((view) => view.isSideBySide && view.replies.includes(reply));
    if (ran && !isArriving(update)) {
      sayEnd(update, isOneOfSeveral ? update.model : undefined);
    }
    return reply.length === update.length;
  }

  /** @param replyId which of the answers side by side was asked again. */
  showRefusal(turnId: string, replyId: string | undefined, reason: string, isNote = false): void {
    const { replies = [] } = this.#turn(turnId) ?? {};
    (replies.find(({ id }) => id === replyId) ?? replies[0])?.showRefusal(reason, isNote);
  }

  #turn(id: string): TurnView | undefined {
    this.#makeFrom((turn) => turn.id === id);
    return this.#turns.find((view) => view.id === id);
  }

  #reply(replyId: string): ReplyView | undefined {
    const hasId = ({ id }: { readonly id: string }) => id === replyId;
    // Called for every delta, and most deltas belong to the last turn.
    const find = () => this.#turns.findLast(({ replies }) => replies.some(hasId))?.replies.find(hasId);
    const found = find();
    if (found !== undefined) {
      return found;
    }
    this.#makeFrom((turn) => repliesOf(turn).some(hasId));
    return find();
  }

  /** Creates the view of the matching turn, if there is none yet, and the views of the turns after it. */
  #makeFrom(matches: (turn: ShownTurn) => boolean): void {
    const at = this.#earlier.findIndex(matches);
    if (at >= 0) {
      this.paint(() => this.#earlier.length > at);
    }
  }
}

/** Whether a turn was sent because an answer, which is there already, is continued. */
export function isContinued(turn: ShownTurn): boolean {
  return repliesOf(turn).some((reply) => isArriving(reply) && reply.text !== '');
}

/** The visible replies of a turn. */
function repliesOf(turn: ShownTurn) {
  return (turn.columns ?? [turn]).map(({ reply }) => reply);
}
