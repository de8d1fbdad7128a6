import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { conversationViewType } from '../ui/conversationViewType.ts';
import type { Log } from '../ui/log.ts';

/** Where the first panel opens: beside the active editor, in its group, or in a window of its own. */
function location(): 'beside' | 'active' | 'newWindow' {
  const value = vscode.workspace.getConfiguration().get<unknown>('askModel.panel.location');
  return value === 'active' || value === 'newWindow' ? value : 'beside';
}

/**
 * Creates an empty webview panel. An editor group that contains only panels is locked, as VS Code does with its own
 * previews, so that the next file opens in another group and does not cover the conversation.
 *
 * @param column the group of the other panels; undefined for the first one, which opens where the setting says.
 * @param preserveFocus leaves the focus where it is, even when VS Code loads the page later.
 */
export function openSurface(
  column: vscode.ViewColumn | undefined,
  preserveFocus: boolean,
  log: Log,
): vscode.WebviewPanel {
  const where = column === undefined ? location() : undefined;
  if (where === 'newWindow') {
    const surface = create(vscode.ViewColumn.Active, false);
    moveToNewWindow().catch((error: unknown) => log.defect('The window of the conversation', error));
    return surface;
  }
  // The only editor in the window always becomes active.
  const isFirst = vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
  const surface = create(
    column ?? (where === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside),
    preserveFocus,
  );
  if (where === 'active') {
    return surface;
  }
  const lock = () => {
    lockPanelGroup().catch((error: unknown) => log.defect('Groups of editors', error));
  };
  if (!preserveFocus || isFirst) {
    lock();
    return surface;
  }
  // VS Code locks only the active group: wait until the person activates the panel.
  const listener = surface.onDidChangeViewState(() => {
    if (surface.active) {
      listener.dispose();
      lock();
    }
  });
  return surface;
}

function create(viewColumn: vscode.ViewColumn, preserveFocus: boolean): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(
    conversationViewType,
    'Ask Model',
    { viewColumn, preserveFocus },
    { enableFindWidget: true },
  );
}

/** Moves a panel that was just shown with the focus to a new window, unless another editor has become active. */
async function moveToNewWindow(): Promise<void> {
  if (await becomesActive()) {
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
  }
}

/** Locks the group of a panel that was just shown with the focus, unless another editor has become active. */
async function lockPanelGroup(): Promise<void> {
  const { tabGroups } = vscode.window;
  if ((await becomesActive()) && tabGroups.activeTabGroup.tabs.every(isPanel)) {
    await vscode.commands.executeCommand('workbench.action.lockEditorGroup');
  }
}

/**
 * Moves the first group with files to the left of the panels. VS Code opens it to their right when the panels were
 * opened first, because their group is locked. Does nothing when the person has moved the panels left of the files.
 */
export function keepFilesLeft(log: Log): vscode.Disposable {
  const { tabGroups } = vscode.window;
  const store = new DisposableStore();
  let werePanelsAlone = false;
  let isChosenByPerson = false;
  let isMoving = false;
  let hasChanged = false;
  const arrange = async (): Promise<void> => {
    if (isMoving) {
      hasChanged = true;
      return;
    }
    hasChanged = false;
    // VS Code lists the groups in the order in which they were opened.
    const [first, second, ...others] = tabGroups.all.toSorted((a, b) => a.viewColumn - b.viewColumn);
    if (!first?.tabs.length || !first.tabs.every(isPanel)) {
      werePanelsAlone = false;
      isChosenByPerson = false;
    } else if (second === undefined) {
      werePanelsAlone = true;
    } else if (!werePanelsAlone) {
      isChosenByPerson = true;
    } else if (!isChosenByPerson && holdsFiles(second) && second.isActive && others.length === 0) {
      // The panel may take the focus back at this moment. The command then tries to move the panel, which is already
      // leftmost, so it is run again when the file is active again. That may happen before the command has ended.
      isMoving = true;
      try {
        await vscode.commands.executeCommand('workbench.action.moveActiveEditorGroupLeft');
      } finally {
        isMoving = false;
      }
      if (hasChanged) {
        await arrange();
      }
    }
  };
  const moveNow = () => {
    arrange().catch((error: unknown) => log.defect('The files could not be kept left of the panels', error));
  };
  store.add(tabGroups.onDidChangeTabs(moveNow));
  store.add(tabGroups.onDidChangeTabGroups(moveNow));
  moveNow();
  return store;
}

function holdsFiles({ tabs }: vscode.TabGroup): boolean {
  return tabs.length > 0 && !tabs.some(isPanel);
}

function isPanel(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(conversationViewType);
}

/**
 * Resolves to true once a panel is the active editor. VS Code updates its tabs some time after a panel was created,
 * which can take seconds on a busy machine. Resolves to false after 10 seconds.
 */
function becomesActive(): Promise<boolean> {
  const { tabGroups } = vscode.window;
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const done = (isActive: boolean) => {
      store.dispose();
      resolve(isActive);
    };
    const check = () => isPanel(tabGroups.activeTabGroup.activeTab) && done(true);
    const timer = setTimeout(() => done(false), 10_000);
    store.add({ dispose: () => clearTimeout(timer) });
    store.add(tabGroups.onDidChangeTabs(check));
    store.add(tabGroups.onDidChangeTabGroups(check));
    check();
  });
}
