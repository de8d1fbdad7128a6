import { openNetwork } from '../../../../src/node/network/undiciTransport.ts';
import { defaultNetworkSettings } from '../../core/network/defaultNetworkSettings.ts';

/** The network with the default settings of VS Code and the environment of this process. */
export const { send, close } = openNetwork(() => defaultNetworkSettings, process.env);
