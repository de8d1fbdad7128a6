import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PageCommand } from '../../protocol/protocol.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import { filesOf } from '../code/readFiles.ts';
import type { connectionCommands } from '../connections/connectionCommands.ts';
import type { ConversationCommands } from '../conversations/conversationCommands.ts';
import { modelCommands } from '../models/modelCommands.ts';
import { ModelsView } from '../models/modelsView.ts';
import type { OpenedModels } from '../models/openModels.ts';
import type { Log } from '../ui/log.ts';
import { showDefect } from '../ui/messages.ts';
import { showQuickPick } from '../ui/quickPick.ts';
import { type CommandId, runCommand } from '../ui/registrations.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { type AskDeps, addToQuestion, ask, compareModels, explainSelection } from './askCommands.ts';
import type { ChangeCommands } from './changeCommands.ts';
import type { EditorActions } from './editorActions.ts';

/** The walkthrough of the manifest, after the id of the extension. */
const walkthroughId = 'ask-model.ask-model#getStarted';

type Command = (...args: unknown[]) => unknown;
type OfOneFolder = 'askModel.showUsage' | 'askModel.clearUsage' | 'askModel.deleteAllData' | 'askModel.revokeExtension';

type Commands = Readonly<Record<CommandId, Command>>;

/**
 * Creates the commands. An error in a command is logged with its stack and shown in one sentence.
 *
 * @param others commands of single folders.
 */
export function openActions(
  log: Log,
  asking: AskDeps,
  models: OpenedModels,
  documents: ShownTexts,
  changes: ProposedChanges,
  ofChanges: ChangeCommands,
  editor: EditorActions,
  conversations: ConversationCommands,
  others: Pick<Commands, keyof ReturnType<typeof connectionCommands> | OfOneFolder>,
) {
  const { panels } = asking;
  const shown = async () => (await panels()).shown;
  const inPage = (command: PageCommand) => async () => (await shown())?.run(command);
  const commands: Commands = {
    ...others,
    ...conversations,
    'askModel.ask': () => ask(asking),
    'askModel.askWithModel': (row) => ask(asking, row),
    'askModel.newConversation': async () => (await panels()).startNew(),
    'askModel.focusQuestionBox': async () => (await panels()).focusQuestionBox(),
    'askModel.explainSelection': () => explainSelection(asking),
    'askModel.edit': (place) => editor.edit(place),
    'askModel.fix': () => editor.change('fix'),
    'askModel.writeTests': () => editor.writeTests(),
    'askModel.document': () => editor.change('document'),
    'askModel.improve': () => editor.change('improve'),
    'askModel.reviewSelection': () => editor.runPrompt('review'),
    'askModel.runPrompt': () => editor.runPrompt(),
    'askModel.explainProblem': () => editor.explainProblem(),
    'askModel.fixProblem': () => editor.fixProblem(),
    'askModel.explainCommand': () => editor.explainCommand(),
    'askModel.explainFailure': (failed) => editor.explainFailure(failed),
    'askModel.addToQuestion': (...args) => addToQuestion(asking, filesOf(args)),
    'askModel.writeCommitMessage': (source) => ofChanges.writeMessage(source),
    'askModel.stopCommitMessage': (source) => ofChanges.stopMessage(source),
    'askModel.reviewChanges': (source) => ofChanges.ask('review-changes', l10n.t('Review Changes'), source),
    'askModel.explainChanges': (source) => ofChanges.ask('explain-changes', l10n.t('Explain Changes'), source),
    'askModel.compare': (row, selected) => compareModels(asking, ModelsView.idsOf(row, selected)),
    'askModel.showRequest': async () => (await shown())?.showRequest(),
    'askModel.nextAnswer': inPage('nextAnswer'),
    'askModel.previousAnswer': inPage('previousAnswer'),
    'askModel.nextCodeBlock': inPage('nextCodeBlock'),
    'askModel.previousCodeBlock': inPage('previousCodeBlock'),
    'askModel.copyAnswer': inPage('copyAnswer'),
    'askModel.copyCode': inPage('copyCode'),
    'askModel.copyAsMarkdown': async (context) => (await shown())?.copyAsMarkdown(context),
    'askModel.editSystemPrompt': async () => (await panels()).editSettings('editSystemPrompt'),
    'askModel.editParameters': async () => (await panels()).editSettings('editParameters'),
    'askModel.acceptChange': (uri) => changes.accept(uri),
    'askModel.discardChange': (uri) => changes.discard(uri),
    'askModel.askFurther': (uri) => editor.askFurther(uri),
    ...modelCommands(models, documents, asking.gateways.ensureConnected),
    'askModel.showLog': () => log.show(),
    'askModel.troubleshoot': () =>
      pickCommand(l10n.t('Troubleshoot'), {
        'askModel.checkConnection': l10n.t('Check Connection'),
        'askModel.showLog': l10n.t('Show Log'),
        'askModel.copyDiagnostics': l10n.t('Copy Diagnostics…'),
      }),
    'askModel.deleteData': () =>
      pickCommand(l10n.t('Delete Data'), {
        'askModel.clearUsage': l10n.t('Usage Data…'),
        'askModel.deleteAllConversations': l10n.t('All Conversations…'),
        'askModel.deleteAllData': l10n.t('All My Data…'),
      }),
    'askModel.getStarted': () => vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthroughId),
  };
  return {
    /** @param args what VS Code passes: for a command in the menu of a tree, the row and all selected rows. */
    async run(id: CommandId, ...args: unknown[]) {
      try {
        await commands[id](...args);
      } catch (error) {
        showDefect(log, id, error);
      }
    },
  };
}

/** Runs the command that the person picks by its name. */
async function pickCommand(title: string, names: { readonly [Id in CommandId]?: string }): Promise<void> {
  const ids = Object.keys(names) as CommandId[];
  const picked = await showQuickPick(
    ids.map((id) => ({ id, label: names[id] ?? id })),
    title,
  );
  await (picked && runCommand(picked.id));
}
