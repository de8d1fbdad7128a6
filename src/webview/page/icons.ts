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
import { drawIcon } from './drawIcon.ts';

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

const drawn = new Map<IconName, SVGSVGElement>();

/** Creates an icon; see `drawIcon`. */
export function icon(name: IconName): Node {
  // Cloning is several times faster than drawing, and every code block has six icons.
  const first = drawn.get(name) ?? drawIcon(name, pictures[name]);
  drawn.set(name, first);
  return first.cloneNode(true);
}
