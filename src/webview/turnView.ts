import type { TroubleAction, TurnView as Turn } from '../protocol.ts';
import { chipList } from './chips.ts';
import { element, iconButton } from './dom.ts';
import type { PanelActions } from './panelActions.ts';
import { ReplyView } from './replyView.ts';
import { Switcher } from './switcher.ts';

/** A question with its context, and the one of its answers that is shown. */
export class TurnView {
  readonly id: string;
  readonly element = element('article', 'turn');
  /** Goes to the other questions at this place. */
  readonly questions: Switcher;
  readonly #replies: Switcher;
  readonly #questionBar: HTMLElement;
  readonly #actions: PanelActions;
  #question: HTMLElement;
  #shownQuestion = '';
  #reply: ReplyView;

  constructor(turn: Turn, actions: PanelActions) {
    this.id = turn.id;
    this.#actions = actions;
    this.questions = new Switcher('question', actions.chooseTurn);
    this.#replies = new Switcher('answer', actions.chooseReply);
    const edit = iconButton('edit', 'Edit question (makes a new branch)', () => actions.edit(this.id));
    this.#questionBar = element('div', 'questionBar', this.questions.element, element('span', 'actions', edit));
    this.#question = this.#makeQuestion(turn);
    this.#reply = this.#makeReply(turn);
    this.element.append(this.#question, this.#replies.element, this.#reply.element);
    this.#showSwitchers(turn);
  }

  get reply(): ReplyView {
    return this.#reply;
  }

  update(turn: Turn): void {
    if (JSON.stringify(turn.question) !== this.#shownQuestion) {
      const question = this.#makeQuestion(turn);
      this.#question.replaceWith(question);
      this.#question = question;
    }
    this.#showSwitchers(turn);
    if (this.#reply.accept(turn.reply)) return;
    const reply = this.#makeReply(turn);
    this.#reply.element.replaceWith(reply.element);
    this.#reply = reply;
  }

  #showSwitchers({ questions, replies }: Turn): void {
    this.questions.show(questions);
    this.#replies.show(replies);
  }

  #makeQuestion({ question }: Turn): HTMLElement {
    this.#shownQuestion = JSON.stringify(question);
    const heading = element('h2', 'unseen', 'Question');
    const text = element('p', 'text', question.text);
    text.dir = 'auto';
    return element('section', 'question', heading, chipList(question.chips), text, this.#questionBar);
  }

  #makeReply(turn: Turn): ReplyView {
    const files = new Set(turn.question.chips.flatMap(({ file }) => file ?? []));
    const file = files.size === 1 ? [...files][0] : undefined;
    const inCard = { act: (action: TroubleAction) => this.#actions.act(this.id, action), say: this.#actions.say };
    return new ReplyView(turn.reply, this.#actions, inCard, file);
  }
}
