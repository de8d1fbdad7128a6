import * as vscode from 'vscode';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { ModelFilter } from '../../core/models/catalogue/modelFilter.ts';
import { type ShownModel, shownGroups, shownModels } from '../../core/models/catalogue/shownGroups.ts';
import { showErrorMessage, showInformationMessage } from '../ui/messages.ts';
import { plainLabel } from '../ui/plainText.ts';
import { createQuickPick, plainItem } from '../ui/quickPick.ts';
import { shortFacts, states } from './modelItem.ts';
import type { ModelsView } from './modelsView.ts';

type Item = vscode.QuickPickItem & { readonly id?: string; readonly wish?: 'typed' | 'filter' | 'clear' };

/** More rows than anyone reads; the rest is a word away. */
const maxRows = 250;

const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
const addStar = { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: 'Add to Favourites' };
const removeStar = { iconPath: new vscode.ThemeIcon('star-full'), tooltip: 'Remove from Favourites' };
const keepButton = { iconPath: new vscode.ThemeIcon('filter'), tooltip: 'Show Only These in the Side Bar' };

/** Whether a row that was made anew stands for the same as one before. */
function isSame({ id, wish }: Item, before: { readonly id?: string | undefined; readonly wish?: string } | undefined) {
  return (id ?? wish) !== undefined && id === before?.id && wish === before?.wish;
}

type Picked = { readonly id: string } | { readonly filter: string };

/**
 * Lets the person pick a model; with none chosen before, the pick becomes the default.
 *
 * @param than exact id of a model that another one is wanted than.
 * @returns the exact id; undefined when the person left, or the connection became another one meanwhile.
 */
export async function pickModel(
  catalogue: Catalogue,
  title = 'Choose a Model',
  than?: string,
): Promise<string | undefined> {
  const { connection } = catalogue.state;
  const picked = await find(catalogue, { title, than });
  if (picked === undefined || !('id' in picked)) {
    return undefined;
  }
  if (connection !== undefined && catalogue.state.connection?.id !== connection.id) {
    void showInformationMessage('The connection is another one now. Pick one of its models.');
    return undefined;
  }
  if (!shownModels(catalogue).has(picked.id)) {
    // Typed: from now on it is one of the person's own, and not one that the gateway had and has no more.
    await catalogue.addManual(picked.id);
  }
  if (catalogue.defaultModel === undefined) {
    await catalogue.setDefaultModel(picked.id);
  }
  return picked.id;
}

/**
 * *Find a Model*: the words can be kept as the filter of the side bar.
 *
 * @returns the exact id of the model that was picked.
 */
export async function findModel(catalogue: Catalogue, view: ModelsView): Promise<string | undefined> {
  const picked = await find(catalogue, { title: 'Find a Model', canKeep: true, value: view.filter?.text ?? '' });
  if (picked === undefined) {
    return undefined;
  }
  if ('id' in picked) {
    return picked.id;
  }
  const text = picked.filter;
  view.setFilter({
    text,
    matches: () => {
      const { matches } = filterOf(catalogue).search(text, Number.POSITIVE_INFINITY);
      return new Set(matches.map(({ id }) => id));
    },
  });
  await vscode.commands.executeCommand('askModel.models.focus');
  return undefined;
}

/** The model to stand on at first: the default one; where another is wanted, the last one that was asked besides it. */
function firstChoice(catalogue: Catalogue, than: string | undefined): string | undefined {
  const { defaultModel, recent } = catalogue;
  return than === undefined
    ? defaultModel
    : ([...recent, defaultModel].find((id) => id !== undefined && id !== than && !catalogue.isGone(id)) ??
        shownGroups(catalogue)
          .flatMap(({ models }) => models)
          .find(({ id }) => id !== than)?.id);
}

function filterOf(catalogue: Catalogue): ModelFilter {
  return new ModelFilter([...shownModels(catalogue).values()]);
}

