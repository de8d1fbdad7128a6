import * as l10n from '@vscode/l10n';
import { shortLine } from '../../core/chat/context/shortLine.ts';
import type { PlacedParameter } from '../../core/chat/conversation/sentParameters.ts';
import type { ParameterName } from '../../core/connections/requestParameters.ts';

/** The name of a parameter as a title. */
export function parameterTitle(name: ParameterName): string {
  switch (name) {
    case 'reasoningEffort':
      return l10n.t('Reasoning Effort');
    case 'temperature':
      return l10n.t('Temperature');
    case 'tokenLimit':
      return l10n.t('Token Limit of Answers');
    case 'extraBody':
      return l10n.t('Extra Body');
    default:
      return name satisfies never;
  }
}

/** The value of a parameter in one line. */
export function valueText(value: PlacedParameter['value']): string {
  return typeof value === 'object' ? shortLine(JSON.stringify(value)) : String(value);
}
