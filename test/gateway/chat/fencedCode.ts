/** A fenced code block of a Markdown text. */
export interface FencedCode {
  /** The first word of the info string, or an empty string. */
  readonly language: string;
  readonly code: string;
}

/** Finds fenced code blocks as in CommonMark: a closing fence is at least as long as the opening one. */
export function findFencedCode(markdown: string): FencedCode[] {
  const found: FencedCode[] = [];
  let open: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const mark = fence?.[1] ?? '';
    const info = fence?.[2]?.trim() ?? '';
    if (open === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
        open = { mark, language: info.split(/\s+/)[0] ?? '', lines: [] };
      }
    } else if (mark.startsWith(open.mark) && info === '') {
      found.push({ language: open.language, code: open.lines.join('\n') });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== undefined) {
    found.push({ language: open.language, code: open.lines.join('\n') });
  }
  return found;
}

/** Returns a fence for this code, longer than any run of backticks in it. */
export function fenceFor(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}
