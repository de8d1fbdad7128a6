import { visibleName } from '../../core/base/visibleText.ts';
import type { ReplyNews } from '../../protocol.ts';
import { element } from './dom.ts';

/** Tells a screen reader that an answer began or ended. The answer itself is read when the person goes there. */
export class Announcer {
  readonly element = element('div', 'unseen');

  constructor() {
    this.element.setAttribute('role', 'status');
  }

  say(words: string): void {
    // The same words twice would not be read twice.
    this.element.replaceChildren(element('p', '', words));
  }

  /** `from`: the model, where several answer at once. */
  end({ state, trouble }: Pick<ReplyNews, 'state' | 'trouble'>, from?: string): void {
    const whose = from === undefined ? '' : `${visibleName(from)}: `;
    switch (state) {
      case 'waiting':
      case 'streaming':
        break;
      case 'complete':
        this.say(`${whose}Answer complete`);
        break;
      case 'stopped':
        this.say(`${whose}Stopped`);
        break;
      case 'incomplete':
        this.say(`${whose}Answer incomplete: ${trouble?.title ?? 'it was cut'}`);
        break;
      case 'failed':
        this.say(`${whose}Failed: ${trouble?.title ?? 'no answer'}`);
        break;
      default:
        state satisfies never;
    }
  }
}
