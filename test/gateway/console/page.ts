import { type Html, type HtmlPart, html } from './html.ts';

const navigation = [
  ['/', 'Home'],
  ['/keys', 'Keys'],
  ['/wallet', 'Wallet'],
  ['/catalogue', 'Catalogue'],
  ['/usage', 'Usage'],
] as const;

/** Returns a whole page of the console; `here` is the current path in the navigation. */
export function page(title: string, here: string, body: Html): string {
  const links = navigation.map(([path, name]) =>
    path === here ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`,
  );
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Local gateway</title>
<link rel="stylesheet" href="/console.css">
</head>
<body>
<header><div><strong>Local gateway</strong><nav aria-label="Console">${links}</nav></div></header>
<main><h1>${title}</h1>${body}</main>
</body>
</html>
`.markup;
}

/** Returns a table in a box that scrolls horizontally. Headings that start with `#` are for columns of numbers. */
export function table(headings: readonly string[], rows: readonly (readonly HtmlPart[])[], empty: string): Html {
  if (rows.length === 0) {
    return html`<p class="soft">${empty}</p>`;
  }
  const isNumber = headings.map((heading) => heading.startsWith('#'));
  const heads = headings.map(
    (heading, index) =>
      html`<th scope="col" class="${isNumber[index] ? 'number' : ''}">${heading.replace('#', '')}</th>`,
  );
  const lines = rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, index) => html`<td class="${isNumber[index] ? 'number' : ''}">${cell}</td>`)}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** Formats the UTC day of a time for a date field; an empty string for null, which means never. */
export function dayText(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 10);
}

/** Formats a time in UTC, to the second. */
export function timeText(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
