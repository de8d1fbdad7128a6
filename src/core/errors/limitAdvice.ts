import * as l10n from '@vscode/l10n';
import { numberText, plural, sentences } from '../base/localization.ts';
import { moneyText } from '../base/money.ts';
import type { AdviceWords } from './adviceText.ts';
import type { ProblemOf } from './gatewayProblem.ts';

/** For a limit that is reached: what it counts, how much of it is used, and what to do. */
export function limitAdvice(problem: ProblemOf<'limitReached'>): AdviceWords {
  return {
    title: problem.isShare ? l10n.t('Daily limit for other extensions reached') : l10n.t('Daily limit reached'),
    remedy: sentences(
      usedText(problem),
      problem.isShare
        ? l10n.t(
            'Nothing was sent. Raise the limit or the share of other extensions in the settings, or try again tomorrow.',
          )
        : l10n.t('Nothing was sent. Raise the limit in the settings, or try again tomorrow.'),
    ),
  };
}

/** For a limit that could not be checked. */
export function uncheckedLimitAdvice(
  { cause, setting = '' }: ProblemOf<'limitUnchecked'>,
  model: string | undefined,
): AdviceWords {
  switch (cause) {
    case 'setting':
      return {
        title: l10n.t('A daily limit is invalid'),
        remedy: l10n.t('Nothing was sent. Each limit in the setting {0} must be a number of at least 0.', setting),
      };
    case 'price':
      return {
        title: l10n.t('The price of this model is unknown'),
        remedy: l10n.t(
          'You set a daily limit for costs, and no price is known for {0}. Nothing was sent. Allow the model when asked, or remove the limit.',
          model ?? '',
        ),
      };
    default:
      return {
        title: l10n.t("The call couldn't be recorded"),
        remedy: l10n.t(
          'With a daily limit, each call is recorded before it is sent. Nothing was sent. Check for a full disk or missing permissions, then try again.',
        ),
      };
  }
}

function usedText({ limit, max, used, needed, unit }: ProblemOf<'limitReached'>): string {
  switch (limit) {
    case 'calls':
      return plural(
        max,
        l10n.t('The limit is {0} call per day and connection. Made today: {1}.', numberText(max), numberText(used)),
        l10n.t('The limit is {0} calls per day and connection. Made today: {1}.', numberText(max), numberText(used)),
      );
    case 'tokens':
      return l10n.t(
        'The limit is {0} tokens per day and connection. Used today: {1}. This call may need {2}.',
        numberText(max),
        numberText(used),
        numberText(needed),
      );
    default:
      return l10n.t(
        'The limit is a cost of {0} per day and connection. Spent today: {1}. This call may cost {2}.',
        costText(max, unit),
        costText(used, unit),
        costText(needed, unit),
      );
  }
}

/** Replies that were stored by earlier versions have no unit. */
function costText(amount: number, unit: string | undefined): string {
  return unit === undefined ? numberText(amount, { maximumSignificantDigits: 4 }) : moneyText({ amount, unit });
}
