import { drawIcon } from './drawIcon.ts';
import * as pictures from './pictures.ts';

const sources = { ...pictures };

export type IconName = keyof typeof sources;

const drawn = new Map<IconName, SVGSVGElement>();

/** Creates an icon; see `drawIcon`. */
export function icon(name: IconName): Node {
  // Cloning is several times faster than drawing, and every code block has six icons.
  const first = drawn.get(name) ?? drawIcon(name, sources[name]);
  drawn.set(name, first);
  return first.cloneNode(true);
}
