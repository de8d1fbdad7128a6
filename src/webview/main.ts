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
import { parseBlocks } from './markdown/markdownParse.ts';
import { Panel, type PanelHost } from './panel.ts';

declare function acquireVsCodeApi(): PanelHost;

const host = acquireVsCodeApi();

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
  host.postMessage({ type: 'broken', message });
}

addEventListener('error', (event) => reportBroken(event.error));
addEventListener('unhandledrejection', (event) => reportBroken(event.reason));

const app = document.getElementById('app');
if (app !== null) {
  const { texts } = app.dataset;
  if (texts !== undefined) {
    configureLocalization({ language: document.documentElement.lang, texts: JSON.parse(texts) });
    delete app.dataset.texts;
  }
  new Panel(app, host);
  // A page's first number format and its first Markdown take about 15 ms each, which would be noticeable at the first
  // key press and the first word of an answer.
  requestIdleCallback(() => estimatedTokensText(0));
  requestIdleCallback(() => parseBlocks('**a** `b` [c](https://d.example/e.ts)', true).map(({ node }) => node));
}
