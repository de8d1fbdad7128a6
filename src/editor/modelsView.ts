import * as vscode from 'vscode';
import type { AdviceAction } from '../core/gateway/advice.ts';
import { DisposableStore } from '../core/lifetime.ts';
import type { Catalogue, CatalogueState } from '../core/models/catalogue.ts';
import type { Model } from '../core/models/model.ts';
import { modelGroups } from '../core/models/modelGroups.ts';
import type { Log } from './log.ts';

type Row =
  | { readonly kind: 'group'; readonly name: string; readonly models: readonly Model[]; readonly isFolded: boolean }
  | { readonly kind: 'model'; readonly model: Model }
  | { readonly kind: 'action'; readonly title: string; readonly command: string; readonly icon: string };

/** Few enough to be seen at once, so that groups open by themselves. */
const unfoldedModels = 40;

/** The side bar's list: groups by vendor, exact ids, and what to do when there is no list. */
export class ModelsView implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly #catalogue: Catalogue;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly #tree: vscode.TreeView<Row>;
  readonly onDidChangeTreeData = this.#didChange.event;
  #shownState: string | undefined;

  constructor(catalogue: Catalogue, log: Log) {
    this.#catalogue = catalogue;
    this.#log = log;
    this.#tree = this.#store.add(
      vscode.window.createTreeView('askModel.models', { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#store.add(
      catalogue.onDidChange(() => {
        this.#describe(catalogue.state);
        this.#didChange.fire(undefined);
      }),
    );
  }

  /** The model a row stands for: what VS Code hands to a command of the row's menu. */
  static modelOf(row: unknown): Model | undefined {
    return typeof row === 'object' && row !== null && 'kind' in row && (row as Row).kind === 'model'
      ? (row as Row & { kind: 'model' }).model
      : undefined;
  }

  getChildren(row?: Row): Row[] {
    if (row !== undefined) {
      return row.kind === 'group' ? row.models.map((model) => ({ kind: 'model', model })) : [];
    }
    if (this.#catalogue.state.status === 'unread') {
      // The first look is what reads the list; its news repaint the tree. Not waited for: a list that was kept is to be
      // seen while the gateway is still being asked.
      vscode.window
        .withProgress({ location: { viewId: 'askModel.models' } }, () => this.#catalogue.load())
        .then(undefined, (error) => this.#log.defect('The list of models', error));
    }
    return this.#rows(this.#catalogue.state);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    switch (row.kind) {
      case 'group': {
        const item = new vscode.TreeItem(
          row.name,
          row.isFolded ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded,
        );
        item.id = `group ${row.name}`;
        item.description = String(row.models.length);
        item.contextValue = 'group';
        return item;
      }
      case 'model':
        return this.#modelItem(row.model);
      case 'action': {
        const item = new vscode.TreeItem(row.title);
        item.iconPath = new vscode.ThemeIcon(row.icon);
        item.command = { command: row.command, title: row.title };
        item.contextValue = 'action';
        return item;
      }
      default:
        return row satisfies never;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #rows({ status, list, advice }: CatalogueState): Row[] {
    const groups = list ? modelGroups(list.models) : [];
    const isSmall = (list?.models.length ?? 0) <= unfoldedModels;
    const rows: Row[] = groups.map(({ name, models, isForChat }) => ({
      kind: 'group',
      name,
      models,
      isFolded: !isForChat || !isSmall,
    }));
    if (status !== 'failed' || advice === undefined) {
      return rows;
    }
    const retry: Row = { kind: 'action', title: 'Retry', command: 'askModel.refreshModels', icon: 'refresh' };
    const remedies: Partial<Record<AdviceAction, Row>> = {
      replaceKey: { kind: 'action', title: 'Replace Key…', command: 'askModel.replaceKey', icon: 'key' },
      editAddress: { kind: 'action', title: 'Change Address…', command: 'askModel.editAddress', icon: 'link' },
      checkConnection: {
        kind: 'action',
        title: 'Check Connection',
        command: 'askModel.checkConnection',
        icon: 'pulse',
      },
    };
    const remedy = remedies[advice.action];
    return [...(remedy ? [remedy] : []), retry, ...rows];
  }

  #modelItem(model: Model): vscode.TreeItem {
    const isDefault = model.id === this.#catalogue.defaultModel;
    const item = new vscode.TreeItem(model.id);
    const facts = [model.contextTokens && contextText(model.contextTokens), isDefault && 'default'].filter(Boolean);
    item.id = `model ${model.id}`;
    item.description = facts.join(' · ');
    item.contextValue = isDefault ? 'model.default' : 'model';
    item.iconPath = new vscode.ThemeIcon(isDefault ? 'pass-filled' : 'circle-small');
    item.tooltip = tooltipOf(model);
    item.accessibilityInformation = { label: [model.id, model.vendor, ...facts].join(', ') };
    return item;
  }

  /** The line above the rows, and the key of the welcome views. */
  #describe({ status, connection, list, readAt, problem, advice }: CatalogueState): void {
    const isEmpty = status === 'ready' && list?.models.length === 0;
    const shown = isEmpty ? 'empty' : status;
    if (shown !== this.#shownState) {
      this.#shownState = shown;
      void vscode.commands.executeCommand('setContext', 'askModel.state', shown);
    }
    const counted =
      list && readAt !== undefined && list.models.length > 0
        ? `${connection?.name} · ${list.models.length} models · ${timeText(readAt)}`
        : undefined;
    if (status === 'failed' && problem && advice) {
      const { title, remedy } = advice;
      const words = problem.words ? ` ${hostOf(connection)} says: “${problem.words}”` : '';
      this.#tree.message = `${title}. ${remedy}${words}${counted ? `\n${counted}` : ''}`;
    } else {
      // A message hides the welcome views, so there is none when one of them is due.
      this.#tree.message = counted ?? '';
    }
  }
}

function hostOf(connection: CatalogueState['connection']): string {
  return connection ? new URL(connection.url.base).host : 'The gateway';
}

/** `128K`, `1M`: short enough for a description. */
function contextText(tokens: number): string {
  return tokens >= 1_000_000
    ? `${Number((tokens / 1_000_000).toFixed(1))}M`
    : tokens >= 1_000
      ? `${Math.round(tokens / 1_000)}K`
      : String(tokens);
}

function timeText(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** Plain text: what a gateway writes about a model is not ours to render. */
function tooltipOf(model: Model): string {
  return [
    model.id,
    model.title,
    model.description,
    model.contextTokens && `Context: ${model.contextTokens.toLocaleString('en-US')} tokens`,
  ]
    .filter(Boolean)
    .join('\n');
}
