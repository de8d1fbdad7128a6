import * as vscode from 'vscode';
import { dayStart } from '../../core/base/dayStart.ts';
import { Emitter, type Event } from '../../core/base/lifetime.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { Catalogue, type CataloguePorts, fingerprinted } from '../../core/models/catalogue/catalogue.ts';
import type { ModelLists } from '../../core/models/catalogue/storedList.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { type PriceOf, type PriceSourcePorts, PriceSources } from '../../core/usage/prices/prices.ts';
import type { LazyTree } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import { modelPricing, watchOwnPrices } from './modelPricing.ts';
import { ModelDetails, ModelsView } from './modelsView.ts';
import { findModel, pickModel } from './pickModel.ts';

type ModelsPorts = {
  readonly connections: Connections;
  readonly unchecked: UncheckedConnections;
  readonly listModels: CataloguePorts['listModels'];
  /** Fires with the address of each request that a gateway answered. */
  readonly onDidAnswer: Event<string>;
  /** Fires when requests may take another route, or a route was accepted. */
  readonly onDidChangeRoutes: Event<void>;
  /** The stored lists. */
  readonly lists: ModelLists;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
  readonly readPriceList: PriceSourcePorts['readPriceList'];
  readonly ledger: () => Pick<Ledger, 'calls'>;
  readonly tree: LazyTree;
};

/** How far back the person's own calls are counted. The texts name it. */
const countedDays = 30;

/** The models of the connection in use, their views, and the functions to pick one. */
export type OpenedModels = ReturnType<typeof openModels>;

/** Builds the catalogue of models and its list in the side bar. */
export function openModels(shared: SharedPorts, ports: ModelsPorts) {
  const { store, log, clock, remembered } = shared;
  const { connections, unchecked, listModels, lists, fingerprint } = ports;
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
  store.add(
    ports.onDidAnswer((url) => {
      catalogue.answered(url).catch((error) => log.defect('The list of models', error));
    }),
  );
  store.add(connections.onDidChangeDestination(() => catalogue.forget()));
  store.add(ports.onDidChangeRoutes(() => catalogue.state.status === 'keyInClear' && catalogue.forget()));
  // Another window may have changed the choices in the meantime.
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && catalogue.reread()));
  store.add(
    connections.onDidRemove(({ id }) => {
      lists.remove(id).catch((error) => log.defect('Data of a removed connection could not be deleted', error));
    }),
  );
  const didChangePrices = store.add(new Emitter<void>());
  const onPrices = () => didChangePrices.fire();
  const sources = openPrices(shared, ports, catalogue, watchOwnPrices(shared, onPrices), onPrices);
  const pricing = modelPricing({
    sources,
    connections,
    recentCalls: (id) => ports.ledger().calls(id, dayStart(clock.now(), -countedDays)),
    onDidChange: didChangePrices.event,
    onDefect: (error) => log.defect('The usage data could not be read', error),
  });
  const view = store.add(new ModelsView(catalogue, connections, unchecked, log, ports.tree, pricing));
  const details = store.add(new ModelDetails(catalogue));
  return {
    catalogue,
    view,
    details,
    pricing,
    /** Finds the prices of a connection's models, after reading what is needed for one of them; see `PriceSources`. */
    pricesOf: async (connectionId: string, model: string) => {
      await sources.loadFor(connectionId, model);
      return sources.pricesOf(connectionId);
    },
    /** The prices of a model as known now. Without a price, starts reading what is not known yet. */
    priceNow: (connectionId: string, model: string) => {
      const prices = sources.pricesOf(connectionId)(model);
      if (prices === undefined) {
        void sources.load(connectionId);
      }
      return prices;
    },
    /** Lets the person pick a model; see `pickModel`. */
    pickModel: (title?: string, otherThan?: string, value?: string) =>
      pickModel(catalogue, pricing, title, otherThan, value),
    findModel: () => findModel(catalogue, pricing, view),
  };
}

/** Builds what knows the prices of all connections. They follow the list of models in use and the permissions. */
function openPrices(
  { store, log }: SharedPorts,
  { connections, lists, fingerprint, readPriceList }: ModelsPorts,
  catalogue: Catalogue,
  statedPrice: PriceOf,
  onRead: () => void,
): PriceSources {
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
    readPriceList,
    statedPrice,
    onRead,
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
  store.add(
    connections.onDidChange(() => {
      sources.refresh();
      load();
    }),
  );
  return sources;
}
