import * as l10n from '@vscode/l10n';
import { pictureKind } from '../../core/base/pictures.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { HostMessage } from '../../protocol/protocol.ts';
import { element, type Post, textButton } from '../page/dom.ts';

/** What the host has of a picture; `url` is the address of a blob, if it can be shown. */
type Loaded = { readonly isThere: boolean; readonly url?: string };

/** The pictures that were asked for, by their names, and what to call with the host's answers. */
const pictures = new Map<string, Promise<Loaded>>();
const resolvers = new Map<string, (loaded: Loaded) => void>();

/** Makes the place of a picture of an answer, and asks the host for its data when it is near what is on screen. */
export function answerPicture(name: string, alt: string, post: Post): HTMLElement {
  const box = element('span', 'answerPicture', l10n.t('Loading picture…'));
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        void load(name, post).then((loaded) => show(name, loaded, box, visibleName(alt), post));
      }
    },
    { root: document.querySelector('.scroller'), rootMargin: '1000px' },
  );
  observer.observe(box);
  return box;
}

function load(name: string, post: Post): Promise<Loaded> {
  const ask = (resolve: (loaded: Loaded) => void) => {
    resolvers.set(name, resolve);
    post({ type: 'loadPicture', name });
  };
  const loaded = pictures.get(name) ?? new Promise(ask);
  pictures.set(name, loaded);
  return loaded;
}

/** Shows a picture where it is awaited. */
export function showPicture({ name, base64 }: Extract<HostMessage, { type: 'picture' }>): void {
  resolvers.get(name)?.({ isThere: base64 !== undefined, url: base64 && blobUrl(base64) });
}

/** The address of a blob with a picture; undefined for what can't be shown. */
function blobUrl(base64: string): string | undefined {
  const type = pictureKind(base64)?.type;
  if (type === undefined) {
    return undefined;
  }
  const text = atob(base64.slice(0, base64.length - (base64.length % 4)));
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    bytes[at] = text.charCodeAt(at);
  }
  return URL.createObjectURL(new Blob([bytes], { type }));
}

function show(name: string, { url, isThere }: Loaded, box: HTMLElement, alt: string, post: Post): void {
  const save = textButton('quietButton', l10n.t('Save As…'), () => post({ type: 'usePicture', name, isSaved: true }));
  const showNone = () => box.replaceChildren(l10n.t("This picture can't be shown."), ' ', save);
  if (!isThere) {
    box.replaceChildren(l10n.t('This picture is no longer available.'));
    return;
  }
  if (url === undefined) {
    showNone();
    return;
  }
  const image = element('img');
  image.alt = alt || l10n.t('Picture');
  image.addEventListener('error', showNone);
  const open = element('button', 'open', image);
  open.type = 'button';
  open.title = alt === '' ? l10n.t('Open Picture') : l10n.t('Open Picture: {0}', alt);
  open.setAttribute('aria-label', open.title);
  open.addEventListener('click', () => post({ type: 'usePicture', name, isSaved: false }));
  image.src = url;
  box.replaceChildren(open, save);
}
