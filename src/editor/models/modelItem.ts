import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dateText, factsText, listText, numberText } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { shortNumberText } from '../../core/base/requestSize.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ModelGroup, ShownModel } from '../../core/models/catalogue/shownGroups.ts';
import { type ModelAbility, type ModelKind, type ModelPrices, modelCount } from '../../core/models/list/model.ts';
import { vendorText } from '../../core/models/list/modelFamily.ts';
import type { KnownPrices } from '../../core/usage/prices/prices.ts';

/**
 * The row of a model: its exact id, brief facts from the gateway, and its state as an icon and in words. It has no
 * tooltip: `modelTooltip` makes that for one row when it is shown, and not for thousands when a group is unfolded.
 */
export function modelItem(shown: ShownModel, groupKey: string, prices: KnownPrices | undefined): vscode.TreeItem {
  const { id, model } = shown;
  const item = new vscode.TreeItem(visibleName(id));
  const facts = shortFacts(shown, prices);
  item.id = `${groupKey} ${id}`;
  item.description = visibleName(facts.join(' · '));
  item.contextValue = contextValue(shown);
  item.iconPath = iconOf(shown);
  item.accessibilityInformation = {
    label: visibleName([id, model && vendorText(model.vendor), ...facts].filter(Boolean).join(', ')),
  };
  return item;
}

/** The description after the id in a quick pick. */
export function pickDescription(shown: ShownModel, prices: KnownPrices | undefined): string {
  const { model } = shown;
  return factsText(model && vendorText(model.vendor), ...shortFacts(shown, prices));
}

/** What is short enough for a description. It has the state in words, because screen readers can't read an icon. */
function shortFacts(
  { model, isDefault, isGone, isNew, isManual }: ShownModel,
  prices: KnownPrices | undefined,
): string[] {
  return [
    model?.contextTokens && shortNumberText(model.contextTokens),
    prices && priceText(prices),
    model?.isForChat === false && kindText(model.kind),
    isDefault && l10n.t({ message: 'default', comment: ['State of a model'] }),
    isGone && l10n.t({ message: 'no longer listed', comment: ['State of a model'] }),
    isNew && l10n.t({ message: 'new', comment: ['State of a model'] }),
    isManual && l10n.t({ message: 'added manually', comment: ['State of a model'] }),
  ].filter((fact) => typeof fact === 'string');
}

/** What a model is for. */
export function kindText(kind: ModelKind): string {
  return {
    chat: l10n.t({ message: 'chat', comment: ['What a model is for'] }),
    embedding: l10n.t({ message: 'embedding', comment: ['What a model is for'] }),
    image: l10n.t({ message: 'image', comment: ['What a model is for'] }),
    speech: l10n.t({ message: 'speech', comment: ['What a model is for'] }),
    video: l10n.t({ message: 'video', comment: ['What a model is for'] }),
    rerank: l10n.t({ message: 'rerank', comment: ['What a model is for'] }),
    moderation: l10n.t({ message: 'moderation', comment: ['What a model is for'] }),
    other: l10n.t({ message: 'other', comment: ['What a model is for'] }),
  }[kind];
}

function abilityText(ability: ModelAbility): string {
  return {
    vision: l10n.t({ message: 'vision', comment: ['What a model can do'] }),
    tools: l10n.t({ message: 'tools', comment: ['What a model can do'] }),
    reasoning: l10n.t({ message: 'reasoning', comment: ['What a model can do'] }),
    audio: l10n.t({ message: 'audio', comment: ['What a model can do'] }),
    video: l10n.t({ message: 'video', comment: ['What a model can do'] }),
    files: l10n.t({ message: 'files', comment: ['What a model can do'] }),
  }[ability];
}

function priceText(prices: KnownPrices): string | undefined {
  const { input, output, perRequest } = prices;
  const text = (amount: number) => amountText(amount, prices);
  if (perRequest && !input && !output) {
    return l10n.t('{0} per call', text(perRequest));
  }
  if (input === undefined || output === undefined) {
    return undefined;
  }
  if (input === 0 && output === 0) {
    return l10n.t({ message: 'free', comment: ['The price of a model'] });
  }
  const both = l10n.t({ message: '{0} in, {1} out', args: [text(input), text(output)], comment: ['Prices of tokens'] });
  return prices.source === 'vendor' ? l10n.t('≈ {0}', both) : both;
}

/** All prices of a model in one text. */
export function longPriceText(prices: ModelPrices): string {
  const { input, output, cachedInput, cacheWrite, perRequest } = prices;
  const text = (amount: number) => amountText(amount, prices);
  return listText(
    [
      input !== undefined && l10n.t('{0} per 1M input tokens', text(input)),
      output !== undefined && l10n.t('{0} per 1M output tokens', text(output)),
      cachedInput !== undefined && l10n.t('{0} per 1M cached input tokens', text(cachedInput)),
      cacheWrite !== undefined && l10n.t('{0} per 1M input tokens written to the cache', text(cacheWrite)),
      perRequest !== undefined && l10n.t('{0} per call', text(perRequest)),
    ].filter((price) => price !== false),
  );
}

function amountText(amount: number, { unit }: ModelPrices): string {
  return exactMoneyText({ amount, unit }, 3);
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
 * The tooltip of a model, in plain text, because a gateway's text must not be rendered as Markdown.
 *
 * @param description the gateway's description.
 * @param pricing lines about its prices.
 */
export function modelTooltip(shown: ShownModel, description: string | undefined, pricing: readonly string[]): string {
  const { id, model, isGone, isNew, isDefault, isManual } = shown;
  const lines = [
    id,
    model?.title !== id && model?.title,
    isDefault && l10n.t("The default model. It's used when you don't choose another one."),
    isGone && l10n.t("No longer in the gateway's list for this key. The gateway may reject questions to it."),
    isNew && l10n.t('New since the previous refresh.'),
    isManual && !model && l10n.t("Added manually. It isn't in the gateway's list."),
    model && l10n.t('Vendor: {0}', vendorText(model.vendor)),
    model && !model.isForChat && l10n.t('Type: {0} (not for chat)', kindText(model.kind)),
    model?.contextTokens && l10n.t('Context: {0} tokens', numberText(model.contextTokens)),
    model?.outputTokens && l10n.t('Longest answer: {0} tokens', numberText(model.outputTokens)),
    ...pricing,
    model?.abilities?.length && l10n.t('Capabilities: {0}', listText(model.abilities.map(abilityText))),
    model?.isDeprecated && l10n.t('Deprecated, according to the gateway.'),
    model?.expiresAt && l10n.t('Available until {0}', dateText(model.expiresAt, { dateStyle: 'medium' })),
    description && `\n${description}`,
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
  return visibleText(lines);
}

/**
 * The row of a group of models: its name and the number of models.
 *
 * @param idPrefix distinguishes the row from that of the same group in the list with or without a filter, because VS
 * Code remembers by id whether a row is folded.
 */
export function modelGroupItem(
  { key, name, models }: ModelGroup,
  isFolded: boolean,
  idPrefix: string,
): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const shown = visibleName(name);
  const item = new vscode.TreeItem(shown, isFolded ? Collapsed : Expanded);
  item.id = `${idPrefix}group ${key}`;
  item.description = numberText(models.length);
  item.contextValue = 'group';
  item.tooltip = shown;
  item.accessibilityInformation = { label: `${shown}, ${modelCount(models.length)}` };
  return item;
}
