import * as vscode from 'vscode';
import { plainLabel } from './plainText.ts';

declare const isPlain: unique symbol;
/** A quick pick item with escaped texts. An icon must be set as `iconPath`. */
export type PlainItem<T extends vscode.QuickPickItem = vscode.QuickPickItem> = T & { readonly [isPlain]: true };

/** Escapes the texts of a quick pick item, where VS Code turns `$(name)` into an icon. */
export function plainItem<T extends vscode.QuickPickItem>(item: T): PlainItem<T> {
  const { label, description, detail } = item;
  return {
    ...item,
    label: plainLabel(label),
    ...(description !== undefined && { description: plainLabel(description) }),
    ...(detail !== undefined && { detail: plainLabel(detail) }),
  } as PlainItem<T>;
}

/** VS Code's `createQuickPick`, restricted to items from `plainItem`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<PlainItem<T>> {
  return vscode.window.createQuickPick<PlainItem<T>>();
}

/** VS Code's `showQuickPick` for items and a title whose texts may come from outside: they are shown without icons. */
export function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
): Thenable<T | undefined> {
  return vscode.window.showQuickPick(items.map(plainItem), { title: plainLabel(title) });
}

/** Lets the person tick rows. @returns undefined when the person cancelled. */
export function tickRows<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
  placeholder: string,
): Thenable<readonly T[] | undefined> {
  const options = { title: plainLabel(title), placeHolder: plainLabel(placeholder), canPickMany: true } as const;
  return vscode.window.showQuickPick(items.map(plainItem), options);
}

/** The only one of several, or the one that the person chooses. */
export async function pickOne<T>(
  all: readonly T[],
  row: (one: T) => vscode.QuickPickItem,
  title: string,
): Promise<T | undefined> {
  const rows = all.map((one) => ({ ...row(one), one }));
  return rows.length < 2 ? all[0] : (await showQuickPick(rows, title))?.one;
}

/** A button of a list. What `run` resolves to is for the caller that runs it. */
export type ListButton = vscode.QuickInputButton & { readonly run: () => Promise<boolean> };

export type Row<T> = vscode.QuickPickItem & {
  /** The value that is returned when the row is picked; undefined for a separator. */
  readonly value?: T;
  readonly buttons?: readonly ListButton[];
};

/** What the person picked; nothing if they cancelled. */
export type RowOutcome<T> = {
  /** Of a row; undefined for a button beside the title. */
  readonly value?: T;
  /** The button that was clicked. */
  readonly button?: ListButton;
  readonly isBack?: true;
};

/** Lets the person pick a row in VS Code's quick pick. The rows and the title may have buttons. */
export function pickRow<T>(list: {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly Row<T>[];
  readonly canGoBack?: boolean;
  readonly buttons?: readonly ListButton[];
  /** The value of the row that is active at first. */
  readonly current?: T;
  /** Closes the list. */
  readonly signal?: AbortSignal;
  /** Called when the list is shown. `show` replaces the rows until the list is closed. */
  readonly improve?: (signal: AbortSignal, show: (rows: readonly Row<T>[]) => void) => Promise<void>;
}): Promise<RowOutcome<T>> {
  return new Promise((resolve, reject) => {
    const pick = createQuickPick<Row<T>>();
    const abort = new AbortController();
    const finish = (outcome: RowOutcome<T>) => {
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
      finish(button === vscode.QuickInputButtons.Back ? { isBack: true } : { button: button as ListButton }),
    );
    pick.onDidTriggerItemButton(({ item, button }) => {
      finish({ button: button as ListButton, value: item.value });
    });
    pick.onDidAccept(() => {
      const value = pick.selectedItems[0]?.value;
      if (value !== undefined) {
        finish({ value });
      }
    });
    pick.onDidHide(() => finish({}));
    list.signal?.addEventListener('abort', () => finish({}), { once: true });
    pick.show();
    if (list.improve) {
      pick.busy = true;
      const show = (rows: readonly Row<T>[]) => {
        const [active] = pick.activeItems;
        const plain = rows.map(plainItem);
        pick.items = plain;
        // Without an active row, nothing matched the filter: VS Code then activates the first row that matches now.
        if (active) {
          const same = plain.find(({ value }) => value !== undefined && value === active.value);
          pick.activeItems = same ? [same] : [];
        }
      };
      list.improve(abort.signal, show).then(
        () => {
          pick.busy = false;
        },
        (error) => {
          reject(error);
          pick.dispose();
        },
      );
    }
  });
}
