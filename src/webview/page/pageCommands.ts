import type { PageCommand } from '../../protocol/protocol.ts';

/** Commands of VS Code that concern what is shown: steps of the keyboard, and the context menu. */

const answers = '.reply';
const codeBlocks = '.codeBlock';

/** What the context menu was opened on. VS Code does not tell. */
let pointed: Element | null = null;

export function watchContextMenu(): void {
  addEventListener('contextmenu', ({ target }) => {
    pointed = target instanceof Element ? target : null;
  });
}

/**
 * Runs a command.
 *
 * @param go scrolls to an element that gets the focus.
 */
export function runPageCommand(command: PageCommand, go: (to: HTMLElement) => void): void {
  switch (command) {
    case 'copyAnswer':
      press(pointed?.closest(answers)?.querySelector('.copyAnswer'));
      return;
    case 'copyCode':
      press(pointed?.closest('.codeBlock')?.querySelector('.copy'));
      return;
    case 'nextAnswer':
    case 'previousAnswer':
      step(answers, command === 'nextAnswer', go);
      return;
    case 'nextCodeBlock':
    case 'previousCodeBlock':
      step(codeBlocks, command === 'nextCodeBlock', go);
      return;
    default:
      command satisfies never;
  }
}

function press(button: Element | null | undefined): void {
  if (button instanceof HTMLElement) {
    button.click();
  }
}

/** Moves the focus to the next or the previous one of these elements: from the question box, back to the last one. */
function step(selector: string, isForward: boolean, go: (to: HTMLElement) => void): void {
  const from = document.activeElement;
  const wanted = isForward ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (each) =>
      each.checkVisibility() &&
      from !== null &&
      !each.contains(from) &&
      (from.compareDocumentPosition(each) & wanted) !== 0,
  );
  const to = isForward ? all[0] : all.at(-1);
  if (to) {
    go(to);
    to.focus({ preventScroll: true });
    // A key with a modifier is no reason for the browser to show where the focus is.
    to.classList.add('reached');
    to.addEventListener('blur', () => to.classList.remove('reached'), { once: true });
  }
}
