import { visibleName, visibleText } from '../../core/base/visibleText.ts';

/** Escapes a text from outside for a label of one line, where VS Code turns `$(name)` into an icon. */
export function plainLabel(text: string): string {
  return withoutIcons(visibleName(text));
}

/**
 * Escapes a text from outside for a notification or for the line under an input box. There, VS Code 1.139 turns
 * `[label](address)` into a link if the address begins with `command:`, `file:`, `http:` or `https:`. A click on such a
 * link can run any command with any arguments. Under a box, `$(name)` also becomes an icon.
 */
export function plainMessage(text: string): string {
  return withoutIcons(visibleText(text)).replaceAll('](', ']\u200b(');
}

/** Escapes a text from outside where VS Code renders Markdown: it is shown without links, images and icons. */
export function plainMarkdown(text: string): string {
  return withoutLinks(visibleName(text));
}

/** Same as `plainMarkdown`, for a text that may have several lines. */
export function plainMarkdownLines(text: string): string {
  return withoutLinks(visibleText(text));
}

function withoutLinks(text: string): string {
  return text.replace(/\$(?=\()|\](?=[([:])|<|:(?=\/\/)|www(?=\.)/gi, '$&\u200b');
}

function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
