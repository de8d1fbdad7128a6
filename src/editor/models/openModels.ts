import * as vscode from 'vscode';
import type { Event } from '../../core/base/lifetime.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { Catalogue, type CataloguePorts } from '../../core/models/catalogue/catalogue.ts';
import { shownModels } from '../../core/models/catalogue/shownGroups.ts';
import type { ModelLists } from '../../core/models/catalogue/storedList.ts';
import type { KnownPrices, PriceOf } from '../../core/usage/prices/prices.ts';
import type { LazyTree } from '../ui/lazyTree.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { ModelDetails } from './modelDetails.ts';
import { ModelsView } from './modelsView.ts';
import { findModel, pickModel } from './pickModel.ts';

export type ModelsPorts = SharedPorts & {
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
  readonly tree: LazyTree;
};

/** The models of the connection in use, their views, and the functions to pick one. */
export type OpenedModels = {
  readonly catalogue: Catalogue;
  readonly view: ModelsView;
  readonly details: ModelDetails;
  /** Finds the prices that the gateway of a connection states; only those of the connection in use are known. */
  readonly pricesOf: (connectionId: string) => Promise<PriceOf>;
  /** As `pricesOf`, with what is known now. */
  readonly priceNow: (connectionId: string, model: string) => KnownPrices | undefined;
  /**
   * Lets the person pick a model.
   *
   * @param otherThan exact id of the model that the pick is to replace.
   * @returns the exact id; undefined when the person cancelled.
   */
  readonly pickModel: (title?: string, otherThan?: string) => Promise<string | undefined>;
  /** Runs *Ask a Specific Model*. @returns the exact id of the picked model; undefined when none was picked. */
  readonly findModel: () => Promise<string | undefined>;
};

/** Builds the catalogue of models and its list in the side bar. */
export function openModels(ports: ModelsPorts): OpenedModels {
  const { store, log, clock, remembered, connections, unchecked, listModels, lists, fingerprint } = ports;
  const catalogue = store.add(
    new Catalogue({
      findDestination: () => connections.findDestination(),
      connectionId: () => connections.active?.id,
      listModels,
      advise: async (problem, { url }) => {
        const { advice } = await import('../../core/errors/advice.ts');
        return advice(problem, { host: new URL(url.base).host });
      },
      clock,
      stored: {
        lists,
        fingerprint,
        onFailure: (error) => log.defect('A list of models could not be stored or read', error),
      },
      memory: {
        read: (id) => remembered.models(id),
        write: (id, choices) => remembered.setModels(id, choices),
      },
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
  const view = store.add(new ModelsView(catalogue, connections, unchecked, log, ports.tree));
  const details = store.add(new ModelDetails(catalogue));
  return {
    catalogue,
    view,
    details,
    pricesOf: async (connectionId) => {
      if (catalogue.state.list === undefined) {
        await catalogue.load();
      }
      const isInUse = catalogue.state.connection?.id === connectionId;
      return (model) => (isInUse ? listedPrices(catalogue, model) : undefined);
    },
    priceNow: (connectionId, model) =>
      catalogue.state.connection?.id === connectionId ? listedPrices(catalogue, model) : undefined,
    pickModel: (title, otherThan) => pickModel(catalogue, title, otherThan),
    findModel: () => findModel(catalogue, view),
  };
}

function listedPrices(catalogue: Catalogue, id: string): KnownPrices | undefined {
  const prices = shownModels(catalogue).get(id)?.model?.prices;
  return prices && { ...prices, source: 'listed' };
}
