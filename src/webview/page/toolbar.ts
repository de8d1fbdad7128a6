/** Makes the buttons of a toolbar one tab stop, initially the first; arrow keys, Home and End move between them. */
export function addRovingTabIndex(bar: HTMLElement): void {
  const buttons = () => [...bar.querySelectorAll('button')];
  bar.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) {
      return;
    }
    for (const button of buttons()) {
      button.tabIndex = button === target ? 0 : -1;
    }
  });
  bar.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    const all = buttons();
    const { activeElement } = document;
    const at = activeElement instanceof HTMLButtonElement ? all.indexOf(activeElement) : -1;
    const last = all.length - 1;
    const next = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last };
    const to = Object.hasOwn(next, event.key) ? next[event.key as keyof typeof next] : undefined;
    if (at === -1 || to === undefined) {
      return;
    }
    event.preventDefault();
    all[to]?.focus();
  });
}
