import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { factsText } from '../../core/base/localization.ts';
import type { FoundView } from '../../protocol/protocol.ts';
import { createQuickPick, type PlainItem, plainItem } from '../ui/quickPick.ts';
import type { ContextSearch, FoundContext, IncludableContext } from './foundContext.ts';

type Item = PlainItem<vscode.QuickPickItem & { readonly found: IncludableContext | ContextSearch }>;

const icons: Readonly<Record<FoundContext['kind'], string>> = {
  selection: 'list-selection',
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  problems: 'warning',
  changes: 'diff',
  terminal: 'terminal',
  cell: 'notebook',
  instructions: 'book',
  prompt: 'comment',
};

/**
 * *Add Context*: lets the person pick what the list after `#` has, several rows at once.
 *
 * @param find see `findContext`.
 * @param viewOf see `foundView`.
 * @returns the picked rows; none when the person cancelled.
 */
export function pickContext(
  find: (query: string) => Promise<readonly FoundContext[]>,
  viewOf: (found: FoundContext) => FoundView,
): Promise<readonly IncludableContext[]> {
  const pick = createQuickPick<Item>();
  const title = l10n.t('Add Context');
  pick.title = title;
  pick.placeholder = l10n.t('Type to find files, folders and symbols');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  let shown = 0;
  /** Enter was pressed before the rows for what was typed were there: then the first of them is meant. */
  let isEarly = false;
  let accept = () => {};
  const paint = (rows: readonly FoundContext[]) => {
    const checked = pick.selectedItems;
    const others = rows.flatMap((found): Item[] => {
      if ('prompt' in found || checked.some((each) => each.found.id === found.id)) {
        return [];
      }
      const { label, detail, size } = viewOf(found);
      const iconPath = new vscode.ThemeIcon(icons[found.kind]);
      // They were not found by VS Code's own filter.
      return [plainItem({ label, description: factsText(detail, size), iconPath, alwaysShow: true, found })];
    });
    const [active] = pick.activeItems;
    pick.items = [...checked, ...others];
    pick.selectedItems = checked;
    // VS Code itself activates no row where several can be picked, and Enter would do nothing.
    const current = others.find(({ found }) => found.id === active?.found.id) ?? others[0];
    pick.activeItems = current ? [current] : [];
  };
  // Any name finds at least the search for symbols.
  const show = async (finding: Promise<readonly FoundContext[]>, titleOfNone = l10n.t('No file is open.')) => {
    const request = ++shown;
    pick.busy = true;
    const rows = await finding;
    if (request === shown) {
      pick.title = rows.length === 0 ? titleOfNone : title;
      paint(rows);
      pick.busy = false;
      if (isEarly) {
        accept();
      }
    }
  };
  const isSearch = (item: Item): item is Item & { found: ContextSearch } => 'search' in item.found;
  return new Promise((resolve) => {
    const finish = (found: readonly IncludableContext[]) => {
      resolve(found);
      shown = 0;
      pick.dispose();
    };
    const search = ({ found }: Item & { found: ContextSearch }) => {
      pick.selectedItems = pick.selectedItems.filter((item) => !isSearch(item));
      void show(found.search(), l10n.t('No symbols were found.'));
    };
    pick.onDidChangeValue((value) => {
      pick.activeItems = [];
      isEarly = false;
      void show(find(value));
    });
    pick.onDidChangeSelection((items) => items.filter(isSearch).slice(0, 1).forEach(search));
    accept = () => {
      const picked = pick.selectedItems.length > 0 ? pick.selectedItems : pick.activeItems;
      const [searched] = picked.filter(isSearch);
      if (searched) {
        search(searched);
      } else if (picked.length > 0) {
        finish(picked.flatMap(({ found }) => ('search' in found ? [] : [found])));
      }
      isEarly = picked.length === 0;
    };
    pick.onDidAccept(() => accept());
    pick.onDidHide(() => finish([]));
    pick.show();
    void show(find(''));
  });
}
