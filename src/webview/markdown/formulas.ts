import type Temml from 'temml';
import { element } from '../page/dom.ts';
import { requestPaint } from '../page/painter.ts';

/** Temml is a script beside that of the page, loaded with the first formula, because few answers have any. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';

let temml: typeof Temml | undefined;
let isLoading = false;

type Formula = { readonly place: HTMLElement; readonly tex: string; readonly isDisplayed: boolean };
const waiting: Formula[] = [];

const queue = {
  paint(mayContinue: () => boolean): boolean {
    for (let next = waiting.shift(); next !== undefined; next = mayContinue() ? waiting.shift() : undefined) {
      draw(next);
    }
    return waiting.length > 0;
  },
};

/** Draws the LaTeX of an element, which shows its source, when Temml is loaded. What is wrong in it stays source. */
export function drawFormula(place: HTMLElement, tex: string, isDisplayed: boolean): void {
  waiting.push({ place, tex, isDisplayed });
  if (temml !== undefined) {
    requestPaint(queue);
  } else if (!isLoading) {
    isLoading = true;
    void import(new URL('temml.js', script).href).then((loaded: { readonly default: typeof Temml }) => {
      temml = loaded.default;
      requestPaint(queue);
    });
  }
}

/** Longer formulas would take longer than a frame, and deeper ones freeze the page: 400 nested `\smash` take 20 seconds. */
const maxLength = 4_000;
const maxDepth = 30;
const definition = /\\(?:[egx]?def|let|futurelet|(?:new|renew|provide)command)(?![A-Za-z])/;

function draw({ place, tex, isDisplayed }: Formula): void {
  if (tex.length > maxLength || depthOf(tex) > maxDepth || (tex.match(/#/g)?.length ?? 0) > 8) {
    return;
  }
  const drawn = element('span');
  try {
    // In macros, `#` is no sign.
    const escaped = definition.test(tex) ? tex : withEscapes(tex);
    temml?.render(isDisplayed ? withLines(escaped) : escaped, drawn, {
      displayMode: isDisplayed,
      throwOnError: true,
      trust: false,
      // Macros end with the formula that defines them, and can't make a long one of it.
      macros: { '\\mbox': '\\text{#1}' },
      maxExpand: definition.test(tex) ? 8_000 / tex.length : 1_000,
      maxSize: [10, 120],
    });
  } catch {
    return;
  }
  const math = drawn.firstElementChild;
  if (drawn.childElementCount !== 1 || !(math instanceof MathMLElement) || math.querySelector('a') !== null) {
    return;
  }
  math.style.removeProperty('display');
  for (const named of math.querySelectorAll('[id]')) {
    named.removeAttribute('id');
  }
  place.replaceChildren(element('span', 'source', ...place.childNodes), math);
  place.classList.add('drawn');
  if (isDisplayed || tex.length > 30) {
    // It may scroll.
    place.tabIndex = 0;
  }
}

/**
 * LaTeX with backslashes before what models mean as it is: marks of LaTeX in text (LostRuins/lite.koboldai.net#186), and
 * percent signs after numbers, which would begin comments (rojer95/katex-mini#16).
 */
function withEscapes(tex: string): string {
  return tex
    .replaceAll(/\\(?:text(?:bf|it|rm|sf|tt)?|mbox)\{[^{}$]*\}/g, (text) => text.replaceAll(/(?<!\\)[_%&#]/g, '\\$&'))
    .replaceAll(/(?<=\d ?)%/g, '\\%');
}

/**
 * The LaTeX of a displayed formula, in an environment if it has lines outside of any. KaTeX, for which models write,
 * breaks them; Temml, like LaTeX, would draw one line (ronkok/Temml#68).
 */
function withLines(tex: string): string {
  const outside = new Set<string>();
  let depth = 0;
  for (const [token] of tex.matchAll(/\\(?:begin|end)(?![A-Za-z])|\\.|[{}&]/gs)) {
    depth += /^(?:\\begin|\{)$/.test(token) ? 1 : /^(?:\\end|\})$/.test(token) ? -1 : 0;
    if (depth === 0) {
      outside.add(token);
    }
  }
  const name = outside.has('&') ? 'aligned' : 'gathered';
  return outside.has('\\\\') ? `\\begin{${name}}${tex}\n\\end{${name}}` : tex;
}

/** How deep the braces in it are nested. */
function depthOf(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const letter of tex) {
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
