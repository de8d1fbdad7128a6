const types = ['application/vnd.code.uri-list', 'text/uri-list'];
/** More files are not included at a time. */
const mostFiles = 100;

/**
 * Takes files that are dropped on the page while Shift is held; without it, VS Code opens them. What is dropped is known
 * only at the end.
 *
 * @param target marked while files are dragged over the page.
 */
export function takeDroppedFiles(target: HTMLElement, drop: (uris: readonly string[]) => void): void {
  const mark = (isOver: boolean) => target.classList.toggle('isDropTarget', isOver);
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.some((type) => types.includes(type))) {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      mark(true);
    }
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) {
      mark(false);
    }
  });
  document.addEventListener('drop', (event) => {
    mark(false);
    const lists = types.map((type) => event.dataTransfer?.getData(type) ?? '');
    const list = lists.find((each) => each !== '') ?? '';
    // Comments in such a list begin with a number sign.
    const uris = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
    if (uris.length > 0) {
      event.preventDefault();
      drop(uris.slice(0, mostFiles));
    }
  });
}
