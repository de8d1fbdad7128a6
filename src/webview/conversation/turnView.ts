import * as l10n from '@vscode/l10n';
import type { ShownTurn } from '../../protocol/protocol.ts';
import { element, iconButton, textButton } from '../page/dom.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { wholeCharacters } from '../page/wholeCharacters.ts';
import { chipList } from './chips.ts';
import { ColumnsView } from './columnsView.ts';
import { ReplyView } from './replyView.ts';
import { Switcher } from './switcher.ts';

/** Lines and UTF-16 units of a question that are shown before the rest is folded: a log can have thousands of lines. */
const shownLines = 24;
const shownLength = 4_000;

/** A question with its context, and its visible answer, or all of its answers side by side. */
export class TurnView {
  readonly id: string;
  readonly element = element('article', 'turn');
  /** Switches between the questions at this place. */
  readonly questions: Switcher;
  readonly #replies: Switcher;
  readonly #compareAgain: HTMLButtonElement;
  readonly #diffAnswers: HTMLButtonElement;
  readonly #answers: HTMLElement;
  readonly #questionBar: HTMLElement;
  readonly #actions: PanelActions;
  /** Keeps the question in sight while its answer scrolls. */
  readonly #askedLine = element('p', 'askedLine');
  #question: HTMLElement;
  #shownQuestion = '';
  #body: ReplyView | ColumnsView;

  constructor(turn: ShownTurn, actions: PanelActions) {
    this.id = turn.id;
    this.element.dataset.turn = turn.id;
    // The message `leadTo` focuses this element.
    this.element.tabIndex = -1;
    this.#actions = actions;
    this.questions = new Switcher('questions', (turnId) => actions.choose({ type: 'chooseTurn', turnId }));
    this.#replies = new Switcher('answers', (replyId) => actions.choose({ type: 'chooseReply', replyId }));
    const edit = iconButton('edit', l10n.t('Edit Question (Creates a New Branch)'), () => actions.edit(this.id));
    this.#questionBar = element('div', 'questionBar', this.questions.element, element('span', 'actions', edit));
    this.#compareAgain = textButton(
      'quietButton',
      l10n.t('Compare Side by Side'),
      () => actions.choose({ type: 'compareAgain', turnId: this.id }),
      'split',
    );
    this.#compareAgain.title = l10n.t('Show all answers to this question side by side. Nothing is sent.');
    this.#diffAnswers = textButton(
      'quietButton',
      l10n.t('Diff Two Answers'),
      () => actions.post({ type: 'diffAnswers', turnId: this.id }),
      'diff',
    );
    this.#answers = element('div', 'answers', this.#replies.element, this.#compareAgain, this.#diffAnswers);
    this.#question = this.#makeQuestion(turn);
    this.#body = this.#makeBody(turn);
    this.#askedLine.ariaHidden = 'true';
    this.element.append(this.#question, this.#askedLine, this.#answers, this.#body.element);
    this.#showSwitchers(turn);
  }

  /** The visible answers. */
  get replies(): readonly ReplyView[] {
    return this.#body instanceof ColumnsView ? this.#body.replies : [this.#body];
  }

  get isSideBySide(): boolean {
    return this.#body instanceof ColumnsView;
  }

  update(turn: ShownTurn): void {
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
    // The pressed button was removed.
    if (hadFocus && body instanceof ColumnsView) {
      body.element.focus({ preventScroll: true });
    }
  }

  #accept({ columns, reply }: ShownTurn): boolean {
    return this.#body instanceof ColumnsView
      ? columns !== undefined && this.#body.accept(columns)
      : columns === undefined && this.#body.accept(reply);
  }

  #showSwitchers({ questions, replies, canCompare, columns }: ShownTurn): void {
    this.element.classList.toggle('sideBySide', columns !== undefined);
    this.element.classList.toggle('hasBranches', questions !== undefined);
    this.questions.show(questions);
    this.#replies.show(replies);
    this.#compareAgain.hidden = canCompare !== true;
    this.#diffAnswers.hidden = canCompare !== true && columns === undefined;
    this.#answers.hidden = replies === undefined && this.#diffAnswers.hidden;
  }

  #makeQuestion({ question }: ShownTurn): HTMLElement {
    this.#shownQuestion = JSON.stringify(question);
    const heading = element('h2', 'unseen', l10n.t('Question'));
    const text = questionText(question.text);
    text.dir = 'auto';
    this.#askedLine.dataset.text = question.text.trim().slice(0, 200);
    return element(
      'section',
      'question',
      heading,
      chipList(question.chips, (id) => this.#actions.post({ type: 'openChip', id })),
      text,
      this.#questionBar,
    );
  }

  #makeBody(turn: ShownTurn): ReplyView | ColumnsView {
    if (turn.columns) {
      return new ColumnsView(this.id, turn.columns, this.#actions);
    }
    return new ReplyView(turn.reply, this.#actions.post, (action) => this.#actions.act(this.id, action));
  }
}

/** The text, of which a long rest is folded until it is opened or a search in the panel finds something in it. */
function questionText(all: string): HTMLElement {
  const start = all.split('\n', shownLines).join('\n').slice(0, shownLength);
  const rest = all.slice(start.length);
  // A few lines more are shown, too.
  if (rest.split('\n', shownLines).length < shownLines && rest.length < shownLength) {
    return element('div', 'text', all);
  }
  const cut = wholeCharacters(start);
  const more = element('details', '', element('summary', 'more', l10n.t('Show More')), all.slice(cut));
  return element('div', 'text', all.slice(0, cut), more);
}