async function find(
  catalogue: Catalogue,
  options: {
    readonly title: string;
    readonly canKeep?: boolean;
    readonly value?: string;
    readonly than?: string | undefined;
  },
): Promise<Picked | undefined> {
  const pick = createQuickPick<Item>();
  let filter: ModelFilter | undefined;
  pick.title = plainLabel(options.title);
  pick.placeholder = 'Type to search: words of an id, or @vendor, @context:>100k, @price:<1, @new, @favourite';
  pick.ignoreFocusOut = true;
  pick.value = options.value ?? '';
  const paint = (keepsPlace = false) => {
    const [active] = pick.activeItems;
    // A row that is no model stands marked at first where there is nothing else yet: that is nobody's choice.
    const first = pick.items.find(({ kind }) => kind === undefined);
    const isChosen = active !== undefined && (active.id !== undefined || !(first && isSame(active, first)));
    const place = keepsPlace && isChosen ? active : undefined;
    filter ??= filterOf(catalogue);
    const rows = pick.value.trim() === '' ? allRows(catalogue) : foundRows(filter, pick.value, options.canKeep);
    const items = rows.map(plainItem);
    pick.items = items;
    pick.buttons = options.canKeep && pick.value.trim() !== '' ? [keepButton] : [];
    const standing = place ?? (pick.value.trim() === '' ? { id: firstChoice(catalogue, options.than) } : undefined);
    const current = items.find((item) => isSame(item, standing));
    if (current) {
      pick.activeItems = [current];
    }
  };
  const news = catalogue.onDidChange(() => {
    filter = undefined;
    paint(true);
  });
  const picked = new Promise<Picked | undefined>((resolve) => {
    const finish = (result: Picked) => {
      resolve(result);
      pick.hide();
    };
    pick.onDidChangeValue(() => paint());
    pick.onDidTriggerButton(() => finish({ filter: pick.value.trim() }));
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.id) {
        catalogue.setFavourite(item.id, !catalogue.isFavourite(item.id)).catch(showNotSaved);
      }
    });
    pick.onDidAccept(() => {
      const typed = pick.value.trim();
      // Who types fast presses Enter before the rows have followed: an exact id counts before the marked row.
      const exact = pick.items.find((item) => item.id === typed);
      const selected = exact ?? pick.selectedItems[0];
      if (selected?.wish === 'clear') {
        pick.value = '';
        paint();
      } else if (selected?.wish === 'filter') {
        finish({ filter: typed });
      } else if (selected?.wish === 'typed') {
        if (typed !== '') {
          finish({ id: typed });
        }
      } else if (selected?.id) {
        finish({ id: selected.id });
      }
    });
    pick.onDidHide(() => resolve(undefined));
  });
  try {
    paint();
    pick.busy = true;
    pick.show();
    await Promise.race([catalogue.load(), picked]);
    pick.busy = false;
    const { list, advice } = catalogue.state;
    if (list === undefined && advice) {
      pick.placeholder = plainLabel(`${advice.title}. ${advice.remedy} An exact id can be typed.`);
    }
    return await picked;
  } finally {
    news.dispose();
    pick.dispose();
  }
}

/** The pick stays: a favourite is not what it was opened for. */
function showNotSaved(error: unknown): void {
  void showErrorMessage(`The favourite couldn’t be saved: ${error instanceof Error ? error.message : String(error)}`);
}

/** Before anything is typed: the groups of the side bar. */
function allRows(catalogue: Catalogue): Item[] {
  const rows: Item[] = [];
  let shown = 0;
  let left = 0;
  for (const { name, models } of shownGroups(catalogue)) {
    const part = models.slice(0, maxRows - shown);
    left += models.length - part.length;
    if (part.length > 0) {
      rows.push(separator(name), ...part.map(rowOf));
      shown += part.length;
    }
  }
  return [...rows, ...moreRow(left), separator(''), typedRow];
}

function foundRows(filter: ModelFilter, text: string, canKeep: boolean | undefined): Item[] {
  const { matches, total, unknown } = filter.search(text, maxRows);
  const hints = filter.completions(text);
  const unread: Item[] =
    unknown.length > 0
      ? [
          {
            label: `${unknown.join(', ')} means nothing here`,
            iconPath: new vscode.ThemeIcon('warning'),
            description: hints.length > 0 ? `perhaps ${hints.slice(0, 6).join(' ')}` : '',
            alwaysShow: true,
          },
        ]
      : [];
  const keep: Item[] =
    canKeep && total > 0
      ? [
          {
            label: `Show Only ${total === 1 ? 'This One' : `These ${total.toLocaleString('en-US')}`} in the Side Bar`,
            iconPath: new vscode.ThemeIcon('filter'),
            wish: 'filter',
            alwaysShow: true,
          },
        ]
      : [];
  const typed = text.includes('@') ? [] : [typedRow];
  const more = moreRow(total - matches.length);
  const none = total === 0 ? [clearRow] : [];
  return [...unread, ...matches.map(rowOf), ...more, separator(''), ...keep, ...typed, ...none];
}

function rowOf(shown: ShownModel): Item {
  const { id, model, isFavourite, isDefault, isGone } = shown;
  return {
    id,
    label: id,
    description: [model?.vendor, ...shortFacts(model), ...states(shown)].filter(Boolean).join(' · '),
    iconPath: new vscode.ThemeIcon(isGone ? 'circle-slash' : isDefault ? 'pass-filled' : 'circle-small'),
    buttons: [isFavourite ? removeStar : addStar],
    // The search is ours: it knows words that VS Code's own would hide every row for.
    alwaysShow: true,
  };
}

function moreRow(count: number): Item[] {
  return count > 0
    ? [
        {
          label: `${count.toLocaleString('en-US')} more`,
          description: 'type to narrow',
          iconPath: new vscode.ThemeIcon('ellipsis'),
          alwaysShow: true,
        },
      ]
    : [];
}

const clearRow: Item = {
  label: 'No model matches. Show all',
  iconPath: new vscode.ThemeIcon('clear-all'),
  wish: 'clear',
  alwaysShow: true,
};

/** Some gateways list nothing, or not all they serve. It takes the text as it was typed. */
const typedRow: Item = {
  label: 'Use the typed text as the model’s id',
  description: 'for an id that is not in the list',
  iconPath: new vscode.ThemeIcon('edit'),
  wish: 'typed',
  alwaysShow: true,
};
