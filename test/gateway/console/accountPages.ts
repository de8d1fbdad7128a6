import type { Account } from '../account.ts';
import { formatUsd } from '../chat/metering.ts';
import { catalogue } from '../models/catalogue.ts';
import { type Html, html } from './html.ts';
import { table, timeText } from './page.ts';

/** The number of lines on the usage page; the log itself has more. */
const shownUsage = 500;

/** The home page: what this is, how to connect, and the state of the account. */
export function homePage(account: Account, baseUrl: string, isForwarding: boolean): Html {
  const spent = account.usage.reduce((sum, entry) => sum + entry.costMicroUsd, 0);
  return html`
<p>A model-access service on this machine. ${isForwarding ? 'It forwards to a real service, which may charge for every call.' : 'Its models are scripts and say so; nothing here costs money.'}</p>
<div class="cards">
<div class="card"><span class="soft">Wallet</span><b>${formatUsd(account.walletMicroUsd)}</b></div>
<div class="card"><span class="soft">Charged in the usage log</span><b>${formatUsd(spent)}</b></div>
<div class="card"><span class="soft">Chat requests</span><b>${account.postCount}</b></div>
<div class="card"><span class="soft">Keys</span><b>${account.keys.length}</b></div>
</div>
<h2>Connect</h2>
<ol>
<li><a href="/keys">Create a key</a> and copy it; it is shown once.</li>
<li>Give the client the base URL <code>${baseUrl}</code> and the key.</li>
<li>Choose a model: <a href="/catalogue">the catalogue</a> has ids and prices.</li>
</ol>
<p class="soft">A base URL <code>${baseUrl.replace(/\/v1$/, '/fault/NAME/v1')}</code> shows one fault of real gateways, such as <code>slow</code>, <code>stalled</code> or <code>cut-mid-stream</code>.</p>`;
}

/** The wallet: balance and top-up. */
export function walletPage(account: Account): Html {
  return html`
<div class="cards"><div class="card"><span class="soft">Balance</span><b>${formatUsd(account.walletMicroUsd)}</b></div></div>
<h2>Top up</h2>
<form class="panel" method="post" action="/wallet">
<label>Amount in USD <input name="amountUsd" type="number" min="0.01" max="10000" step="0.01" value="5" required></label>
<button class="main">Top up</button>
<p class="soft">No money moves: this is a wallet for trying things.</p>
</form>`;
}

/** The catalogue with current prices. */
export function cataloguePage(): Html {
  const rows = catalogue.map((model) => [
    html`<code>${model.id}</code>`,
    model.title,
    model.vendor,
    model.kind,
    formatUsd(model.inputNanoUsd * 1000),
    formatUsd(model.outputNanoUsd * 1000),
    model.contextTokens.toLocaleString('en-US'),
    model.groups.join(', '),
  ]);
  const headings = ['Id', 'Title', 'Vendor', 'Kind', '#Input / 1M tokens', '#Output / 1M tokens', '#Context', 'Groups'];
  return html`<p class="soft">A request names the id, never the title. Prices are in USD and this gateway's own.</p>
${table(headings, rows, 'No models.')}`;
}

/** The usage log, newest first. */
export function usagePage(account: Account): Html {
  const newest = account.usage.slice(-shownUsage).toReversed();
  const rows = newest.map((entry) => [
    timeText(entry.time),
    entry.keyName,
    html`<code>${entry.model}</code>`,
    entry.promptTokens,
    entry.completionTokens,
    formatUsd(entry.costMicroUsd),
    html`<span class="${entry.state === 'ok' ? 'good' : 'warn'}">${entry.state}${entry.code === null ? '' : `: ${entry.code}`}</span>`,
    entry.isStream ? 'stream' : 'plain',
    html`<code>${entry.requestId}</code>`,
  ]);
  const headings = ['Time (UTC)', 'Key', 'Model', '#Prompt', '#Completion', '#Cost', 'State', 'Reply', 'Request id'];
  return html`<p>${account.postCount} chat requests in all${newest.length < account.usage.length && `; the newest ${newest.length} are shown`}.
One line each, whatever became of it; a refused one costs nothing.</p>
${table(headings, rows, 'No chat request yet.')}`;
}
