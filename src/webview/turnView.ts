import type { TurnView as Turn } from '../protocol.ts';
import { chipList } from './chips.ts';
import { element } from './dom.ts';
import type { PanelActions } from './panelActions.ts';
import { ReplyView } from './replyView.ts';

/** A question with its context, and the answer to it. */
export class TurnView {
  readonly id: string;
  readonly element = element('article', 'turn');
  readonly #actions: PanelActions;
  #question: HTMLElement;
  #shownQuestion = '';
  #reply: ReplyView;

  constructor(turn: Turn, actions: PanelActions) {
    this.id = turn.id;
    this.#actions = actions;
    this.#question = this.#makeQuestion(turn);
    this.#reply = this.#makeReply(turn);
    this.element.append(this.#question, this.#reply.element);
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
    if (this.#reply.accept(turn.reply)) return;
    const reply = this.#makeReply(turn);
    this.#reply.element.replaceWith(reply.element);
    this.#reply = reply;
  }

  #makeQuestion({ question }: Turn): HTMLElement {
    this.#shownQuestion = JSON.stringify(question);
    const heading = element('h2', 'unseen', 'Question');
    const text = element('p', 'text', question.text);
    text.dir = 'auto';
    return element('section', 'question', heading, chipList(question.chips), text);
  }

  #makeReply(turn: Turn): ReplyView {
    const files = new Set(turn.question.chips.filter(({ kind }) => kind === 'selection').map(({ label }) => label));
    const file = files.size === 1 ? [...files][0] : undefined;
    return new ReplyView(turn.reply, this.#actions, { act: (action) => this.#actions.act(this.id, action) }, file);
  }
}
