/** Starts the panel in the page the host made: one connection to the host, one picture, and a report if it breaks. */
import './panel.css';
import './trouble.css';
import './composer.css';
import './narrow.css';
import './markdown.css';
import './code.css';
import './compared.css';
import type { HostMessage, PanelMessage } from '../protocol.ts';
import { prepareMarkdown } from './markdown/prepareMarkdown.ts';
import { whenIdle } from './page/idle.ts';
import { Panel } from './panel.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const host = acquireVsCodeApi();
const post = (message: PanelMessage) => host.postMessage(message);

const reported = new Set<string>();

/** Reports a bug of the panel. Stack frames name our code alone; the message of an error could quote a reply. */
function reportBroken(error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const message = [`The panel hit a bug: ${name}`, ...frames.slice(0, 12)].join('\n').slice(0, 4_000);
  // The same bug may come back with every frame.
  if (reported.has(message) || reported.size > 20) {
    return;
  }
  reported.add(message);
  post({ type: 'broken', message });
}

addEventListener('error', (event) => reportBroken(event.error));
addEventListener('unhandledrejection', (event) => reportBroken(event.reason));

const app = document.getElementById('app');
if (app !== null) {
  const kept = host.getState();
  const isKept = typeof kept === 'object' && kept !== null;
  const { conversation } = app.dataset;
  let state = { ...(isKept && kept), ...(conversation !== undefined && { conversation }) };
  if (conversation !== undefined) {
    host.setState(state);
  }
  const panel = new Panel(app, post, {
    wrapsCode: isKept && 'wrapsCode' in kept && kept.wrapsCode === true,
    keepWrapsCode: (wrapsCode) => {
      state = { ...state, ...{ wrapsCode } };
      host.setState(state);
    },
  });
  addEventListener('message', (event: MessageEvent<HostMessage>) => panel.receive(event.data));
  post({ type: 'ready' });
  whenIdle(prepareMarkdown);
}
