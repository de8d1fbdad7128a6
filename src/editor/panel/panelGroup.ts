import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { conversationViewType } from '../ui/conversationViewType.ts';
import type { Log } from '../ui/log.ts';

/**
 * A group that holds nothing but panels is locked, as VS Code does with its own previews: a file opened next goes to
 * the editors and does not cover the answer. Called just after a panel was shown with the focus.
 */
export async function settlePanelGroup(): Promise<void> {
  if (!(await tabsReach(({ activeTab }) => isPanel(activeTab)))) {
    // The person has gone elsewhere meanwhile.
    return;
  }
  if (vscode.window.tabGroups.activeTabGroup.tabs.every(isPanel)) {
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  }
}

/**
 * Files are left of the panels, also where the panels were there first. VS Code opens the next file to their right,
 * because their group is locked: its group is moved to the left. A person who puts the panels left of the files is left
 * alone.
 */
export function keepFilesLeft(log: Log): vscode.Disposable {
  const { tabGroups } = vscode.window;
  const store = new DisposableStore();
  let wereAlone = false;
  let isPersons = false;
  let isMoving = false;
  let hasChanged = false;
  const look = async (): Promise<void> => {
    if (isMoving) {
      hasChanged = true;
      return;
    }
    hasChanged = false;
    // They are listed in the order in which they were opened.
    const [first, second, ...others] = tabGroups.all.toSorted((a, b) => a.viewColumn - b.viewColumn);
    if (!first?.tabs.length || !first.tabs.every(isPanel)) {
      wereAlone = false;
      isPersons = false;
    } else if (second === undefined) {
      wereAlone = true;
    } else if (!wereAlone) {
      isPersons = true;
    } else if (!isPersons && isFiles(second) && second.isActive && others.length === 0) {
      // The panel may take the focus back just then, and is what is moved, to where it is already: then once more when
      // the file is active again, which may be before the command has ended.
      isMoving = true;
      try {
        await vscode.commands.executeCommand('workbench.action.moveActiveEditorGroupLeft');
      } finally {
        isMoving = false;
      }
      if (hasChanged) {
        await look();
      }
    }
  };
  const moveNow = () => {
    look().catch((error: unknown) => log.defect('The files could not be kept left of the panels', error));
  };
  store.add(tabGroups.onDidChangeTabs(moveNow));
  store.add(tabGroups.onDidChangeTabGroups(moveNow));
  moveNow();
  return store;
}

function isFiles({ tabs }: vscode.TabGroup): boolean {
  return tabs.length > 0 && !tabs.some(isPanel);
}

function isPanel(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(conversationViewType);
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
