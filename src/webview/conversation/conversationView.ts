import type { ReplyNews, TurnView as Turn } from '../../protocol.ts';
import type { Announcer } from '../page/announcer.ts';
import { element } from '../page/dom.ts';
import { requestPaint } from '../page/painter.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { isRunning, type ReplyView } from './replyView.ts';
import { TurnView } from './turnView.ts';

/** So many turns are made at once: more than a screen shows. */
const madeAtOnce = 12;

/** All questions and answers of the conversation, in order. */
export class ConversationView {
  readonly element = element('div', 'conversation');
  readonly #hint = element(
    'div',
    'hint',
    element('p', '', 'Ask about your code, or about anything else.'),
    element('p', 'quiet', 'What goes along with your question is listed above it before you send.'),
  );
  readonly #actions: PanelActions;
  readonly #announcer: Announcer;
  #turns: TurnView[] = [];
  /** The turns before those in `#turns`: of many, they are made a few in each frame, the last one first. */
  #earlier: Turn[] = [];

  constructor(actions: PanelActions, announcer: Announcer) {
    this.#actions = actions;
    this.#announcer = announcer;
    this.#hint.hidden = true;
    this.element.append(this.#hint);
  }

  /** Id of the last turn there is to see. */
  get lastTurn(): string | undefined {
    return this.#turns.at(-1)?.id;
  }

  /** How much stands below the last of the text, in pixels: a card, the line of facts. */
  get belowText(): number {
    const { replies = [] } = this.#turns.at(-1) ?? {};
    return this.element.getBoundingClientRect().bottom - Math.max(...replies.map(({ textBottom }) => textBottom));
  }

  /** The turn of this id, as it stands in the page. */
  turn(id: string): HTMLElement | undefined {
    return this.#turn(id)?.element;
  }

  /**
   * Shows these turns and no others. What is already right stays as it is.
   *
   * @param isAsking the first question may be on its way and not be among them yet.
   */
  showAll(turns: readonly Turn[], isAsking: boolean): void {
    const at = this.#turns.findIndex(({ questions }) => questions.focused !== undefined);
    const focused = this.#turns[at]?.questions.focused;
    const kept = new Map(this.#turns.map((view) => [view.id, view]));
    const unmade = new Set(this.#earlier.map(({ id }) => id));
    // What is new before those that are made is not in sight.
    const start =
      kept.size === 0
        ? Math.max(0, turns.length - madeAtOnce)
        : Math.max(
            turns.findLastIndex(({ id }) => unmade.has(id)) + 1,
            turns.findIndex(({ id }) => kept.has(id)),
          );
    this.#earlier = [];
    // Asked for before the texts are, it has its turn after them.
    this.addEarlier(turns.slice(0, start));
    this.#turns = turns.slice(start).map((turn) => {
      const view = kept.get(turn.id);
      kept.delete(turn.id);
      if (view === undefined) {
        return new TurnView(turn, this.#actions);
      }
      view.update(turn);
      return view;
    });
    for (const view of kept.values()) {
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
    // Another question has the place of the one whose button was pressed: so does its button.
    if (focused !== undefined) {
      this.#turns[at]?.questions.focus(focused);
    }
  }

  /** Takes the turns right before all there are. */
  addEarlier(turns: readonly Turn[]): void {
    this.#earlier = [...turns, ...this.#earlier];
    if (turns.length > 0) {
      requestPaint(this);
    }
  }

  paint(mayGoOn: () => boolean): boolean {
    if (this.#earlier.length > 0) {
      this.#stayBelow();
    }
    for (let turn = this.#earlier.pop(); turn !== undefined; turn = mayGoOn() ? this.#earlier.pop() : undefined) {
      const view = new TurnView(turn, this.#actions);
      this.#turns.unshift(view);
      this.#hint.after(view.element);
    }
    return this.#earlier.length > 0;
  }

  /** Scrolled to its very top, the browser shows what is added there; anywhere else it keeps what is in sight. */
  #stayBelow(): void {
    const scroller = this.element.parentElement;
    if (scroller?.scrollTop === 0) {
      scroller.scrollTop = 1;
    }
  }

  /** Adds or replaces one turn. Returns whether it is new. */
  show(turn: Turn): boolean {
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
    const running = replies.filter(isRunning).length;
    if (running > 0) {
      this.#announcer.say(running === 1 ? 'Answer started' : `${running} answers started`);
    } else {
      this.#announcer.end(turn.reply);
    }
    return known === undefined;
  }

  append(replyId: string, text: string, reasoning: string): void {
    this.#reply(replyId)?.append(text, reasoning);
  }

  /** Takes news of a reply. Returns false when its text is not the one shown here, and has to be asked for again. */
  update(news: ReplyNews): boolean {
    const reply = this.#reply(news.id);
    if (reply === undefined) {
      return true;
    }
    const ran = isRunning(reply.news);
    reply.update(news);
    const isOneOfSeveral = this.#turns.some((view) => view.isSideBySide && view.replies.includes(reply));
    if (ran && !isRunning(news)) {
      this.#announcer.end(news, isOneOfSeveral ? news.model : undefined);
    }
    return reply.length === news.length;
  }

  /** `replyId`: which one was asked again of those side by side. */
  showRefusal(turnId: string, replyId: string | undefined, reason: string): void {
    const { replies = [] } = this.#turn(turnId) ?? {};
    (replies.find(({ id }) => id === replyId) ?? replies[0])?.showRefusal(reason);
  }

  #turn(id: string): TurnView | undefined {
    this.#makeFrom((turn) => turn.id === id);
    return this.#turns.find((view) => view.id === id);
  }

  #reply(replyId: string): ReplyView | undefined {
    const isIt = ({ id }: { readonly id: string }) => id === replyId;
    // Asked for each piece of text, which is mostly the last turn's.
    const find = () => this.#turns.findLast(({ replies }) => replies.some(isIt))?.replies.find(isIt);
    const found = find();
    if (found !== undefined) {
      return found;
    }
    this.#makeFrom((turn) => repliesOf(turn).some(isIt));
    return find();
  }

  /** Makes the turn that is meant, if it is not made yet, and those after it. */
  #makeFrom(isMeant: (turn: Turn) => boolean): void {
    const at = this.#earlier.findIndex(isMeant);
    if (at >= 0) {
      this.paint(() => this.#earlier.length > at);
    }
  }
}

/** The replies of a turn that are to be seen. */
function repliesOf(turn: Turn) {
  return (turn.columns ?? [turn]).map(({ reply }) => reply);
}
