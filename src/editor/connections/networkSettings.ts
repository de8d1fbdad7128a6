import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { textsIn } from '../../core/base/loose.ts';
import type { NetworkSettings } from '../../core/network/route.ts';

const ownId = 'ask-model.ask-model';
/**
 * VS Code also returns the value of the local machine, though its types don't say so. It is needed when the extension
 * runs locally in the window of a remote machine: the global value may then come from that machine, where a
 * repository's dev container can write it.
 */
const localValue = z.object({ globalLocalValue: z.optional(z.unknown()) });

/**
 * Reads the user values of the network settings of VS Code and of this extension. Values of a workspace are not read:
 * they could send a key through a foreign proxy. A value of the wrong type counts as not set.
 */
export function networkSettings(): NetworkSettings {
  const configuration = vscode.workspace.getConfiguration();
  const isLocalInRemote =
    vscode.env.remoteName !== undefined &&
    vscode.extensions.getExtension(ownId)?.extensionKind === vscode.ExtensionKind.UI;
  const read = (name: string) => {
    const values = configuration.inspect<unknown>(name);
    const own = isLocalInRemote ? z.safeParse(localValue, values).data?.globalLocalValue : values?.globalValue;
    return own ?? values?.defaultValue;
  };
  const proxy = read('http.proxy');
  const authorization = read('http.proxyAuthorization');
  return {
    transport: read('askModel.network.transport') === 'host' ? 'host' : 'undici',
    usesProxy: read('http.proxySupport') !== 'off',
    proxy: typeof proxy === 'string' ? proxy : '',
    proxyAuthorization: typeof authorization === 'string' && authorization !== '' ? authorization : undefined,
    noProxy: textsIn(read('http.noProxy')),
    proxyStrictSsl: read('http.proxyStrictSSL') !== false,
    systemCertificates: read('http.systemCertificates') !== false,
  };
}
