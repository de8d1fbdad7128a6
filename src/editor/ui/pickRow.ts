import * as vscode from 'vscode';
import { plainLabel } from './plainText.ts';
import { createQuickPick, plainItem } from './quickPick.ts';

/** A button that says what was pressed by a name of its own. */
export type NamedButton<B extends string> = vscode.QuickInputButton & { readonly name: B };

export type Row<T, B extends string> = vscode.QuickPickItem & {
  /** What the row stands for; a row without it is a separator. */
  readonly value?: T;
  readonly buttons?: readonly NamedButton<B>[];
};

export type RowOutcome<T, B extends string> =
  | { readonly status: 'cancelled' }
  | { readonly status: 'back' }
  | { readonly status: 'picked'; readonly value: T }
  /** A button of a row, or with no value one beside the title. */
  | { readonly status: 'button'; readonly name: B; readonly value?: T };

/** Asks for one row of a list in VS Code's quick pick, whose rows and title may have buttons. */
export function pickRow<T, B extends string = never>(list: {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly Row<T, B>[];
  readonly canGoBack?: boolean;
  readonly buttons?: readonly NamedButton<B>[];
  /** The row to stand on at first. */
  readonly current?: T | undefined;
  /** Called once the list is to be seen; `show` replaces the rows for as long as the list is there. */
  readonly improve?: (signal: AbortSignal, show: (rows: readonly Row<T, B>[]) => void) => Promise<void>;
}): Promise<RowOutcome<T, B>> {
  return new Promise((resolve, reject) => {
    const pick = createQuickPick<Row<T, B>>();
    const abort = new AbortController();
    const finish = (outcome: RowOutcome<T, B>) => {
      resolve(outcome);
      abort.abort();
      pick.dispose();
    };
    pick.title = plainLabel(list.title);
    pick.placeholder = plainLabel(list.placeholder);
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.ignoreFocusOut = true;
    pick.buttons = [...(list.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...(list.buttons ?? [])];
    pick.items = list.rows.map(plainItem);
    const current = pick.items.find(({ value }) => value !== undefined && value === list.current);
    if (current) {
      pick.activeItems = [current];
    }
    pick.onDidTriggerButton((button) =>
      finish(
        button === vscode.QuickInputButtons.Back
          ? { status: 'back' }
          : { status: 'button', name: (button as NamedButton<B>).name },
      ),
    );
    pick.onDidTriggerItemButton(({ item, button }) => {
      const { name } = button as NamedButton<B>;
      finish({ status: 'button', name, ...(item.value !== undefined && { value: item.value }) });
    });
    pick.onDidAccept(() => {
      const value = pick.selectedItems[0]?.value;
      if (value !== undefined) {
        finish({ status: 'picked', value });
      }
    });
    pick.onDidHide(() => finish({ status: 'cancelled' }));
    pick.show();
    if (list.improve) {
      pick.busy = true;
      const show = (rows: readonly Row<T, B>[]) => {
        if (abort.signal.aborted) {
          return;
        }
        const [active] = pick.activeItems;
        const plain = rows.map(plainItem);
        pick.items = plain;
        // Where nothing had what was typed, the first row that has it now is the one to stand on.
        if (active) {
          const same = plain.find(({ value }) => value !== undefined && value === active.value);
          pick.activeItems = same ? [same] : [];
        }
      };
      const done = () => {
        if (!abort.signal.aborted) {
          pick.busy = false;
        }
      };
      list.improve(abort.signal, show).then(done, (error) => {
        if (!abort.signal.aborted) {
          reject(error);
          pick.dispose();
        }
      });
    }
  });
}
