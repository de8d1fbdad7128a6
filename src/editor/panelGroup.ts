import * as vscode from 'vscode';
import { DisposableStore } from '../core/lifetime.ts';
import { conversationViewType } from './conversationViewType.ts';
import { focusEditor } from './lastEditor.ts';

/**
 * A group that holds nothing but panels is locked, as VS Code does with its own previews: a file opened next goes to
 * the editors and does not cover the answer. Called just after a panel was shown with the focus.
 *
 * @param editor gets the focus back.
 */
export async function settlePanelGroup(editor: vscode.TextEditor | undefined): Promise<void> {
  const isPanel = (tab: vscode.Tab | undefined) =>
    tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(conversationViewType);
  if (!(await tabsReach(({ activeTab }) => isPanel(activeTab)))) {
    // The person has gone elsewhere meanwhile.
    return;
  }
  if (vscode.window.tabGroups.activeTabGroup.tabs.every(isPanel)) {
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  }
  if (editor) {
    await focusEditor(editor);
  }
}

/**
 * Resolves once the active group is as wanted. Tabs follow a moment after what opened them, seconds on a busy machine;
 * false when that takes longer than anybody waits.
 */
function tabsReach(isWanted: (group: vscode.TabGroup) => boolean): Promise<boolean> {
  const { tabGroups } = vscode.window;
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const done = (isReached: boolean) => {
      store.dispose();
      resolve(isReached);
    };
    const look = () => isWanted(tabGroups.activeTabGroup) && done(true);
    const timer = setTimeout(() => done(false), 10_000);
    store.add({ dispose: () => clearTimeout(timer) });
    store.add(tabGroups.onDidChangeTabs(look));
    store.add(tabGroups.onDidChangeTabGroups(look));
    look();
  });
}
