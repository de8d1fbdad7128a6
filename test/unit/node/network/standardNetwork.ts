import { defaultNetworkSettings } from '../../../../src/core/network/networkSettings.ts';
import { openNetwork } from '../../../../src/node/network/undiciTransport.ts';

/** The network of a VS Code with its default settings, and the environment of this process. */
export const { send, close } = openNetwork(() => defaultNetworkSettings, process.env);
