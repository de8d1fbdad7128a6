/** Matches code after which a `/` begins a regular expression and is not a division. */
const beforePattern = /(?:^|[=(,:[!&|?{};>+]|\breturn|\btypeof|\bcase)\s*$/;

/** The regular expression literals of a source file, in order. */
export function regexLiterals(source: string): RegExp[] {
  const found: RegExp[] = [];
  let at = 0;
  /** The last code before `at`, without comments and strings: enough to distinguish a literal from a division. */
  let code = '';
  /** The brace depths at which a `}` returns to the text of a template. */
  const templates: number[] = [];
  let depth = 0;
  const skipTo = (end: number) => {
    at = end;
    code = `${code.slice(-20)}_`;
  };
  const template = () => {
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        templates.push(depth);
        at += 2;
        code = '(';
        return;
      }
      at += source[at] === '\\' ? 2 : 1;
    }
    skipTo(at + 1);
  };
  while (at < source.length) {
    const unit = source.charAt(at);
    if (source.startsWith('//', at)) {
      at = source.indexOf('\n', at);
    } else if (source.startsWith('/*', at)) {
      at = source.indexOf('*/', at) + 2;
    } else if (unit === '"' || unit === "'") {
      skipTo(endOf(source, at + 1, unit));
    } else if (unit === '`') {
      at++;
      template();
    } else if (unit === '}' && templates.at(-1) === depth) {
      templates.pop();
      at++;
      template();
    } else if (unit === '/' && beforePattern.test(code)) {
      const end = endOf(source, at + 1, '/');
      const flags = /^[a-z]*/.exec(source.slice(end, end + 10))?.[0] ?? '';
      found.push(new RegExp(source.slice(at + 1, end - 1), flags));
      skipTo(end + flags.length);
    } else {
      depth += unit === '{' ? 1 : unit === '}' ? -1 : 0;
      code = code.slice(-20) + unit;
      at++;
    }
  }
  return found;
}

/** The position after the end of a string or a regular expression. */
function endOf(source: string, start: number, quote: string): number {
  let isInClass = false;
  for (let at = start; at < source.length; at++) {
    const unit = source[at];
    if (unit === '\\') {
      at++;
    } else if (quote === '/' && (unit === '[' || unit === ']')) {
      isInClass = unit === '[';
    } else if (unit === quote && !isInClass) {
      return at + 1;
    }
  }
  throw new Error(`${quote} without an end`);
}
