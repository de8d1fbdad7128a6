/** Markup that is safe to send: everything inserted into it was escaped or is markup itself. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value in a template. `undefined` and `false` write nothing; an array writes its parts. */
export type HtmlPart = string | number | Html | undefined | false | readonly HtmlPart[];

/** Builds markup; every part is escaped unless it is markup already. Attributes must be quoted in the template. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let markup = texts[0] ?? '';
  for (const [index, part] of parts.entries()) {
    markup += write(part) + (texts[index + 1] ?? '');
  }
  return new Html(markup);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function write(part: HtmlPart): string {
  if (part === undefined || part === false) {
    return '';
  }
  if (part instanceof Html) {
    return part.markup;
  }
  if (typeof part === 'object') {
    return part.map(write).join('');
  }
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
