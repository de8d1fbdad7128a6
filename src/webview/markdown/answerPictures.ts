import * as l10n from '@vscode/l10n';
import { pictureKind } from '../../core/base/pictures.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import type { HostMessage } from '../../protocol/protocol.ts';
import { element, type Post, textButton } from '../page/dom.ts';

/** Where a picture is to be shown, and the model's words for it. */
type Place = { readonly box: HTMLElement; readonly alt: string };

/** The answers of the host, with the addresses of the blobs that the page has made of them. */
const loaded = new Map<string, { readonly url?: string; readonly isThere: boolean }>();
const waiting = new Map<string, Place[]>();
/** What to do when the place of a picture comes near. */
const unseen = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Watches for places that come near to what is on screen. */
function nearby(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) {
          observer?.unobserve(target);
          unseen.get(target)?.();
        }
      }
    },
    { root: document.querySelector('.scroller'), rootMargin: '1000px' },
  );
  return observer;
}

/** Makes the place of a picture of an answer, and asks the host for its data when it is near what is on screen. */
export function answerPicture(name: string, alt: string, post: Post): HTMLElement {
  const place = { box: element('span', 'answerPicture', l10n.t('Loading picture…')), alt: visibleName(alt) };
  unseen.set(place.box, () => {
    const others = waiting.get(name);
    if (loaded.has(name)) {
      show(name, place, post);
    } else if (others !== undefined) {
      others.push(place);
    } else {
      waiting.set(name, [place]);
      post({ type: 'loadPicture', name });
    }
  });
  nearby().observe(place.box);
  return place.box;
}

/** Shows a picture where it is awaited. */
export function showPicture({ name, base64 }: Extract<HostMessage, { type: 'picture' }>, post: Post): void {
  loaded.set(name, { url: base64 === undefined ? undefined : blobUrl(base64), isThere: base64 !== undefined });
  for (const place of waiting.get(name) ?? []) {
    show(name, place, post);
  }
  waiting.delete(name);
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

function show(name: string, { box, alt }: Place, post: Post): void {
  const { url, isThere } = loaded.get(name) ?? {};
  const save = textButton('quietButton', l10n.t('Save As…'), () => post({ type: 'usePicture', name, isSaved: true }));
  if (url === undefined) {
    const kind = name.split('.').at(-1)?.toUpperCase() ?? '';
    box.replaceChildren(
      ...(isThere
        ? [l10n.t("This picture can't be shown: its format is {0}.", kind), ' ', save]
        : [l10n.t('This picture is no longer available.')]),
    );
    return;
  }
  const image = element('img');
  image.alt = alt || l10n.t('Picture');
  image.addEventListener('error', () =>
    box.replaceChildren(l10n.t("This picture can't be shown: its data is damaged."), ' ', save),
  );
  const open = element('button', 'open', image);
  open.type = 'button';
  open.title = alt === '' ? l10n.t('Open Picture') : l10n.t('Open Picture: {0}', alt);
  open.setAttribute('aria-label', open.title);
  open.addEventListener('click', () => post({ type: 'usePicture', name, isSaved: false }));
  image.src = url;
  box.replaceChildren(open, save);
}
