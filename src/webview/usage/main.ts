/** Entry point of the page of the usage view: draws the documents of the host, and posts what the person chooses. */
import '../page/page.css';
import './usage.css';
import type { UsageAction, UsageDocument } from '../../core/usage/view/usageDocument.ts';
import { UsagePage } from './page.ts';

declare function acquireVsCodeApi(): {
  postMessage(action: UsageAction): void;
  setState(state: unknown): void;
};

const host = acquireVsCodeApi();
const app = document.getElementById('app');

addEventListener('error', ({ error }) => {
  host.postMessage({ type: 'broken', message: `The usage view hit a bug: ${error?.stack ?? error}`.slice(0, 4_000) });
});

if (app !== null) {
  const page = new UsagePage(app, (action) => host.postMessage(action));
  addEventListener('message', ({ data }: MessageEvent<UsageDocument>) => {
    host.setState(data.choice);
    page.show(data);
  });
  host.postMessage({ type: 'ready' });
}
