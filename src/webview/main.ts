/** Entry point of the webview: starts the panel, connects it to the host, and reports uncaught errors. */
import './page/page.css';
import './panel.css';
import './trouble.css';
import './composer.css';
import './narrow.css';
import './markdown.css';
import './code.css';
import './compared.css';
import { configureLocalization, estimatedTokensText } from '../core/base/localization.ts';
import { recordOf } from '../core/base/loose.ts';
import type { PanelMessage } from '../protocol/protocol.ts';
import { wrapLines } from './code/codeHeader.ts';
import { parseBlocks } from './markdown/markdownParse.ts';
import { Panel } from './panel.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const host = acquireVsCodeApi();
const post = (message: PanelMessage) => host.postMessage(message);

const reported = new Set<string>();

/** Reports an uncaught error by its name and stack frames. The error's message could quote a reply. */
function reportBroken(error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const message = [`The panel hit a bug: ${name}`, ...frames.slice(0, 12)].join('\n').slice(0, 4_000);
  // The same error may be thrown in every frame.
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
  const { conversation, texts } = app.dataset;
  if (texts !== undefined) {
    configureLocalization({ language: document.documentElement.lang, texts: JSON.parse(texts) });
    delete app.dataset.texts;
  }
  let state = recordOf(host.getState());
  const save = (more: typeof state) => {
    state = { ...state, ...more };
    host.setState(state);
  };
  let isUnused = conversation !== undefined;
  /** Saves which conversation this is. Without it, a reload of the window restores a new one. */
  const noteUse = () => {
    if (isUnused) {
      isUnused = false;
      save({ conversation });
    }
  };
  wrapLines(state.wrapsCode === true, (wrapsCode) => save({ wrapsCode }));
  new Panel(app, post, noteUse);
  // A page's first number format and its first Markdown take about 15 ms each, which would be noticeable at the first
  // key press and the first word of an answer.
  requestIdleCallback(() => estimatedTokensText(0));
  requestIdleCallback(() => parseBlocks('**a** `b` [c](https://d.example/e.ts)', true).map(({ node }) => node));
}
