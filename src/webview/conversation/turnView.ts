import type { TroubleAction, TurnView as Turn } from '../../protocol.ts';
import { element, iconButton, textButton } from '../page/dom.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { chipList } from './chips.ts';
import { ColumnsView } from './columnsView.ts';
import { ReplyView } from './replyView.ts';
import { Switcher } from './switcher.ts';

/** A question with its context, and the one of its answers that is shown, or all of them side by side. */
export class TurnView {
  readonly id: string;
  readonly element = element('article', 'turn');
  /** Goes to the other questions at this place. */
  readonly questions: Switcher;
  readonly #replies: Switcher;
  readonly #compareAgain: HTMLButtonElement;
  readonly #answers: HTMLElement;
  readonly #questionBar: HTMLElement;
  readonly #actions: PanelActions;
  #question: HTMLElement;
  #shownQuestion = '';
  #body: ReplyView | ColumnsView;

  constructor(turn: Turn, actions: PanelActions) {
    this.id = turn.id;
    // The person is led here.
    this.element.tabIndex = -1;
    this.#actions = actions;
    this.questions = new Switcher('question', actions.chooseTurn);
    this.#replies = new Switcher('answer', actions.chooseReply);
    const edit = iconButton('edit', 'Edit question (makes a new branch)', () => actions.edit(this.id));
    this.#questionBar = element('div', 'questionBar', this.questions.element, element('span', 'actions', edit));
    this.#compareAgain = textButton(
      'quietButton',
      'Compare again side by side',
      () => actions.compareAgain(this.id),
      'split',
    );
    this.#compareAgain.title = 'Show all answers to this question. Nothing is sent';
    this.#answers = element('div', 'answers', this.#replies.element, this.#compareAgain);
    this.#question = this.#makeQuestion(turn);
    this.#body = this.#makeBody(turn);
    this.element.append(this.#question, this.#answers, this.#body.element);
    this.#showSwitchers(turn);
  }

  /** The answers that are to be seen. */
  get replies(): readonly ReplyView[] {
    return this.#body instanceof ColumnsView ? this.#body.replies : [this.#body];
  }

  get isSideBySide(): boolean {
    return this.#body instanceof ColumnsView;
  }

  update(turn: Turn): void {
    if (JSON.stringify(turn.question) !== this.#shownQuestion) {
      const question = this.#makeQuestion(turn);
      this.#question.replaceWith(question);
      this.#question = question;
    }
    const hadFocus = this.#answers.contains(document.activeElement);
    this.#showSwitchers(turn);
    if (this.#accept(turn)) {
      return;
    }
    const body = this.#makeBody(turn);
    this.#body.element.replaceWith(body.element);
    this.#body = body;
    // The button that was pressed is gone.
    if (hadFocus && body instanceof ColumnsView) {
      body.element.focus({ preventScroll: true });
    }
  }

  #accept({ columns, reply }: Turn): boolean {
    if (!(this.#body instanceof ColumnsView)) {
      return columns === undefined && this.#body.accept(reply);
    }
    if (columns === undefined) {
      return false;
    }
    this.#body.update(columns);
    return true;
  }

  #showSwitchers({ questions, replies, canCompare, columns }: Turn): void {
    this.element.classList.toggle('sideBySide', columns !== undefined);
    this.questions.show(questions);
    this.#replies.show(replies);
    this.#compareAgain.hidden = canCompare !== true;
    this.#answers.hidden = replies === undefined && canCompare !== true;
  }

  #makeQuestion({ question }: Turn): HTMLElement {
    this.#shownQuestion = JSON.stringify(question);
    const heading = element('h2', 'unseen', 'Question');
    const text = element('p', 'text', question.text);
    text.dir = 'auto';
    return element('section', 'question', heading, chipList(question.chips), text, this.#questionBar);
  }

  #makeBody(turn: Turn): ReplyView | ColumnsView {
    const files = new Set(turn.question.chips.flatMap(({ file }) => file ?? []));
    const file = files.size === 1 ? [...files][0] : undefined;
    if (turn.columns) {
      return new ColumnsView(this.id, turn.columns, this.#actions, file);
    }
    const inCard = { act: (action: TroubleAction) => this.#actions.act(this.id, action), say: this.#actions.say };
    return new ReplyView(turn.reply, this.#actions, inCard, file);
  }
}
