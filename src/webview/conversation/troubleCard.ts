import * as l10n from '@vscode/l10n';
import { visibleText } from '../../core/base/visibleText.ts';
import type { Trouble } from '../../core/chat/conversation/trouble.ts';
import type { ShownReply, TroubleAction } from '../../protocol/protocol.ts';
import { say } from '../page/announcer.ts';
import { runClock, stopClock, untilText } from '../page/clock.ts';
import { element, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { guardDoubleClicks, holdPaying, isPaying, markPaying } from '../page/paying.ts';

type Act = (action: TroubleAction) => void;

/** A wait longer than this (25 hours) comes from a wrong clock and is not shown. */
const maxWaitMs = 90_000_000;

/**
 * The card under a reply that did not end well: what happened, what to do, the gateway's message, buttons. What the
 * person stopped is no trouble, so it is a quiet line.
 */
export function troubleCard(trouble: Trouble, state: ShownReply['state'], act: Act): HTMLElement {
  const isQuiet = state === 'stopped';
  const card = element('section', `trouble ${isQuiet ? 'quiet' : trouble.severity}`);
  card.setAttribute('aria-label', trouble.severity === 'error' ? l10n.t('Error') : l10n.t('Warning'));
  const picture = isQuiet ? 'stop' : trouble.severity;
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
  const row = trouble.actions.length > 0 ? buttons(trouble, act, isQuiet) : undefined;
  if (trouble.waitUntil !== undefined) {
    card.append(...countdown(trouble.waitUntil, row));
  }
  if (row) {
    card.append(row);
  }
  return card;
}

/**
 * Counts down the wait that a gateway asked for. Until it is over, the question cannot be sent again, only to another
 * model or as a new one. The button stays in place and can hold the focus; it is never pressed automatically.
 */
function countdown(until: number, row: HTMLElement | undefined): HTMLElement[] {
  const left = until - Date.now();
  if (left <= 0 || left > maxWaitMs) {
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
      return untilText(until, now);
    }
    stopClock(line);
    again?.classList.replace('secondary', 'primary');
    hold(false);
    const sayNow = l10n.t('You can send again now.');
    say(sayNow);
    return sayNow;
  });
  return [line];
}

function buttons(trouble: Trouble, act: Act, isQuiet: boolean): HTMLElement {
  const row = element('div', 'buttons');
  trouble.actions.forEach(({ action, label }, index) => {
    const look = isQuiet ? 'quietButton' : index === 0 ? 'primary' : 'secondary';
    const button = textButton(look, label, () => act(action));
    button.dataset.action = action;
    // The second click of a double click would open the same thing again.
    const guard = isPaying(action) ? markPaying : guardDoubleClicks;
    guard(button);
    row.append(button);
  });
  return row;
}
