import * as vscode from 'vscode';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ModelGroupRow } from '../../core/models/catalogue/modelRows.ts';
import type { ShownModel } from '../../core/models/catalogue/shownGroups.ts';
import type { Model, ModelPrices } from '../../core/models/list/model.ts';

/**
 * The row of a model: its exact id, what the gateway said about it in short, and its state by icon and words. Without a
 * tooltip: that is `modelTooltip`, made for one row when it is wanted and not for thousands when a group opens.
 */
export function modelItem(shown: ShownModel, groupKey: string): vscode.TreeItem {
  const { id, model } = shown;
  const item = new vscode.TreeItem(visibleName(id));
  const facts = [...shortFacts(model), ...states(shown)];
  item.id = `${groupKey} ${id}`;
  item.description = visibleName(facts.join(' · '));
  item.contextValue = contextValue(shown);
  item.iconPath = iconOf(shown);
  item.accessibilityInformation = { label: visibleName([id, model?.vendor, ...facts].filter(Boolean).join(', ')) };
  return item;
}

/** What a description or a row of a pick has room for. */
export function shortFacts(model: Model | undefined): string[] {
  return [
    model?.contextTokens && tokensText(model.contextTokens),
    model?.prices && priceText(model.prices),
    model?.kind !== undefined && model.kind !== 'chat' && model.kind,
  ].filter((fact) => typeof fact === 'string');
}

/** In words, because an icon alone tells nothing to who can not see it. */
export function states({ isDefault, isGone, isNew, isManual }: ShownModel): string[] {
  return [isDefault && 'default', isGone && 'gone', isNew && 'new', isManual && 'typed by hand'].filter(
    (state) => typeof state === 'string',
  );
}

function contextValue({ isDefault, isFavourite, isManual, model }: ShownModel): string {
  return [
    'model',
    isDefault && 'default',
    isFavourite ? 'favourite' : 'ordinary',
    isManual && 'manual',
    model && 'listed',
  ]
    .filter(Boolean)
    .join(' ');
}

function iconOf({ isDefault, isFavourite, isGone, isNew }: ShownModel): vscode.ThemeIcon {
  if (isGone) {
    return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  }
  if (isDefault) {
    return new vscode.ThemeIcon('pass-filled');
  }
  if (isFavourite) {
    return new vscode.ThemeIcon('star-full');
  }
  return new vscode.ThemeIcon(isNew ? 'sparkle' : 'circle-small');
}

/**
 * Plain text: what a gateway writes about a model is not ours to render.
 *
 * @param description in the gateway's own words.
 */
export function modelTooltip(shown: ShownModel, description: string | undefined): string {
  const { id, model, isGone, isNew, isDefault, isManual } = shown;
  const many = (count: number) => count.toLocaleString('en-US');
  const lines = [
    id,
    model?.title !== id && model?.title,
    isDefault && 'The default: asked when no other model is named.',
    isGone && 'Gone: the gateway’s list no longer has it for this key. It may refuse a question.',
    isNew && 'New since the list was read before.',
    isManual && !model && 'Typed by hand; the gateway’s list does not have it.',
    model && `Vendor: ${model.vendor}${model.kind === 'chat' ? '' : `, ${model.kind}, not for chat`}`,
    model?.contextTokens && `Context: ${many(model.contextTokens)} tokens`,
    model?.outputTokens && `Longest reply: ${many(model.outputTokens)} tokens`,
    model?.prices && `Price as the gateway states it: ${longPriceText(model.prices)}`,
    model?.abilities?.length && `Can: ${model.abilities.join(', ')}`,
    model?.endpoints?.length && `Endpoints: ${model.endpoints.join(', ')}`,
    model?.isDeprecated && 'Deprecated, says the gateway.',
    model?.expiresAt && `Ends ${new Date(model.expiresAt).toLocaleDateString()}`,
    description && `\n${description}`,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
  return visibleText(lines);
}

/** `128K`, `1M`: short enough for a description. */
function tokensText(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Number((tokens / 1_000_000).toFixed(1))}M`
    : tokens >= 1_000
      ? `${Math.round(tokens / 1_000)}K`
      : String(tokens);
}

function priceText({ input, output, perRequest }: ModelPrices): string | undefined {
  if (input !== undefined && output !== undefined) {
    return input === 0 && output === 0 ? 'free' : `$${amount(input)} in, $${amount(output)} out`;
  }
  return perRequest === undefined ? undefined : `$${amount(perRequest)} a call`;
}

function longPriceText({ input, output, cachedInput, perRequest }: ModelPrices): string {
  const parts: [number | undefined, string][] = [
    [input, 'for 1M tokens in'],
    [output, 'for 1M tokens out'],
    [cachedInput, 'for 1M cached tokens in'],
    [perRequest, 'for each call'],
  ];
  return parts.flatMap(([price, what]) => (price === undefined ? [] : [`$${amount(price)} ${what}`])).join(', ');
}

function amount(usd: number): string {
  return String(Number(usd.toPrecision(3)));
}

/**
 * The row of a group of models: its name and how many there are.
 *
 * @param idPrefix tells the row from that of the same group in a list narrowed otherwise: VS Code remembers by its id
 * whether a row is folded.
 */
export function modelGroupItem({ group, isFolded }: ModelGroupRow, idPrefix: string): vscode.TreeItem {
  const { key, name, models } = group;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const shown = visibleName(name);
  const item = new vscode.TreeItem(shown, isFolded ? Collapsed : Expanded);
  item.id = `${idPrefix}group ${key}`;
  item.description = models.length.toLocaleString('en-US');
  item.contextValue = 'group';
  item.tooltip = shown;
  item.accessibilityInformation = { label: `${shown}, ${models.length} ${models.length === 1 ? 'model' : 'models'}` };
  return item;
}
