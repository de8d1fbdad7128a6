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
  addEventListener('message', ({ source }) => refuseLateFocus(source), { once: true });
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

/**
 * Keeps VS Code from giving the page a focus that another part of it has by now. When the palette closes over a panel,
 * VS Code focuses the frame around the page, and 50 ms later tells that frame by a message to focus the page
 * (microsoft/vscode#75209). A busy machine handles the message only after a new terminal has got the focus, and what is
 * typed for the shell would become a question.
 *
 * @param source who sends the page its messages: the frame around it.
 */
function refuseLateFocus(source: MessageEventSource | null): void {
  const focus = window.focus.bind(window);
  if (source !== null && 'document' in source) {
    window.focus = () => {
      if (source.document.hasFocus()) {
        focus();
      } else {
        source.addEventListener('focus', focus, { once: true });
      }
    };
  }
}
