/** The codicons that the panel uses, bundled one by one: the whole icon font is 126 KB. */
import add from '@vscode/codicons/src/icons/add.svg';
import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import arrowSwap from '@vscode/codicons/src/icons/arrow-swap.svg';
import book from '@vscode/codicons/src/icons/book.svg';
import check from '@vscode/codicons/src/icons/check.svg';
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg';
import chevronLeft from '@vscode/codicons/src/icons/chevron-left.svg';
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import comment from '@vscode/codicons/src/icons/comment.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import stop from '@vscode/codicons/src/icons/debug-stop.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import eye from '@vscode/codicons/src/icons/eye.svg';
import file from '@vscode/codicons/src/icons/file.svg';
import folder from '@vscode/codicons/src/icons/folder.svg';
import hubot from '@vscode/codicons/src/icons/hubot.svg';
import insert from '@vscode/codicons/src/icons/insert.svg';
import selection from '@vscode/codicons/src/icons/list-selection.svg';
import loading from '@vscode/codicons/src/icons/loading.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import notebook from '@vscode/codicons/src/icons/notebook.svg';
import refresh from '@vscode/codicons/src/icons/refresh.svg';
import replace from '@vscode/codicons/src/icons/replace.svg';
import send from '@vscode/codicons/src/icons/send.svg';
import settings from '@vscode/codicons/src/icons/settings.svg';
import split from '@vscode/codicons/src/icons/split-horizontal.svg';
import symbol from '@vscode/codicons/src/icons/symbol-method.svg';
import terminal from '@vscode/codicons/src/icons/terminal.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import wordWrap from '@vscode/codicons/src/icons/word-wrap.svg';

const pictures = {
  add,
  arrowDown,
  arrowSwap,
  book,
  check,
  chevronDown,
  chevronLeft,
  chevronRight,
  close,
  comment,
  copy,
  diff,
  edit,
  error,
  eye,
  file,
  folder,
  hubot,
  insert,
  loading,
  newFile,
  notebook,
  refresh,
  replace,
  selection,
  settings,
  send,
  split,
  stop,
  symbol,
  terminal,
  warning,
  wordWrap,
} as const;

export type IconName = keyof typeof pictures;

const svg = 'http://www.w3.org/2000/svg';

const drawn = new Map<IconName, SVGSVGElement>();

/** Creates an icon in the colour of the surrounding text. It is hidden from screen readers: the label is enough. */
export function icon(name: IconName): Node {
  // Cloning is several times faster than drawing, and every code block has six icons.
  const first = drawn.get(name) ?? draw(name);
  drawn.set(name, first);
  return first.cloneNode(true);
}

function draw(name: IconName): SVGSVGElement {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('class', `icon ${name}`);
  picture.setAttribute('viewBox', /viewBox="([\d ]+)"/.exec(pictures[name])?.[1] ?? '0 0 16 16');
  picture.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  // Only the path data is used: the file is markup, and the panel never parses markup.
  path.setAttribute('d', Array.from(pictures[name].matchAll(/ d="([^"]+)"/g), (match) => match[1]).join(''));
  path.setAttribute('fill-rule', 'evenodd');
  picture.append(path);
  return picture;
}
