import * as l10n from '@vscode/l10n';
import { decodedUri } from '../../core/base/loose.ts';
import type { FilePlace } from '../../protocol/protocol.ts';
import type { Post } from '../page/dom.ts';

/** `:12`, `:12:5`, `:12-20`, `#L12`, `#L12,5`, `#L12-L20`, `#L12C5-L20C9` and these without `L` after a path; not `#1-install`. */
const position = String.raw`(?::(\d{1,7})(?::(\d{1,5})|[-–](\d{1,7}))?|#L?(\d{1,7})(?:[C,](\d{1,5}))?(?:[-–]L?(\d{1,7})(?:C\d{1,5})?)?(?!-[^\s\d]))?`;
/** The lengths are bounded, so that a long text is read in linear time. */
const inText = new RegExp(
  String.raw`(?<![\w./\\@:~$%-])((?:[A-Za-z]:[\\/]|/)?(?=[\w@.$~+-])(?:[\w@.$~+[\]-]{1,100}[\\/]){0,30}[\w@.$~+[\]-]{0,100}\.[A-Za-z]\w{0,9})${position}(?![\w/\\])`,
  'g',
);
const whole = new RegExp(String.raw`^([^\n"<>|*?#:]{1,300}|[A-Za-z]:[\\/][^\n"<>|*?#:]{1,300}?)${position}$`);
/** Longer texts are not read for places. */
const maxText = 20_000;

/** The places in a text, each with the part of the text that names it. A name alone counts only with a line. */
export function placesIn(text: string): readonly { readonly text: string; readonly place?: FilePlace }[] {
  const parts: { text: string; place?: FilePlace }[] = [];
  let from = 0;
  for (const match of text.length > maxText ? [] : text.matchAll(inText)) {
    const [all, path = ''] = match;
    const place = /[\\/]/.test(path) || all !== path ? placeOf(match) : undefined;
    if (place !== undefined) {
      parts.push({ text: text.slice(from, match.index) }, { text: all, place });
      from = match.index + all.length;
    }
  }
  return [...parts, { text: text.slice(from) }].filter((part) => part.text !== '');
}

/** The place that inline code names as a whole: a path, which may have blanks, or a name with an ending or a line. */
export function placeNamed(code: string): FilePlace | undefined {
  const match = whole.exec(code.trim());
  const [all, path = ''] = match ?? [];
  const isPath = /[\\/]|\.[A-Za-z]\w{0,9}$/.test(path) || all !== path;
  return match && isPath ? placeOf(match) : undefined;
}

/** The place that the address of a link names; undefined for an address with a scheme. */
export function placeOfAddress(address: string): FilePlace | undefined {
  const match = whole.exec(decodedUri(address));
  return match ? placeOf(match) : undefined;
}

function placeOf([, path = '', line, column, lastLine, hashLine, hashColumn, lastHashLine]: RegExpExecArray):
  | FilePlace
  | undefined {
  // Never up, and never the address of another computer.
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]{2}|^\s|\s$|^[\w.+-]{2,}:/.test(path)) {
    return undefined;
  }
  const number = (digits: string | undefined) => (Number(digits) > 0 ? Number(digits) : undefined);
  return {
    path,
    line: number(line ?? hashLine),
    column: number(column ?? hashColumn),
    endLine: number(lastLine ?? lastHashLine),
  };
}

/** The places of links, which the page has as no attributes. */
const places = new WeakMap<Element, FilePlace>();

/** Makes the link of a place. It leads nowhere until the host has found the file. */
export function placeLink(place: FilePlace): HTMLAnchorElement {
  const link = document.createElement('a');
  places.set(link, place);
  return link;
}

/** The place that a link leads to, if it is one of a file. */
export const placeOfLink = (link: Element): FilePlace | undefined => places.get(link);

/** Paths asked for at a time. */
const batch = 100;

/** Milliseconds until a path without a file is asked for again: it may get one later. */
const againMs = 10_000;

/** Files that were found, and the links that wait for an answer. */
const known = new Map<string, true | HTMLAnchorElement[]>();
const unasked: string[] = [];

/** Asks the host, in batches, which places in a finished block are files. */
export function findPlaces(block: Node, post: Post): void {
  for (const link of block instanceof Element ? block.querySelectorAll<HTMLAnchorElement>('a:not([href])') : []) {
    const path = places.get(link)?.path;
    const finding = path === undefined ? undefined : findingOf(link);
    if (finding) {
      findings.push(link);
      post({ type: 'checkFinding', index: findings.length - 1, ...finding });
    } else if (path !== undefined) {
      // The mark of a footnote leads to no file.
      findPlace(link, path, post);
    }
  }
}

function findPlace(link: HTMLAnchorElement, path: string, post: Post): void {
  const state = known.get(path);
  if (state === true) {
    lead(link);
  } else if (state !== undefined) {
    state.push(link);
  } else {
    known.set(path, [link]);
    if (unasked.push(path) === 1) {
      setTimeout(ask, 100, post);
    }
  }
}

/** The links of findings, which the host has to compare with the changes first. */
const findings: HTMLAnchorElement[] = [];

/** What a line of a review says if it's as asked for: `path:line: severity: text`, then the changed line as inline code. */
function findingOf(link: HTMLAnchorElement): { path: string; line: number; quote: string } | undefined {
  const { path = '', line } = places.get(link) ?? {};
  if (line === undefined || !/^:\s*(?:error|warning|note)\s*:/i.test(link.nextSibling?.textContent ?? '')) {
    return undefined;
  }
  const after = [...(link.closest('li,p')?.querySelectorAll('code') ?? [])].filter(
    (code) => !link.contains(code) && (link.compareDocumentPosition(code) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
  return { path, line, quote: (after.at(-1)?.textContent ?? '').slice(0, 1_000) };
}

/** Looks for the file of a finding that quotes a changed line, which is where it leads. @param line see `finding`. */
export function showFinding(index: number, line: number | undefined, post: Post): void {
  const link = findings[index];
  const place = link && places.get(link);
  if (place && line !== undefined) {
    places.set(link, { path: place.path, line });
    findPlace(link, place.path, post);
  }
}

function ask(post: Post): void {
  while (unasked.length > 0) {
    post({ type: 'findPlaces', paths: unasked.splice(0, batch) });
  }
}

/** Shows links where the host has found a file. */
export function showPlaces(paths: readonly string[], found: readonly string[]): void {
  const files = new Set(found);
  for (const path of paths) {
    const waiting = known.get(path);
    if (files.has(path)) {
      known.set(path, true);
      for (const link of Array.isArray(waiting) ? waiting : []) {
        lead(link);
      }
    } else {
      setTimeout(() => known.delete(path), againMs);
    }
  }
}

function lead(link: HTMLAnchorElement): void {
  const { path = '', line } = places.get(link) ?? {};
  link.href = '#';
  link.title = line === undefined ? l10n.t('Open {0}', path) : l10n.t('Open {0}, Line {1}', path, String(line));
}
