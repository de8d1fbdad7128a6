const types = ['application/vnd.code.uri-list', 'text/uri-list'];
/** More addresses are not posted; the host includes fewer files, and says so. */
const mostAddresses = 1_000;

/** Whether files are dragged. A link of a page also has an address, and HTML beside it. */
function hasFiles(dragged: DataTransfer | null): dragged is DataTransfer {
  const isFile = dragged?.types.some((type) => types.includes(type)) ?? false;
  return isFile && !dragged?.types.includes('text/html');
}

/**
 * Takes files that are dropped on the page while Shift is held; without it, VS Code opens them. What is dropped is known
 * only at the end.
 *
 * @param target marked while files are dragged over the page.
 */
export function takeDroppedFiles(target: HTMLElement, drop: (uris: readonly string[]) => void): void {
  const mark = (isOver: boolean) => target.classList.toggle('isDropTarget', isOver);
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event.dataTransfer)) {
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
    const { dataTransfer } = event;
    const lists = hasFiles(dataTransfer) ? types.map((type) => dataTransfer.getData(type)) : [];
    const list = lists.find((each) => each !== '') ?? '';
    // Comments in such a list begin with a number sign.
    const uris = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
    if (uris.length > 0) {
      event.preventDefault();
      drop(uris.slice(0, mostAddresses));
    }
  });
}
