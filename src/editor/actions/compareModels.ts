import * as l10n from '@vscode/l10n';
import { type CostRange, rangesText, rangeText, totalCosts } from '../../core/base/costRange.ts';
import { numberText, sentences } from '../../core/base/localization.ts';
import { contextLine } from '../../core/chat/context/contextText.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { contentsOf } from '../../core/chat/sending/paidActions.ts';
import type { QuestionCosts } from '../../core/chat/sending/questionCosts.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { selectedCode } from '../code/selection.ts';
import type { ModelPricing } from '../models/modelPricing.ts';
import { countProblem, pickModels } from '../models/pickModels.ts';
import { askText } from '../ui/askText.ts';
import { type Remembered, textsIn } from '../ui/remembered.ts';
import type { AskDeps } from './askCommands.ts';

export type CompareDeps = Omit<AskDeps, 'pickModel'> & {
  readonly connections: Pick<Connections, 'active'>;
  readonly costs: Pick<QuestionCosts, 'first'>;
  readonly pricing: Pick<ModelPricing, 'priceOf'>;
  /** Stores the models that were compared last with a connection. */
  readonly remembered: Remembered;
};

/**
 * *Compare Models*: asks for two to four models and a question, and sends it to all of them. The input box shows the
 * number of paid calls. Cancelling any step sends nothing.
 *
 * @param chosen exact ids of the models in the rows the command was run on. Two to four are compared without picking.
 * For fewer or more, the picker opens with these selected; with none, it opens with the models compared last.
 */
export async function compareModels(deps: CompareDeps, chosen: readonly string[]): Promise<void> {
  // Read before any dialog opens: this is the selection the person means.
  const contexts = selectedCode(deps.lastEditor.current);
  await deps.paid.once(
    ['compareBoxes', chosen, contentsOf(contexts)],
    () => compareInBoxes(deps, chosen, contexts),
    () => false,
  );
}

async function compareInBoxes(
  deps: CompareDeps,
  chosen: readonly string[],
  contexts: readonly CodeContext[],
): Promise<void> {
  if (!(await deps.ensureConnected())) {
    return;
  }
  // Read now: the question is for the gateway of these models, even if the connection changes during typing.
  const host = deps.host();
  const { active } = deps.connections;
  const compared = deps.remembered.ofConnections('compared');
  let first = chosen.length > 0 || active === undefined ? chosen : textsIn(compared.read(active.id));
  let models: readonly string[] | undefined = countProblem(chosen.length) === undefined ? chosen : undefined;
  let typed = '';
  const costOf = (model: string, text: string) => deps.costs.first({ text, contexts }, model);
  for (;;) {
    models ??= await pickModels(deps.catalogue, first, deps.pricing.priceOf, (model) => costOf(model, ''));
    if (models === undefined) {
      return;
    }
    const outcome = await askQuestion(models, contexts, typed, costOf);
    switch (outcome.status) {
      case 'cancelled':
        return;
      case 'back':
        first = models;
        models = undefined;
        typed = outcome.typed;
        break;
      case 'done':
        // If this can't be saved, the models only have to be picked again the next time.
        void (active && compared.write(active.id, models).catch(() => undefined));
        await (await deps.panels()).ask({ question: outcome.value, contexts, models, host, focus: 'panel' });
        return;
      default:
        return outcome satisfies never;
    }
  }
}

function askQuestion(
  models: readonly string[],
  contexts: readonly CodeContext[],
  typed: string,
  costOf: (model: string, text: string) => CostRange | undefined,
) {
  const contextText =
    contexts.length > 0 ? l10n.t('Includes {0}.', contexts.map(contextLine).join('; ')) : l10n.t('No code selected.');
  return askText({
    title: l10n.t('Compare Models'),
    step: 2,
    totalSteps: 2,
    canGoBack: true,
    value: typed,
    placeholder: l10n.t('Ask a question'),
    prompt: (text) => {
      const costs = models.map((model) => costOf(model, text));
      const named = models.map((model, index) => (costs[index] ? `${model} (${rangeText(costs[index])})` : model));
      const total = totalCosts(costs);
      return sentences(
        l10n.t('Makes {0} paid calls: {1}.', numberText(models.length), named.join(', ')),
        total.length > 0 && l10n.t('Estimated cost: {0}.', rangesText(total)),
        contextText,
      );
    },
    read: (text) => {
      const value = text.trim();
      return value === '' ? { ok: false, reason: l10n.t('Enter a question.') } : { ok: true, value };
    },
    accept: async (question) => ({ done: question }),
  });
}
