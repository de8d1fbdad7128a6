import { recordOf, textOf } from '../base/loose.ts';
import { type Picture, pictureAddress, pictureKind } from '../base/pictures.ts';

const dataUrl = /^data:image\/([\w.+-]{1,40})[^,]{0,80};base64,/i;
const addressStart = /(\]\(<?)?(data:image\/[\w.+-]{1,40}[\w;=.+-]{0,80};base64,)/i;
/** A text that may become such a start. */
const mayBeStart = /\](?:\((?:<?(?:d|da|dat|data(?::[\w;=.+/-]{0,130})?)?)?)?$/i;

/**
 * Takes the pictures out of an answer: those that come beside its text, and the data in it, as a link in Markdown or bare,
 * which is not passed on as text. The text has references in their place, `![](picture:name)`. Code stays as it is.
 */
export class Pictures {
  readonly #names = new Map<string, string>();
  #new: Picture[] = [];
  /** All text so far. */
  #text = '';
  #held = '';
  /** The address that is arriving. */
  #address: string | undefined;
  #isBare = false;

  /** Number of different pictures so far. */
  get count(): number {
    return this.#names.size;
  }

  /** @returns the text with references, as far as it is certain. */
  push(text: string): string {
    let rest = this.#held + text;
    if (this.#address === undefined && !rest.includes(']') && !rest.includes('data:image/')) {
      this.#text += rest;
      this.#held = '';
      return rest;
    }
    this.#held = '';
    let shown = '';
    while (rest !== '') {
      if (this.#address !== undefined) {
        const end = rest.search(this.#isBare ? /[^\w+/=]/ : /[)\n]/);
        this.#address += end < 0 ? rest : rest.slice(0, end);
        rest = end < 0 ? '' : rest.slice(rest[end] === ')' && !this.#isBare ? end + 1 : end);
        shown += end < 0 ? '' : this.#endAddress();
        continue;
      }
      const start = addressStart.exec(rest);
      const hold = start ? undefined : mayBeStart.exec(rest)?.index;
      const passed = start ? rest.slice(0, start.index) : rest.slice(0, hold);
      this.#text += passed;
      shown += passed;
      this.#held = hold === undefined ? '' : rest.slice(hold);
      rest = start ? rest.slice(start.index + start[0].length) : '';
      if (start && isInCode(this.#text)) {
        this.#text += start[0];
        shown += start[0];
      } else if (start) {
        this.#isBare = start[1] === undefined;
        this.#address = start[2] ?? '';
      }
    }
    return shown;
  }

  /** @returns the text that was held back, and the part of a picture that arrived. */
  end(): string {
    const rest = this.#address === undefined ? this.#held : this.#endAddress();
    this.#held = '';
    return rest;
  }

  /**
   * Reads a picture that is no text, in any form of a content part.
   *
   * @param isWhole it may repeat a picture, in a message that repeats the text too.
   * @returns Markdown for the text.
   */
  read(part: unknown, isWhole = false): string {
    const address = addressOf(part);
    const { size } = this.#names;
    // What is not data is never fetched: a link.
    const name = /^https?:/i.test(address) ? undefined : this.#note(address);
    const to = name === undefined ? address.replaceAll(/[\s()<>]/g, encodeURIComponent) : pictureAddress(name);
    const isShown = name === undefined ? /^https?:/i.test(address) : isWhole || this.#names.size > size;
    return isShown ? `\n\n![](${to})\n\n` : '';
  }

  /** The pictures since the last call. */
  take(): readonly Picture[] {
    const pictures = this.#new;
    this.#new = [];
    return pictures;
  }

  #endAddress(): string {
    const address = this.#address ?? '';
    const name = this.#note(/^[^\s>"]*/.exec(address)?.[0] ?? '');
    this.#address = undefined;
    const to = `](${name === undefined ? '' : pictureAddress(name)})`;
    const link = !this.#isBare ? to : name === undefined ? address : `![${to}`;
    this.#text += link;
    return link;
  }

  #note(address: string): string | undefined {
    const [head, subtype = ''] = dataUrl.exec(address) ?? [];
    const data = head === undefined ? '' : address.slice(head.length).replace(/\s+/g, '');
    const base64 = /^[A-Za-z0-9+/]*={0,2}/.exec(data)?.[0] ?? '';
    if (base64 === '') {
      return undefined;
    }
    const known = this.#names.get(base64);
    if (known !== undefined) {
      return known;
    }
    const ending = pictureKind(base64)?.ending ?? /^[a-z0-9]{1,8}/.exec(subtype.toLowerCase())?.[0] ?? 'bin';
    const name = `${crypto.randomUUID()}.${ending}`;
    this.#names.set(base64, name);
    this.#new.push({ name, base64 });
    return name;
  }
}

/** The address of a picture, or its data as one, in any form of a content part; empty if there is none. */
function addressOf(part: unknown): string {
  const { image_url, inline_data, inlineData, source } = recordOf(part);
  for (const each of [part, image_url, inline_data, inlineData, source]) {
    const { url, data, b64_json, image_base64, result, mime_type, mimeType, media_type } = recordOf(each);
    const found = [each, url, data, b64_json, image_base64, result].map(textOf).find((text) => text !== undefined);
    if (found !== undefined) {
      const type = [mime_type, mimeType, media_type].map(textOf).find((text) => text !== undefined) ?? 'image/png';
      return /^(?:data|https?):/i.test(found) ? found : `data:${type};base64,${found}`;
    }
  }
  return '';
}

/** Whether what follows a text is inside a code block or inline code. */
function isInCode(text: string): boolean {
  const fences = text.match(/^[\s>]*(?:`{3,}|~{3,})/gm)?.length ?? 0;
  const ticks = text.slice(text.lastIndexOf('\n') + 1).match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}
