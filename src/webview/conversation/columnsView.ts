import { visibleName } from '../../core/base/visibleText.ts';
import type { ColumnView } from '../../protocol.ts';
import { element, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { isRunning, ReplyView } from './replyView.ts';
import { Switcher } from './switcher.ts';

/** The answers to one question side by side, a model each. `file`: the one file the question's code came from. */
export class ColumnsView {
  readonly element = element('div', 'columns');
  readonly #turnId: string;
  readonly #actions: PanelActions;
  readonly #file: string | undefined;
  #columns: Column[] = [];

  constructor(turnId: string, columns: readonly ColumnView[], actions: PanelActions, file: string | undefined) {
    this.#turnId = turnId;
    this.#actions = actions;
    this.#file = file;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Answers side by side');
    this.element.tabIndex = -1;
    this.update(columns);
  }

  get replies(): readonly ReplyView[] {
    return this.#columns.map(({ reply }) => reply);
  }

  update(columns: readonly ColumnView[]): void {
    this.element.dataset.count = String(columns.length);
    this.#columns = columns.map((view, index) => {
      const known = this.#columns[index];
      if (known === undefined) {
        return new Column(this.#turnId, view, this.#actions, this.#file);
      }
      known.update(view);
      return known;
    });
    const elements = this.#columns.map((column) => column.element);
    // What is already in its place stays: it may have the focus.
    if (elements.some((each, index) => this.element.children[index] !== each)) {
      this.element.append(...elements);
    }
    while (this.element.children.length > elements.length) {
      this.element.lastElementChild?.remove();
    }
  }
}

/** One model's answer; its name and what can be done with it stay in sight while one reads. */
class Column {
  readonly element: HTMLElement;
  readonly #turnId: string;
  readonly #actions: PanelActions;
  readonly #file: string | undefined;
  readonly #name = element('div', 'columnName');
  readonly #replies: Switcher;
  readonly #mark = element('span', 'kept', icon('check'), 'Kept');
  readonly #stop: HTMLButtonElement;
  readonly #keep: HTMLButtonElement;
  readonly #keepLabel = element('span');
  #reply: ReplyView;
  #isKept = false;

  constructor(turnId: string, view: ColumnView, actions: PanelActions, file: string | undefined) {
    this.#turnId = turnId;
    this.#actions = actions;
    this.#file = file;
    this.#replies = new Switcher('answer of this model', actions.chooseReply);
    this.#stop = textButton('secondary', 'Stop', () => {
      this.#stop.disabled = true;
      actions.stop(this.#reply.id);
    });
    this.#keep = textButton('secondary', '', () => actions.keep(this.#reply.id));
    this.#keep.replaceChildren(this.#keepLabel);
    const end = element('div', 'columnEnd', this.#mark, this.#stop, this.#keep);
    this.#reply = this.#make(view);
    this.element = element(
      'div',
      'column',
      element('div', 'columnHead', this.#name, this.#replies.element, end),
      this.#reply.element,
    );
    this.element.setAttribute('role', 'group');
    this.update(view);
  }

  get reply(): ReplyView {
    return this.#reply;
  }

  update(view: ColumnView): void {
    if (!this.#reply.accept(view.reply)) {
      const reply = this.#make(view);
      this.#reply.element.replaceWith(reply.element);
      this.#reply = reply;
    }
    this.#isKept = view.isKept === true;
    this.#replies.show(view.replies);
    this.#show();
  }

  #make({ reply }: ColumnView): ReplyView {
    const act = {
      act: (action: Parameters<PanelActions['act']>[1]) => this.#actions.act(this.#turnId, action, reply.id),
      say: this.#actions.say,
    };
    const made = new ReplyView(reply, this.#actions, act, this.#file);
    this.#name.replaceChildren(made.head);
    made.onState = () => this.#show();
    return made;
  }

  #show(): void {
    const model = visibleName(this.#reply.news.model);
    const runs = isRunning(this.#reply.news);
    this.element.setAttribute('aria-label', model);
    this.#mark.hidden = !this.#isKept;
    if (!runs) {
      this.#stop.disabled = false;
    }
    this.#stop.hidden = !runs;
    this.#stop.setAttribute('aria-label', `Stop ${model}`);
    this.#stop.title = `Stop ${model} alone. The others go on`;
    const keeps = this.#isKept ? 'Show this one alone' : 'Keep this one';
    setText(this.#keepLabel, keeps);
    this.#keep.hidden = runs || !this.#reply.hasText;
    this.#keep.setAttribute('aria-label', `${keeps}: ${model}`);
    this.#keep.title = `Go on with ${model}. The other answers stay beside it`;
  }
}
