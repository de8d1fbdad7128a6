import { createServer, request, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { listenOnLoopback } from '../../gateway/network/listenOnLoopback.ts';

/**
 * Gives each webview its own site, `<hash>.localhost`, as vscode.dev and the desktop do. The offline VS Code serves
 * webviews from its own origin, so the browser would run panel and workbench on one thread.
 */
export class WebviewSite {
  readonly #server: Server;
  #workbench: URL | undefined;
  #port = 0;

  constructor() {
    this.#server = createServer((incoming, response) => {
      const { hostname, port, host } = this.#workbench ?? { hostname: '127.0.0.1', port: 0, host: '' };
      const { method, url: path } = incoming;
      const onward = request({ hostname, port, method, path, headers: { host } }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    });
  }

  /** @returns the source of frames that the workbench must allow. */
  async listen(): Promise<string> {
    this.#port = await listenOnLoopback(this.#server, 0);
    return `http://*.localhost:${this.#port}`;
  }

  /** Makes the workbench load its webviews from here after its next load. */
  async serve(page: Page): Promise<void> {
    this.#workbench = new URL(page.url());
    await page.addInitScript((port) => {
      if (window !== window.top) {
        return;
      }
      const changeConfiguration = () => {
        const meta = document.getElementById('vscode-workbench-web-configuration');
        if (meta === null) {
          return;
        }
        observer.disconnect();
        const { webviewEndpoint, productConfiguration, ...settings } = JSON.parse(meta.dataset.settings ?? '{}');
        const { pathname } = new URL(webviewEndpoint, location.href);
        const webviewContentExternalBaseUrlTemplate = `http://{{uuid}}.localhost:${port}${pathname}/`;
        const product = { ...productConfiguration, webviewContentExternalBaseUrlTemplate };
        meta.dataset.settings = JSON.stringify({ ...settings, productConfiguration: product });
      };
      // Change it before the workbench's own script reads it.
      const observer = new MutationObserver(changeConfiguration);
      observer.observe(document, { childList: true, subtree: true });
    }, this.#port);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
