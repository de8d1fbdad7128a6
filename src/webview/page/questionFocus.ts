/**
 * Gives the question box the focus whenever the page has it and nothing in the page does, and when a letter is typed
 * where none can be: it would be lost there. A page without the focus never takes it.
 *
 * @returns looks whether that is so now, for after something was taken out of the page.
 */
export function watchFocus(focusBox: () => void): () => void {
  const isAnywhere = () => document.activeElement !== null && document.activeElement !== document.body;
  const take = () => {
    // Words that are selected, as by a search, would not be any more.
    if (document.hasFocus() && !isAnywhere() && document.getSelection()?.isCollapsed !== false) {
      focusBox();
    }
  };
  addEventListener('focus', take);
  document.addEventListener('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    // An input method says no letter; the space bar presses a button, or scrolls.
    const isText = event.key.length === 1 || event.key === 'Process' || event.key === 'Dead';
    if (!isText || isCommand || (event.key === ' ' && isAnywhere())) {
      return;
    }
    if (!(event.target instanceof HTMLElement && event.target.matches('textarea, input'))) {
      focusBox();
    }
  });
  return take;
}
