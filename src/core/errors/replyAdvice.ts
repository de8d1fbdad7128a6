import * as l10n from '@vscode/l10n';
import { numberText, sentences } from '../base/localization.ts';
import type { AdviceWords } from './adviceText.ts';
import { durationText } from './durationText.ts';
import type { ProblemOf } from './gatewayProblem.ts';

type EndProblem = ProblemOf<
  | 'gatewayTimedOut'
  | 'emptyReply'
  | 'tooLarge'
  | 'timedOut'
  | 'cut'
  | 'interrupted'
  | 'unsaved'
  | 'elsewhere'
  | 'contentFiltered'
>;

/**
 * The title and remedy for an answer that did not end well. Whether the call may have been charged is added by those
 * who show the advice, from `mayBeCharged`.
 *
 * @param hasArrived text or reasoning arrived before the failure.
 */
export function replyAdvice(problem: EndProblem, hasArrived = false): AdviceWords {
  switch (problem.kind) {
    case 'contentFiltered':
      if (problem.isRefusal) {
        return {
          title: l10n.t('The model declined to answer'),
          remedy: l10n.t('Ask in another way, or choose another model.'),
        };
      }
      return {
        title: l10n.t('A content filter stopped the answer'),
        remedy: l10n.t("The vendor's filter blocked the question or the answer. Try another model."),
      };
    case 'gatewayTimedOut':
      return {
        title: l10n.t('The gateway timed out'),
        remedy: sentences(
          l10n.t('The gateway, or a proxy in front of it, stopped waiting for the model.'),
          mayHaveRun(),
          savedPart(hasArrived),
        ),
      };
    case 'emptyReply':
      return problem.isAllReasoning
        ? {
            title: l10n.t('The model used its entire token limit for reasoning'),
            remedy: l10n.t(
              'It reached the limit before the first word of the answer. Ask for less at once, or choose a model that reasons less.',
            ),
          }
        : {
            title: l10n.t('The answer is empty'),
            remedy: l10n.t('The gateway ended the answer without any text. Sending again is another paid call.'),
          };
    case 'tooLarge':
      return {
        title: l10n.t('The response is too large'),
        remedy: sentences(
          l10n.t('Ask Model stopped reading it at {0} MB.', numberText(Math.round(problem.limitBytes / 1_048_576))),
          savedPart(hasArrived),
        ),
      };
    case 'timedOut':
      return timeOutAdvice(problem, hasArrived);
    case 'cut':
      return hasArrived
        ? {
            title: l10n.t('The answer was cut off'),
            remedy: sentences(
              l10n.t('The connection closed before the model finished the answer.'),
              savedPart(hasArrived),
            ),
          }
        : {
            title: l10n.t('The connection closed before an answer arrived'),
            remedy: l10n.t('No part of the answer arrived, but the model may have run.'),
          };
    case 'interrupted':
      return {
        title: l10n.t('VS Code or its extensions stopped before the answer was complete'),
        remedy: hasArrived
          ? l10n.t('The partial answer is saved. At most its last quarter second is missing.')
          : l10n.t('No part of the answer had arrived.'),
      };
    case 'unsaved':
      return {
        title: l10n.t("The rest of this answer couldn't be saved"),
        remedy: l10n.t(
          'The disk was full or write-protected until the window was closed. The part that could be saved is shown.',
        ),
      };
    case 'elsewhere':
      return {
        title: l10n.t('This answer is arriving in another window'),
        remedy: l10n.t("It's shown and saved there. Open the conversation here again when the answer is complete."),
      };
    default:
      return problem satisfies never;
  }
}

function timeOutAdvice({ timer, limitMs }: ProblemOf<'timedOut'>, hasArrived: boolean): AdviceWords {
  const limit = durationText(limitMs);
  if (timer === 'total') {
    return {
      title: l10n.t('The answer took too long'),
      remedy: sentences(l10n.t('Ask Model stopped it after {0}.', limit), savedPart(hasArrived), mayHaveRun()),
    };
  }
  return hasArrived
    ? {
        title: l10n.t('The answer stopped arriving'),
        remedy: sentences(l10n.t('Nothing arrived for {0}.', limit), savedPart(hasArrived), mayHaveRun()),
      }
    : {
        title: l10n.t('No answer arrived'),
        remedy: sentences(l10n.t('The gateway sent no part of an answer for {0}.', limit), mayHaveRun()),
      };
}

/** The title and remedy for a response that is neither an answer nor a model list. */
export function unreadableAdvice({ isDamaged, detail, fields }: ProblemOf<'unreadable'>): AdviceWords {
  if (isDamaged) {
    return {
      title: l10n.t("The response can't be read"),
      remedy: l10n.t('It contains invalid JSON. Its beginning is shown here.'),
    };
  }
  const format = () => {
    switch (detail) {
      case 'notHttp':
        return l10n.t("The response isn't HTTP.");
      case 'notJson':
        return l10n.t("The response isn't JSON.");
      case 'notCompletion':
        return l10n.t("The response isn't a chat completion.");
      case 'notList':
        return fields
          ? l10n.t("The response isn't a model list. It has these fields: {0}.", fields)
          : l10n.t("The response isn't a model list.");
      case 'empty':
        return l10n.t('The response is empty.');
      default:
        // Conversations stored by earlier versions have other details.
        return l10n.t("The response isn't in the expected format.");
    }
  };
  return {
    title: l10n.t("The response isn't from a chat gateway"),
    remedy: sentences(format(), l10n.t("Check the connection's address.")),
  };
}

/** Says that the part of the answer that arrived is saved; undefined when nothing arrived. */
export function savedPart(hasArrived: boolean | undefined): string | undefined {
  return hasArrived ? l10n.t('The partial answer is saved.') : undefined;
}

function mayHaveRun(): string {
  return l10n.t('The model may have run.');
}
