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

/** Opens what the tests of a suite need, and closes it after them. */
export type SuiteOpener = {
  /** Makes a temporary folder. */
  folder(name: string): string;
  gateway(options: GatewayOptions): Promise<Gateway>;
  /** Opens a workbench with the extension in it. */
  workbench(options: WorkbenchOptions): Promise<Workbench>;
  connected(options: ConnectedOptions): Promise<ConnectedWorkbench>;
  /** Adds a function that closes something that the suite has opened itself. */
  ends(end: () => unknown): void;
};

/**
 * Call this first in a suite. What was opened is closed after the tests in reverse order, even when something else
 * could not be opened. A test that fails saves a screenshot of the workbench.
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
