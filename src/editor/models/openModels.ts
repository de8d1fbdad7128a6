import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import { dayStart } from '../../core/base/dayStart.ts';
import { Emitter } from '../../core/base/lifetime.ts';
import { amountOf } from '../../core/base/loose.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { Catalogue, type CataloguePorts, fingerprinted } from '../../core/models/catalogue/catalogue.ts';
import type { ModelLists } from '../../core/models/catalogue/storedList.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { PriceSources } from '../../core/usage/prices/prices.ts';
import type { LazyTree } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import { modelPricing, watchOwnPrices } from './modelPricing.ts';
import { ModelsView } from './modelsView.ts';
import { pickModel } from './pickModel.ts';

/** How far back the person's own calls are counted. */
const countedDays = 30;

/** The models of the connection in use, their views, and the functions to pick one. */
export type OpenedModels = ReturnType<typeof openModels>;

/**
 * Builds the catalogue of models and its list in the side bar.
 *
 * @param lists the stored lists.
 * @param fingerprint a keyed hash of a text, which identifies a key without revealing it.
 */
export function openModels(
  shared: SharedPorts,
  connections: Connections,
  accounts: Accounts,
  listModels: CataloguePorts['listModels'],
  ledger: () => Pick<Ledger, 'calls'>,
  lists: ModelLists,
  fingerprint: (text: string) => Promise<string>,
  tree: LazyTree,
) {
  const { store, log, clock, remembered } = shared;
  const catalogue = store.add(
    new Catalogue({
      findDestination: () => connections.findDestination(),
      connectionId: () => connections.active?.id,
      listModels,
      clock,
      lists,
      fingerprint,
      onFailure: (error) => log.defect('A list of models could not be stored or read', error),
      memory: remembered.ofConnections('models'),
    }),
  );
  store.add(connections.onDidChangeDestination(() => catalogue.forget()));
  // Another window may have changed the choices in the meantime.
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && catalogue.reread()));
  store.add(
    connections.onDidRemove(({ id }) => {
      lists.remove(id).catch((error) => log.defect('Data of a removed connection could not be deleted', error));
    }),
  );
  const didChangePrices = store.add(new Emitter<void>());
  const onPrices = () => didChangePrices.fire();
  const groupRatio = remembered.ofConnections('groupRatio');
  const sources = new PriceSources({
    addressOf: (id) => connections.find(id)?.url.base,
    readList: async (id) => {
      if (connections.active?.id === id) {
        // Prices are looked for often. A list that could not be read is read again only where its models are shown.
        if (catalogue.state.status !== 'failed') {
          await catalogue.load();
        }
        const { connection, list } = catalogue.state;
        return connection?.id === id ? list : undefined;
      }
      const connection = connections.find(id);
      const destination = connection && (await connections.destinationOf(connection));
      return destination?.status === 'ready'
        ? (await lists.read(id, await fingerprint(fingerprinted(destination))))?.list
        : undefined;
    },
    readPriceList: (id) => accounts.prices(id, () => amountOf(groupRatio.read(id))),
    statedPrice: watchOwnPrices(store, onPrices),
    onRead: onPrices,
    onDefect: (error) => log.defect('Prices could not be read', error),
  });
  const load = () => {
    const { connection, list, status } = catalogue.state;
    if (connection && list) {
      sources.setList(connection.id, list);
    }
    if (connection && status === 'ready') {
      void sources.load(connection.id);
    }
  };
  store.add(catalogue.onDidChange(load));
  // Keys and permissions may have changed.
  store.add(connections.onDidChange(load));
  const recentCalls = (id: string) =>
    ledger()
      .calls(id, dayStart(clock.now(), -countedDays))
      .catch((error: unknown) => {
        log.defect('The usage data could not be read', error);
        return [];
      });
  const pricing = modelPricing(sources, connections, recentCalls, didChangePrices.event);
  const view = store.add(new ModelsView(catalogue, connections, log, tree, pricing));
  return {
    catalogue,
    view,
    pricing,
    /** Finds the prices of a connection's models, after reading what isn't known yet. */
    pricesOf: async (connectionId: string, model: string) => {
      await sources.load(connectionId, model);
      return sources.pricesOf(connectionId);
    },
    /** The prices of a model as known now. Without a price, starts reading what is not known yet. */
    priceNow: (connectionId: string, model: string) => {
      const prices = sources.pricesOf(connectionId)(model);
      if (prices === undefined) {
        void sources.load(connectionId, model);
      }
      return prices;
    },
    /** Lets the person pick a model; see `pickModel`. */
    pickModel: (title?: string, otherThan?: string, value?: string) =>
      pickModel(catalogue, pricing, title, otherThan, value),
    /** *Ask a Specific Model*, where the typed words can also become the filter of the side bar. */
    findModel: () =>
      pickModel(catalogue, pricing, l10n.t('Ask a Specific Model'), undefined, view.filter, (text) => {
        view.setFilter(text);
        void vscode.commands.executeCommand('askModel.models.focus');
      }),
  };
}
