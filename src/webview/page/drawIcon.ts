const svg = 'http://www.w3.org/2000/svg';

/**
 * Creates an icon in the color of the surrounding text. It is hidden from screen readers: the label is enough.
 *
 * @param source the text of a codicon's file. Only its path data is used: it is markup, and pages never parse markup.
 */
export function drawIcon(name: string, source: string): SVGSVGElement {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('class', `icon ${name}`);
  picture.setAttribute('viewBox', /viewBox="([\d ]+)"/.exec(source)?.[1] ?? '0 0 16 16');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', Array.from(source.matchAll(/ d="([^"]+)"/g), (match) => match[1]).join(''));
  path.setAttribute('fill-rule', 'evenodd');
  picture.append(path);
  return picture;
}
