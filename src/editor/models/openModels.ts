import * as vscode from 'vscode';
import type { Event } from '../../core/base/lifetime.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { UncheckedConnections } from '../../core/connections/uncheckedConnections.ts';
import { Catalogue, type CataloguePorts } from '../../core/models/catalogue/catalogue.ts';
import type { ModelLists } from '../../core/models/catalogue/storedList.ts';
import type { LazyTree } from '../ui/lazyTree.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import { ModelDetails } from './modelDetails.ts';
import { ModelsView } from './modelsView.ts';

export type ModelsPorts = SharedPorts & {
  readonly connections: Connections;
  readonly unchecked: UncheckedConnections;
  readonly listModels: CataloguePorts['listModels'];
  /** Fires with the address of a request that a gateway answered. */
  readonly onDidAnswer: Event<string>;
  /** Requests may take another route from now on, or a route was accepted. */
  readonly onDidChangeRoutes: Event<void>;
  /** Where lists are kept; loaded with the first of them. */
  readonly lists: () => Promise<ModelLists>;
  /** A keyed hash of a text: it names a key without telling it. */
  readonly fingerprint: (text: string) => Promise<string>;
  readonly tree: LazyTree;
};

/** The models of the connection in use, where they are shown and how a person picks one. */
export type OpenedModels = {
  readonly catalogue: Catalogue;
  readonly view: ModelsView;
  readonly details: ModelDetails;
  /**
   * Lets the person pick a model, another one than `than` when that is named. @returns its exact id; undefined when they
   * left.
   */
  readonly pickModel: (title?: string, than?: string) => Promise<string | undefined>;
  /** *Find a Model*. @returns the exact id of the one that was picked. */
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
      kept: {
        lists,
        fingerprint,
        onFailure: (error) => log.defect('A list of models could not be kept or read', error),
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
  // Another window may have chosen favourites meanwhile.
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && catalogue.reread()));
  store.add(
    connections.onDidRemove(({ id }) => {
      lists()
        .then((kept) => kept.remove(id))
        .catch((error) => log.defect('Something of a removed connection stayed behind', error));
    }),
  );
  const view = store.add(new ModelsView(catalogue, connections, unchecked, log, ports.tree));
  const details = store.add(new ModelDetails(catalogue));
  return {
    catalogue,
    view,
    details,
    pickModel: async (title, than) => (await import('./pickModel.ts')).pickModel(catalogue, title, than),
    findModel: async () => (await import('./pickModel.ts')).findModel(catalogue, view),
  };
}
