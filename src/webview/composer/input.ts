import { parseJson, recordOf, textOf } from '../../core/base/loose.ts';
import type { PanelMessage } from '../../protocol/protocol.ts';
import type { Post } from '../page/dom.ts';

const fileTypes = ['application/vnd.code.uri-list', 'text/uri-list'];
/** More addresses are not posted; the host includes fewer files, and says so. */
const mostAddresses = 1_000;

/** Whether files are dragged. A link of a page also has an address, and HTML beside it. */
function hasFiles(dragged: DataTransfer | null): dragged is DataTransfer {
  const isFile = dragged?.types.some((type) => fileTypes.includes(type)) ?? false;
  return isFile && !dragged?.types.includes('text/html');
}

/**
 * Takes files that are dropped on the page while Shift is held; without it, VS Code opens them. What is dropped is known
 * only at the end.
 *
 * @param target marked while files are dragged over the page.
 */
export function takeDroppedFiles(target: HTMLElement, post: Post): void {
  const mark = (isOver: boolean) => target.classList.toggle('isDropTarget', isOver);
  document.addEventListener('dragover', (event) => {
    if (hasFiles(event.dataTransfer)) {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      mark(true);
    }
  });
  document.addEventListener('dragleave', (event) => event.relatedTarget === null && mark(false));
  document.addEventListener('drop', (event) => {
    mark(false);
    const { dataTransfer } = event;
    const lists = hasFiles(dataTransfer) ? fileTypes.map((type) => dataTransfer.getData(type)) : [];
    const list = lists.find((each) => each !== '') ?? '';
    // Comments in such a list begin with a number sign.
    const uris = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
    if (uris.length > 0) {
      event.preventDefault();
      post({ type: 'addFiles', uris: uris.slice(0, mostAddresses) });
    }
  });
}

/** The longest code that is included as context; longer text stays in the box. */
const mostUnits = 400_000;

/** The languages of documents without code. */
const prose: readonly string[] = ['plaintext', 'markdown'];

/**
 * The code in the clipboard if it is several lines that were copied from an editor of VS Code, which adds its language.
 * Everything else is text for the question: what the person pastes as plain text, and prose, which may be a question that
 * was written in an editor.
 */
export function copiedCode({
  clipboardData,
}: ClipboardEvent): Extract<PanelMessage, { type: 'addPasted' }> | undefined {
  const facts = clipboardData?.getData('vscode-editor-data') ?? '';
  const text = clipboardData?.getData('text/plain') ?? '';
  if (facts === '' || text.length > mostUnits || !text.trim().includes('\n')) {
    return undefined;
  }
  const language = (textOf(recordOf(parseJson(facts)).mode) ?? '').slice(0, 100);
  return prose.includes(language) ? undefined : { type: 'addPasted', text, language };
}
