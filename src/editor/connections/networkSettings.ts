import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Emitter } from '../../core/base/lifetime.ts';
import { defaultNetworkSettings, type NetworkSettings } from '../../core/network/networkSettings.ts';

const supports = ['off', 'on', 'fallback', 'override'] as const satisfies readonly NetworkSettings['proxySupport'][];

const ownId = 'ask-model.ask-model';
/**
 * Running on the person's machine in a window of a remote one, the global value may come from that machine, where a
 * repository's dev container can write it. VS Code gives the local one beside it, though its types do not say so.
 */
const localValue = z.object({ globalLocalValue: z.optional(z.unknown()) });

/** The settings as they stand, read again only after one of them changed: they are asked for at each request. */
export class WatchedNetworkSettings implements vscode.Disposable {
  #known: NetworkSettings | undefined;
  readonly #didChange = new Emitter<void>();
  readonly #watch = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('http') || event.affectsConfiguration('askModel.network')) {
      this.#known = undefined;
      this.#didChange.fire();
    }
  });
  /** The next request may take another route. */
  readonly onDidChange = this.#didChange.event;

  get current(): NetworkSettings {
    this.#known ??= readSettings();
    return this.#known;
  }

  dispose(): void {
    this.#watch.dispose();
    this.#didChange.dispose();
  }
}

/**
 * VS Code's own settings of the network, and ours, as the person set them. What a workspace says under these names is
 * not read: it could lead a key through a proxy of its own. What is of the wrong type counts as not set.
 */
function readSettings(): NetworkSettings {
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
  const noProxy = read('http.noProxy');
  const support = read('http.proxySupport');
  return {
    transport: read('askModel.network.transport') === 'host' ? 'host' : 'undici',
    proxySupport: supports.find((each) => each === support) ?? defaultNetworkSettings.proxySupport,
    proxy: typeof proxy === 'string' ? proxy : '',
    proxyAuthorization: typeof authorization === 'string' && authorization !== '' ? authorization : undefined,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((each): each is string => typeof each === 'string') : [],
    proxyStrictSsl: read('http.proxyStrictSSL') !== false,
    systemCertificates: read('http.systemCertificates') !== false,
  };
}
