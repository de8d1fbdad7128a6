import { visibleName, visibleText } from '../../core/base/visibleText.ts';

/** A text from outside for a label of one line, as it is: `$(name)` would become an icon. */
export function plainLabel(text: string): string {
  return withoutIcons(visibleName(text));
}

/**
 * A text from outside for a notification, or for a line under a box, as it is. VS Code 1.139 makes a link of
 * `[label](address)` there, with an address that begins with `command:`, `file:`, `http:` or `https:`, and of nothing
 * else; under a box also an icon of `$(name)`. A click on such a link runs any command with any arguments.
 */
export function plainMessage(text: string): string {
  return withoutIcons(visibleText(text)).replaceAll('](', ']\u200b(');
}

/**
 * A text from outside where VS Code shows Markdown and no text: none of it becomes a link to a page or a command, a
 * picture or an icon.
 */
export function plainMarkdown(text: string): string {
  return withoutLinks(visibleName(text));
}

/** The same for a text that may have several lines. */
export function plainMarkdownLines(text: string): string {
  return withoutLinks(visibleText(text));
}

function withoutLinks(text: string): string {
  return text.replace(/\$(?=\()|\](?=[([:])|<|:(?=\/\/)|www(?=\.)/gi, '$&\u200b');
}

function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
