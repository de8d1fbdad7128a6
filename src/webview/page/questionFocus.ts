/**
 * Focuses the question box when the page has the focus but none of its elements does, and when a letter is typed
 * outside a text field, where it would be lost. A page without the focus never takes it.
 *
 * @returns a function that checks the focus now; call it after something was removed from the page.
 */
export function watchFocus(focusBox: () => void): () => void {
  const hasFocusedElement = () => document.activeElement !== null && document.activeElement !== document.body;
  const take = () => {
    // Moving the focus would clear a selection, such as one made by a search.
    if (document.hasFocus() && !hasFocusedElement() && document.getSelection()?.isCollapsed !== false) {
      focusBox();
    }
  };
  addEventListener('focus', take);
  document.addEventListener('keydown', (event) => {
    const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    // Keys of an input method have no letter. The space bar presses the focused button or scrolls.
    const isText = event.key.length === 1 || event.key === 'Process' || event.key === 'Dead';
    if (!isText || isCommand || (event.key === ' ' && hasFocusedElement())) {
      return;
    }
    if (!(event.target instanceof HTMLElement && event.target.matches('textarea, input'))) {
      focusBox();
    }
  });
  return take;
}
