import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ColumnView } from '../../protocol/protocol.ts';
import { element, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import type { PanelActions } from '../page/panelActions.ts';
import { isArriving, ReplyView } from './replyView.ts';
import { Switcher } from './switcher.ts';

/** The answers to one question side by side, one column per model. */
export class ColumnsView {
  readonly element = element('div', 'columns');
  readonly #columns: readonly Column[];

  constructor(turnId: string, columns: readonly ColumnView[], actions: PanelActions) {
    this.#columns = columns.map((view) => new Column(turnId, view, actions));
    this.element.append(...this.#columns.map((column) => column.element));
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', l10n.t('Answers side by side'));
    this.element.tabIndex = -1;
  }

  get replies(): readonly ReplyView[] {
    return this.#columns.map(({ reply }) => reply);
  }

  /** Shows the answers as they are now. Returns false when their number has changed, which needs a new view. */
  accept(columns: readonly ColumnView[]): boolean {
    for (const [index, view] of columns.entries()) {
      this.#columns[index]?.update(view);
    }
    return columns.length === this.#columns.length;
  }
}

/** One model's answer. Its name and buttons stay visible while the answer scrolls. */
class Column {
  readonly element: HTMLElement;
  readonly #turnId: string;
  readonly #actions: PanelActions;
  readonly #name = element('div', 'columnName');
  readonly #replies: Switcher;
  readonly #mark = element('span', 'chosen', icon('check'), l10n.t('Kept'));
  readonly #stop: HTMLButtonElement;
  readonly #keep: HTMLButtonElement;
  readonly #keepLabel = element('span');
  #reply: ReplyView;
  #isChosen = false;

  constructor(turnId: string, view: ColumnView, actions: PanelActions) {
    this.#turnId = turnId;
    this.#actions = actions;
    this.#replies = new Switcher('answers', (replyId) => actions.choose({ type: 'chooseReply', replyId }));
    this.#stop = textButton('secondary', l10n.t('Stop'), () => {
      this.#stop.disabled = true;
      actions.post({ type: 'stop', replyId: this.#reply.id });
    });
    this.#keep = textButton('secondary', '', () => actions.choose({ type: 'keep', replyId: this.#reply.id }));
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
    this.#isChosen = view.isChosen === true;
    this.#replies.show(view.replies);
    this.#show();
  }

  #make({ reply }: ColumnView): ReplyView {
    const made = new ReplyView(reply, this.#actions.post, (action) =>
      this.#actions.act(this.#turnId, action, reply.id),
    );
    this.#name.replaceChildren(made.head);
    made.element.prepend(...made.head.querySelectorAll('.echoed'));
    made.onState = () => this.#show();
    return made;
  }

  #show(): void {
    const model = visibleName(this.#reply.latest.model);
    const runs = isArriving(this.#reply.latest);
    this.element.setAttribute('aria-label', model);
    this.#name.title = model;
    this.#mark.hidden = !this.#isChosen;
    if (!runs) {
      this.#stop.disabled = false;
    }
    this.#stop.hidden = !runs;
    this.#stop.setAttribute('aria-label', l10n.t('Stop {0}', model));
    this.#stop.title = l10n.t('Stop {0}. The other answers continue.', model);
    setText(this.#keepLabel, this.#isChosen ? l10n.t('Show Only This Answer') : l10n.t('Keep This Answer'));
    this.#keep.hidden = runs || !this.#reply.hasText;
    this.#keep.setAttribute(
      'aria-label',
      this.#isChosen ? l10n.t('Show Only This Answer: {0}', model) : l10n.t('Keep This Answer: {0}', model),
    );
    this.#keep.title = l10n.t('Continue with {0}. The other answers stay available.', model);
  }
}
