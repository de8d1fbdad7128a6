import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { parseJson } from '../../core/base/loose.ts';
import type { PlacedParameter } from '../../core/chat/conversation/sentParameters.ts';
import {
  type ParameterName,
  parameterProblem,
  type RequestParameters,
} from '../../core/connections/requestParameters.ts';
import { askText } from '../ui/askText.ts';
import { pickRow, type Row } from '../ui/pickRow.ts';
import type { ParameterOwner } from './parameterOwner.ts';
import { parameterTitle, valueText } from './parameterText.ts';

type Value = RequestParameters[ParameterName] | undefined;
type Asked = 'back' | 'cancelled' | 'done';

/** The efforts that most models with this parameter have; a model may have others. */
const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh'];

/** What stands for null in a box, so that an empty box can mean that nothing is set. An effort may have this name. */
const noneWord = 'none';

/**
 * Asks for the value of a parameter and saves it. The box stays open with what was typed if that fails.
 *
 * @param inherited what is sent without a value of this owner.
 */
export async function askParameter(
  name: ParameterName,
  owner: ParameterOwner,
  inherited: PlacedParameter | undefined,
  hasKey: (text: string) => boolean,
): Promise<Asked> {
  const picked = name === 'reasoningEffort' ? await pickEffort(owner, inherited) : undefined;
  return picked ?? askValue(name, owner, inherited, hasKey);
}

/** @returns undefined when the person wants to type another effort. */
async function pickEffort(
  { parameters, write }: ParameterOwner,
  inherited: PlacedParameter | undefined,
): Promise<Asked | undefined> {
  type Choice = { readonly effort: string | null | undefined } | 'other';
  const own = parameters?.reasoningEffort;
  const row = (value: Choice, label: string, isCurrent: boolean, description?: string): Row<Choice, never> => ({
    value,
    label,
    iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : 'blank'),
    description,
  });
  const isInherited = inherited !== undefined && inherited.value !== null;
  const picked = await pickRow<Choice>({
    title: parameterTitle('reasoningEffort'),
    placeholder: l10n.t('Select how much a model reasons before it answers. Reasoning is charged as output.'),
    canGoBack: true,
    rows: [
      row(
        { effort: undefined },
        isInherited ? l10n.t('Not Set Here') : l10n.t('Default of the Model'),
        own === undefined,
        isInherited ? valueText(inherited.value) : undefined,
      ),
      ...(isInherited ? [row({ effort: null }, l10n.t('Default of the Model'), own === null)] : []),
      ...efforts.map((effort) => row({ effort }, effort, own === effort)),
      row('other', l10n.t('Other…'), typeof own === 'string' && !efforts.includes(own)),
    ],
  });
  if (picked.status !== 'picked') {
    return picked.status === 'back' ? 'back' : 'cancelled';
  }
  if (picked.value === 'other') {
    return undefined;
  }
  await write({ reasoningEffort: picked.value.effort });
  return 'done';
}

async function askValue(
  name: ParameterName,
  { parameters, place, write }: ParameterOwner,
  inherited: PlacedParameter | undefined,
  hasKey: (text: string) => boolean,
): Promise<Asked> {
  const own = parameters?.[name];
  const isInherited = inherited !== undefined && inherited.value !== null;
  // The list of efforts has a row for null.
  const none = name === 'reasoningEffort' || !(isInherited || own === null) ? undefined : noneWord;
  const outcome = await askText<Value, Asked>({
    title: parameterTitle(name),
    canGoBack: true,
    value:
      own === undefined ? '' : own === null ? (none ?? '') : typeof own === 'object' ? JSON.stringify(own) : `${own}`,
    prompt: () =>
      sentences(
        promptOf(name),
        !isInherited
          ? l10n.t('Leave it empty to send none.')
          : none !== undefined &&
              l10n.t('Leave it empty to send {0}, or enter {1} to send none.', valueText(inherited.value), none),
        place !== 'conversation' && l10n.t('Saved in your settings.'),
      ),
    read: (text) => {
      const typed = text.trim();
      if (typed === '' || typed === none) {
        return { ok: true, value: typed === '' ? undefined : null };
      }
      const value = name === 'reasoningEffort' ? typed : parseJson(typed);
      const reason = parameterProblem(name, value, hasKey);
      return reason === undefined ? { ok: true, value: value as Value } : { ok: false, reason };
    },
    accept: async (value) => {
      await write({ [name]: value });
      return { done: 'done' };
    },
  });
  return outcome.status;
}

function promptOf(name: ParameterName): string {
  switch (name) {
    case 'reasoningEffort':
      return l10n.t('Enter the effort as the model names it.');
    case 'temperature':
      return l10n.t('Enter a number from 0 to 2. Higher values make answers more varied.');
    case 'tokenLimit':
      return l10n.t('Enter the most tokens that an answer may have. The gateway cuts a longer one.');
    case 'extraBody':
      return l10n.t('Enter JSON whose fields are added to the request, such as {0}.', '{"top_p": 0.9}');
    default:
      return name satisfies never;
  }
}
