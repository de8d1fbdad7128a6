import type { Webview } from 'vscode';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import type { CatalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelParts.ts';
import { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import { ComparisonLayout } from '../../../../src/editor/panel/panelView.ts';
import type { HostMessage } from '../../../../src/protocol/protocol.ts';
import { AccountsFixture } from '../../core/account/accountsFixture.ts';
import type { Scene } from '../../core/chat/sending/chatScene.ts';
import { openLedger } from '../../core/usage/memoryLedger.ts';

const onDidChange = () => ({ dispose: () => undefined });

/** A list without models, in which nothing was chosen. */
const noModels: CatalogueView = { choices: noChoices, newIds: new Set() };

/** The updates of a conversation's page. @param onMessage gets each message; a page that is gone rejects it. */
export function openUpdates(
  { chat, clock }: Scene,
  onMessage: (message: HostMessage) => Promise<boolean>,
  onDefect: (where: string) => void,
  layout = new ComparisonLayout(),
  { accounts } = new AccountsFixture(),
  active?: Connection,
  { ledger } = openLedger(),
  isLockedElsewhere = async () => false,
): PanelUpdates {
  const parts = {
    shared: { clock, log: { defect: onDefect } },
    gateways: {
      catalogue: { onDidChange, view: noModels },
      connections: { active, all: active ? [active] : [], onDidChange },
      accounts,
      costs: { price: () => undefined, tokenFactor: () => 1, onDidChange },
      ledger: () => ledger,
    },
    store: { isLockedElsewhere },
    changes: { onDidChange, blocks: [{ replyId: 'a1', block: 0 }] },
  } as unknown as PanelParts;
  return new PanelUpdates(
    { postMessage: onMessage } as unknown as Webview,
    chat,
    layout,
    { model: 'm', compared: [] },
    parts,
  );
}
