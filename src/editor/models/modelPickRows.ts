import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, numberText, plural } from '../../core/base/localization.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { ModelFilter } from '../../core/models/catalogue/modelFilter.ts';
import { type ShownModel, shownGroups } from '../../core/models/catalogue/shownGroups.ts';
import { pickDescription } from './modelItem.ts';
import type { ModelPricing } from './modelPricing.ts';

/** A row of the list in which one model is picked: a model, an action or a separator. */
export type PickRow = vscode.QuickPickItem & { readonly id?: string; readonly action?: 'typed' | 'filter' | 'clear' };

/** What rows say about prices. */
export type RowPricing = Pick<ModelPricing, 'priceOf' | 'cheaperElsewhere'> & {
  /** What it would cost to switch to a model, such as that the gateway's cache is lost. */
  readonly switchCost?: ((model: string) => string | undefined) | undefined;
};

/** More rows than anyone reads; typing a word finds the others. */
const maxRows = 250;

/** The rows before anything is typed: the groups of the side bar. */
export function allRows(catalogue: Catalogue, pricing: RowPricing): PickRow[] {
  const rows: PickRow[] = [];
  let shown = 0;
  let left = 0;
  for (const { name, models } of shownGroups(catalogue)) {
    const part = models.slice(0, maxRows - shown);
    left += models.length - part.length;
    if (part.length > 0) {
      rows.push(separator(name), ...part.map((each) => rowOf(each, pricing)));
      shown += part.length;
    }
  }
  return [...rows, ...moreRows(left), separator(''), typedRow('')];
}

/** The rows for a typed text: the models that match it, and what else can be done with the text. */
export function foundRows(
  filter: ModelFilter,
  text: string,
  canFilter: boolean | undefined,
  pricing: RowPricing,
): PickRow[] {
  const { matches, total, unknown } = filter.search(text, maxRows);
  return [
    ...unknownRows(unknown, filter.completions(text)),
    ...matches.map((each) => rowOf(each, pricing)),
    ...moreRows(total - matches.length),
    separator(''),
    ...(canFilter && total > 0 ? [filterRow(total)] : []),
    ...(text.includes('@') ? [] : [typedRow(text.trim())]),
    ...(total === 0 ? [clearRow()] : []),
  ];
}

function rowOf(shown: ShownModel, { priceOf, cheaperElsewhere, switchCost }: RowPricing): PickRow {
  const { id, isFavourite, isDefault, isGone } = shown;
  const detail = [switchCost?.(id), cheaperElsewhere(id)].filter(Boolean).join(' · ');
  return {
    id,
    label: id,
    description: pickDescription(shown, priceOf(id)),
    detail: detail || undefined,
    iconPath: new vscode.ThemeIcon(isGone ? 'circle-slash' : isDefault ? 'pass-filled' : 'circle-small'),
    buttons: [
      isFavourite
        ? { iconPath: new vscode.ThemeIcon('star-full'), tooltip: l10n.t('Remove from Favorites') }
        : { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: l10n.t('Add to Favorites') },
    ],
    // We do the search: VS Code's own would hide every row for words such as `@new`.
    alwaysShow: true,
  };
}

function separator(label: string): PickRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** @param hints words that complete the last one. */
function unknownRows(unknown: readonly string[], hints: readonly string[]): PickRow[] {
  if (unknown.length === 0) {
    return [];
  }
  const words = listText(unknown);
  return [
    {
      label: plural(unknown.length, l10n.t('Unknown filter: {0}', words), l10n.t('Unknown filters: {0}', words)),
      iconPath: new vscode.ThemeIcon('warning'),
      description: hints.length > 0 ? l10n.t('Try {0}', hints.slice(0, 6).join(' ')) : '',
      alwaysShow: true,
    },
  ];
}

function filterRow(count: number): PickRow {
  return {
    label: plural(
      count,
      l10n.t('Show Only This One in the Side Bar'),
      l10n.t('Show Only These {0} in the Side Bar', numberText(count)),
    ),
    iconPath: new vscode.ThemeIcon('filter'),
    action: 'filter',
    alwaysShow: true,
  };
}

function moreRows(count: number): PickRow[] {
  return count > 0
    ? [
        {
          label: l10n.t({ message: '{0} more', args: [numberText(count)], comment: ['A number of further models'] }),
          description: l10n.t('type to narrow the list'),
          iconPath: new vscode.ThemeIcon('ellipsis'),
          alwaysShow: true,
        },
      ]
    : [];
}

function clearRow(): PickRow {
  return {
    label: l10n.t('No models match. Show All Models'),
    iconPath: new vscode.ThemeIcon('clear-all'),
    action: 'clear',
    alwaysShow: true,
  };
}

/** Uses the text as typed, because some gateways don't list all models they serve. */
function typedRow(typed: string): PickRow {
  return {
    label: typed === '' ? l10n.t('Type to use any model ID') : l10n.t('Use "{0}" as the model ID', typed),
    description: l10n.t("for a model that isn't in the list"),
    iconPath: new vscode.ThemeIcon('edit'),
    action: 'typed',
    alwaysShow: true,
  };
}
