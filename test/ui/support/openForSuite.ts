import { after } from 'node:test';
import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';
import { makeTemporary, removeTemporary } from '../../vscode/temporary.ts';
import type { Workbench, WorkbenchOptions } from '../../vscode/workbench.ts';
import {
  type ConnectedOptions,
  type ConnectedWorkbench,
  openConnected,
  openWithExtension,
} from './connectedWorkbench.ts';
import { pictureFailures } from './pictureFailures.ts';

/** Opens what the tests of a suite use, and ends it after them. */
export type SuiteOpener = {
  /** Makes a temporary folder. */
  folder(name: string): string;
  gateway(options: GatewayOptions): Promise<Gateway>;
  /** Opens a workbench with the extension in it. */
  workbench(options: WorkbenchOptions): Promise<Workbench>;
  connected(options: ConnectedOptions): Promise<ConnectedWorkbench>;
  /** For what the suite opens by itself. */
  ends(end: () => unknown): void;
};

/**
 * To be called first in a suite. What is opened is ended after the tests, last in, first out, also when something else
 * could not be opened; a test that fails leaves a picture of the workbench.
 */
export function openForSuite(): SuiteOpener {
  const opened = new AsyncDisposableStack();
  let workbench: Workbench | undefined;
  pictureFailures(() => workbench);
  after(() => opened.disposeAsync());
  const ends = (end: () => unknown) => opened.defer(async () => void (await end()));
  return {
    ends,
    folder(name) {
      const folder = makeTemporary(name);
      ends(() => removeTemporary(folder));
      return folder;
    },
    async gateway(options) {
      const gateway = await startGateway(options);
      ends(() => gateway.close());
      return gateway;
    },
    async workbench(options) {
      const one = await openWithExtension(options);
      ends(() => one.dispose());
      workbench = one;
      return one;
    },
    async connected(options) {
      const connected = await openConnected(options);
      ends(() => connected.dispose());
      ({ workbench } = connected);
      return connected;
    },
  };
}
