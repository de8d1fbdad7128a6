import { visibleText } from '../../core/base/visibleText.ts';
import type { ReplyState, TroubleAction, TroubleView } from '../../protocol.ts';
import { runClock, stopClock, untilText } from '../page/clock.ts';
import { element, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { isPaying } from '../page/payingAction.ts';
import { holdPaying, markPaying } from '../page/payingButtons.ts';

/** What an error card can do; `say` speaks to a screen reader. */
export type TroubleActions = { act(action: TroubleAction): void; say(words: string): void };

/** A longer wait than this comes from a clock that was wrong: it is not shown. */
const longestWaitMs = 90_000_000;

/** The card under a reply that did not end well: what happened, what to do, the gateway's own words, buttons. */
export function troubleCard(trouble: TroubleView, state: ReplyState, actions: TroubleActions): HTMLElement {
  const card = element('section', `trouble ${trouble.severity}`);
  card.setAttribute('aria-label', trouble.severity === 'error' ? 'Error' : 'Warning');
  const picture = state === 'stopped' ? 'stop' : trouble.severity;
  card.append(element('p', 'title', icon(picture), element('span', '', visibleText(trouble.title))));
  if (trouble.remedy !== '') {
    card.append(element('p', 'remedy', visibleText(trouble.remedy)));
  }
  if (trouble.words !== undefined && trouble.words !== '') {
    const words = element('blockquote', 'words', visibleText(trouble.words));
    words.dir = 'auto';
    card.append(words);
  }
  if (trouble.facts.length > 0) {
    card.append(element('p', 'facts', visibleText(trouble.facts.join(' · '))));
  }
  const row = trouble.actions.length > 0 ? buttons(trouble, actions) : undefined;
  if (trouble.waitUntil !== undefined) {
    card.append(...countdown(trouble.waitUntil, row, actions));
  }
  if (row) {
    card.append(row);
  }
  return card;
}

/**
 * The wait that a gateway asked for, counted down. Until it is over the question can not be sent again, only to another
 * model or as a new one; the button keeps its place and the focus. It never presses itself.
 */
function countdown(until: number, row: HTMLElement | undefined, { say }: TroubleActions): HTMLElement[] {
  const left = until - Date.now();
  if (left <= 0 || left > longestWaitMs) {
    return [];
  }
  const line = element('p', 'wait');
  const again = row?.querySelector<HTMLButtonElement>('button[data-action="sendAgain"]');
  const hold = (isHeld: boolean) => again && holdPaying(again, isHeld);
  again?.classList.replace('primary', 'secondary');
  hold(true);
  runClock(line, () => {
    const now = Date.now();
    if (now < until) {
      return `Can be sent again ${untilText(until, now)}`;
    }
    stopClock(line);
    again?.classList.replace('secondary', 'primary');
    hold(false);
    say('The wait is over. The question can be sent again.');
    return 'The wait is over: it can be sent again now.';
  });
  return [line];
}

function buttons(trouble: TroubleView, actions: TroubleActions): HTMLElement {
  const row = element('div', 'buttons');
  trouble.actions.forEach(({ action, label }, index) => {
    const button = textButton(index === 0 ? 'primary' : 'secondary', label, ({ detail }) => {
      // The second click of a double click would open what is being opened once more.
      if (detail <= 1) {
        actions.act(action);
      }
    });
    button.dataset.action = action;
    if (isPaying(action)) {
      markPaying(button);
    }
    row.append(button);
  });
  return row;
}
