import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { conversationViewType } from '../ui/conversationViewType.ts';
import type { Log } from '../ui/log.ts';

/**
 * Creates an empty webview panel.
 *
 * @param column the group of the other panels; undefined for the first one, which opens where the setting says: beside
 * the active editor, in its group, or in a window of its own.
 * @param preserveFocus leaves the focus where it is, even when VS Code loads the page later.
 */
export function openSurface(
  column: vscode.ViewColumn | undefined,
  preserveFocus: boolean,
  log: Log,
): vscode.WebviewPanel {
  const where = column ?? vscode.workspace.getConfiguration().get<unknown>('askModel.panel.location');
  if (where === 'newWindow') {
    const surface = create(vscode.ViewColumn.Active, false);
    moveToNewWindow().catch((error: unknown) => log.defect('The window of the conversation', error));
    return surface;
  }
  return create(column ?? (where === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside), preserveFocus);
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
    const check = () => {
      const input = tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputWebview && input.viewType.endsWith(conversationViewType) && done(true);
    };
    const timer = setTimeout(() => done(false), 10_000);
    store.add({ dispose: () => clearTimeout(timer) });
    store.add(tabGroups.onDidChangeTabs(check));
    store.add(tabGroups.onDidChangeTabGroups(check));
    check();
  });
}
