import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { contentsOf, type PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import { contextLine } from '../code/contextLine.ts';
import { selectedCode } from '../code/selection.ts';
import { countProblem, pickModels } from '../models/pickModels.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { askText } from '../ui/askText.ts';
import type { LastEditor } from '../ui/lastEditor.ts';

export type CompareDeps = {
  readonly catalogue: Catalogue;
  readonly panels: () => Promise<ChatPanels>;
  readonly lastEditor: LastEditor;
  readonly ensureConnected: () => Promise<boolean>;
  /** Host that a question would go to now. */
  readonly host: () => string | undefined;
  /** While its dialogs are open, the same command does not open them again. */
  readonly paid: Pick<PaidActions, 'once'>;
  /** The models compared last with the connection in use. */
  readonly memory: { read(): readonly string[]; write(models: readonly string[]): Promise<void> };
};

/**
 * *Compare Models*: two to four models, then one question to all of them. How many paid calls that is stands above the
 * question; leaving anywhere sends nothing.
 *
 * @param chosen exact ids of the rows it was called on. As many as can be compared are not asked for again; of fewer or
 * more, those are picked at first, and without any, the ones compared last.
 */
export async function compareModels(deps: CompareDeps, chosen: readonly string[]): Promise<void> {
  // Read before any box opens: the person sees this selection while choosing to ask.
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
  // The question is meant for the gateway whose models are picked, whatever happens while it is typed.
  const host = deps.host();
  let first = chosen.length > 0 ? chosen : deps.memory.read();
  let models: readonly string[] | undefined = countProblem(chosen.length) === undefined ? chosen : undefined;
  let typed = '';
  for (;;) {
    models ??= await pickModels(deps.catalogue, first);
    if (models === undefined) {
      return;
    }
    const outcome = await askQuestion(models, contexts, typed);
    switch (outcome.status) {
      case 'cancelled':
        return;
      case 'back':
        first = models;
        models = undefined;
        typed = outcome.typed;
        break;
      case 'done':
        // A memory that can not be written costs a few clicks the next time, not the answers.
        deps.memory.write(models).catch(() => undefined);
        await (await deps.panels()).compare({ question: outcome.value, contexts, models, host });
        return;
      default:
        return outcome satisfies never;
    }
  }
}

function askQuestion(models: readonly string[], contexts: readonly CodeContext[], typed: string) {
  const along = contexts.length > 0 ? ` Goes along: ${contexts.map(contextLine).join('; ')}.` : ' No code is selected.';
  return askText<string>({
    title: 'Compare Models',
    step: 2,
    totalSteps: 2,
    canGoBack: true,
    value: typed,
    placeholder: 'What do you want to know?',
    prompt: () => `Sends ${models.length} paid calls: ${models.join(', ')}.${along}`,
    accept: (text) => (text.trim() === '' ? { problem: 'There is no question yet.' } : { done: text.trim() }),
  });
}
