import type { ReplyState, TroubleAction, TroubleView } from '../protocol.ts';
import { element, textButton } from './dom.ts';
import { icon } from './icons.ts';
import { isPaying } from './payingAction.ts';

/** What an error card can do: `act` returns whether the wish went out. */
export type TroubleActions = { act(action: TroubleAction): boolean };

/** The card under a reply that did not end well: what happened, what to do, the gateway's own words, buttons. */
export function troubleCard(trouble: TroubleView, state: ReplyState, actions: TroubleActions): HTMLElement {
  const card = element('section', `trouble ${trouble.severity}`);
  card.setAttribute('aria-label', trouble.severity === 'error' ? 'Error' : 'Warning');
  const picture = state === 'stopped' ? 'stop' : trouble.severity;
  card.append(element('p', 'title', icon(picture), element('span', '', trouble.title)));
  if (trouble.remedy !== '') card.append(element('p', 'remedy', trouble.remedy));
  if (trouble.words !== undefined && trouble.words !== '') {
    const words = element('blockquote', 'words', trouble.words);
    words.dir = 'auto';
    card.append(words);
  }
  if (trouble.facts.length > 0) card.append(element('p', 'facts', trouble.facts.join(' · ')));
  if (trouble.actions.length > 0) card.append(buttons(trouble, actions));
  return card;
}

function buttons(trouble: TroubleView, actions: TroubleActions): HTMLElement {
  const row = element('div', 'buttons');
  trouble.actions.forEach(({ action, label }, index) => {
    const button = textButton(index === 0 ? 'primary' : 'secondary', label, () => {
      if (!actions.act(action)) return;
      button.disabled = true;
      // Only a new send is answered; the others open something, and may be wanted again.
      if (!isPaying(action)) setTimeout(() => (button.disabled = false), 600);
    });
    button.dataset.action = action;
    if (isPaying(action)) button.dataset.pays = '';
    row.append(button);
  });
  return row;
}
