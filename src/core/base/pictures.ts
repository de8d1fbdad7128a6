/** A picture of an answer. The name is new for each one; its ending says what it is. */
export type Picture = { readonly name: string; readonly base64: string };

/** What can be shown, by its first bytes. Whatever else is called a picture, such as SVG, can only be saved. */
const shownKinds = [
  ['png', 'image/png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', 'image/jpeg', /^\xff\xd8\xff/],
  ['gif', 'image/gif', /^GIF8[79]a/],
  ['webp', 'image/webp', /^RIFF.{4}WEBP/s],
] as const;

const nameForm = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[a-z0-9]{1,8}';
/** The name of a picture, which is also that of its file. */
export const pictureName = new RegExp(`^${nameForm}$`);
const scheme = 'picture:';
const reference = new RegExp(`!\\[((?:[^[\\]\\n]|\\[[^[\\]\\n]{0,100}\\]){0,300})\\]\\(${scheme}(${nameForm})\\)`, 'g');

/** The name of the picture that stands at an address in the text of an answer. */
export function pictureAt(address: string): string | undefined {
  const name = address.slice(scheme.length);
  return address.startsWith(scheme) && pictureName.test(name) ? name : undefined;
}

/** Replaces the pictures in the text of an answer. `alt` are the model's words for one, mostly none. */
export function replacePictures(text: string, replacement: (name: string, alt: string) => string): string {
  return text.replace(reference, (_, alt: string, name: string) => replacement(name, alt));
}

/** The names of the pictures in the text of an answer. */
export function picturesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(([, , name = '']) => name);
}

/** Makes the Markdown address of a picture. */
export const pictureAddress = (name: string): string => scheme + name;

/** The ending of the name and the MIME type of a picture that can be shown. */
export function pictureKind(base64: string): { readonly ending: string; readonly type: string } | undefined {
  let head = '';
  try {
    head = atob(base64.slice(0, 24));
  } catch {
    // It isn't base64.
  }
  const [ending, type] = shownKinds.find(([, , start]) => start.test(head)) ?? [];
  return ending === undefined || type === undefined ? undefined : { ending, type };
}

/** The data of a picture. */
export const base64Form = /^[A-Za-z0-9+/]*={0,2}$/;
