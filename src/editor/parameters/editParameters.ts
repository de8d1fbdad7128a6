import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type PlacedParameter, placedParameters } from '../../core/chat/conversation/sentParameters.ts';
import type { PlacedPrompt } from '../../core/chat/conversation/systemPrompt.ts';
import {
  type ParameterChange,
  type ParameterName,
  parameterNames,
  tokenLimitFields,
} from '../../core/connections/requestParameters.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import { askParameter } from './askParameter.ts';
import type { ParameterOwner } from './parameterOwner.ts';
import { parameterTitle, valueText } from './parameterText.ts';

/** What a row does: asks for a value, writes parameters, or shows the list of another owner. */
type Choice =
  | { readonly edit: ParameterName }
  | { readonly write: ParameterChange }
  | { readonly show: ParameterOwner };

const icons: { readonly [Name in ParameterName]: string } = {
  reasoningEffort: 'lightbulb',
  temperature: 'flame',
  tokenLimit: 'symbol-ruler',
  extraBody: 'json',
};

/**
 * Lists the parameters of the first owner with their values, and asks for the one that is picked. The others are owners
 * whose parameters are sent where it has none, in this order.
 *
 * @param hasKey whether a text contains a key.
 */
export async function editParameters(
  owners: readonly ParameterOwner[],
  hasKey: (text: string) => boolean,
): Promise<void> {
  let [shown] = owners;
  let canGoBack = false;
  while (shown !== undefined) {
    const owner = shown;
    const placed = placedIn(owners.slice(owners.indexOf(owner)));
    const outcome = await pickRow<Choice>({
      title: titleOf(owner),
      placeholder: l10n.t('Only what is set is sent. Select a parameter to change it.'),
      canGoBack,
      rows: [
        ...parameterNames.map((name) => parameterRow(name, owner, placed, owners)),
        ...otherRows(owner, placed, owners),
      ],
    });
    if (outcome.status === 'back') {
      [shown] = owners;
      canGoBack = false;
    } else if (outcome.status !== 'picked') {
      return;
    } else if ('show' in outcome.value) {
      shown = outcome.value.show;
      canGoBack = true;
    } else if ('write' in outcome.value) {
      return owner.write(outcome.value.write);
    } else {
      const { edit } = outcome.value;
      const others = { ...owner.parameters, [edit]: undefined };
      const inherited = placedIn([{ ...owner, parameters: others }, ...owners.slice(owners.indexOf(owner) + 1)]);
      const asked = await askParameter(
        edit,
        owner,
        inherited.find(({ name }) => name === edit),
        hasKey,
      );
      if (asked !== 'back') {
        return;
      }
    }
  }
}

/** The parameters that these owners set together. */
function placedIn(owners: readonly ParameterOwner[]): readonly PlacedParameter[] {
  const of = (place: PlacedPrompt['place']) => owners.find((each) => each.place === place);
  const [conversation, model, connection] = [of('conversation'), of('model'), of('connection')];
  const { parameters: ofModel } = model ?? {};
  return placedParameters(
    conversation?.parameters ? { parameters: conversation.parameters } : {},
    {
      ...(connection?.parameters && { parameters: connection.parameters }),
      ...(model && ofModel && { modelParameters: new Map([[model.name, ofModel]]) }),
    },
    model?.name,
  );
}

function titleOf({ place, name }: ParameterOwner): string {
  return place === 'conversation' ? l10n.t('Parameters of This Conversation') : l10n.t('Parameters of {0}', name);
}

function parameterRow(
  name: ParameterName,
  owner: ParameterOwner,
  placed: readonly PlacedParameter[],
  owners: readonly ParameterOwner[],
): Row<Choice, never> {
  const found = placed.find((each) => each.name === name);
  return {
    value: { edit: name },
    label: parameterTitle(name),
    iconPath: new vscode.ThemeIcon(icons[name]),
    description: found ? stateText(found, owner, owners) : l10n.t('not set'),
  };
}

/** The value of a parameter, where it is set if that is elsewhere, and whether it is sent. */
function stateText(
  { place, value, omitted }: PlacedParameter,
  owner: ParameterOwner,
  owners: readonly ParameterOwner[],
): string {
  return [
    value === null ? l10n.t('none is sent') : valueText(value),
    ...(place === owner.place ? [] : [owners.find((each) => each.place === place)?.name ?? '']),
    ...(omitted.length > 0 ? [l10n.t('not sent, because it was rejected: {0}', omitted.join(', '))] : []),
  ].join(' · ');
}

/** The rows after the parameters: which field has the token limit, what was rejected, and the other owners. */
function otherRows(
  owner: ParameterOwner,
  placed: readonly PlacedParameter[],
  owners: readonly ParameterOwner[],
): Row<Choice, never>[] {
  const separator: Row<Choice, never> = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const rows: Row<Choice, never>[] = [];
  const { parameters, place } = owner;
  const limit = placed.find(({ name }) => name === 'tokenLimit');
  const [field = ''] = Object.keys(limit?.fields ?? {});
  const other = tokenLimitFields.find((each) => each !== field);
  if (place !== 'conversation' && field !== '' && other !== undefined) {
    rows.push({
      value: { write: { tokenLimitField: other } },
      label: l10n.t('Send the Token Limit as {0}', other),
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      description: l10n.t('now sent as {0}', field),
    });
  }
  if (parameters?.omit !== undefined) {
    rows.push({
      value: { write: { omit: undefined } },
      label: l10n.t('Send Rejected Parameters Again'),
      iconPath: new vscode.ThemeIcon('discard'),
      description: parameters.omit.join(', '),
    });
  }
  const rest = owner === owners[0] ? owners.slice(1) : [];
  const shows = rest.map((each): Row<Choice, never> => {
    return {
      value: { show: each },
      label: titleOf(each),
      iconPath: new vscode.ThemeIcon(each.place === 'model' ? 'hubot' : 'plug'),
    };
  });
  return [...(rows.length > 0 ? [separator, ...rows] : []), ...(shows.length > 0 ? [separator, ...shows] : [])];
}
