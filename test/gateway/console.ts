import type { Account, KeyOptions } from './account.ts';
import { catalogue, groups } from './catalogue.ts';
import { chooseFault } from './faultTable.ts';
import type { Settings } from './gateway.ts';
import { type Exchange, readBody } from './http.ts';

/** Answers a request to the console: pages made on the server and a form, no script. */
export async function answerConsole(exchange: Exchange, { account }: Settings): Promise<void> {
  const { request, response, url } = exchange;
  const show = (title: string, body: string, status?: number) => sendPage(exchange, title, body, status);
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
    case 'GET /keys':
      return show('Keys', keysPage(account, `http://${request.headers.host}/v1`));
    case 'POST /keys': {
      let options: KeyOptions;
      try {
        options = readForm(new URLSearchParams(await readBody(request)));
      } catch (error) {
        return show('That did not work', html`<p>${(error as Error).message}</p>`, 400);
      }
      const { record, value } = account.createKey(options);
      if (request.headers.accept === 'application/json') {
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
        return;
      }
      const words = html`<p>This is the value of <b>${record.name}</b>. Copy it now: it is not shown again.</p>`;
      return show('Key created', words + html`<p><code>${value}</code></p>`);
    }
    case 'GET /wallet':
      return show('Wallet', html`<p>Balance: ${usd(account.walletMicroUsd)}</p>`);
    // The catalogue and the log also have the paths that they have on sites of the new-api family.
    case 'GET /catalogue':
    case 'GET /pricing':
      return show('Catalogue', cataloguePage());
    case 'GET /usage':
    case 'GET /usage-logs':
      return show('Usage', usagePage(account));
    default:
      show('That did not work', html`<p>Invalid URL (${request.method ?? ''} ${url.pathname}).</p>`, 404);
  }
}

/** Reads the form of a new key, which has all groups if it names none. @throws when its fault is none. */
function readForm(form: URLSearchParams): KeyOptions {
  const [name, quotaUsd, expiresOn, fault] = ['name', 'quotaUsd', 'expiresOn', 'fault'].map(
    (field) => form.get(field)?.trim() ?? '',
  );
  if (fault) {
    chooseFault(fault);
  }
  return {
    name: name || 'key',
    groups: groups.filter((group) => !form.has('groups') || form.getAll('groups').includes(group)),
    quotaMicroUsd: quotaUsd ? Math.round(Number(quotaUsd) * 1e6) : null,
    expiresAt: expiresOn ? Date.parse(`${expiresOn}T23:59:59.999Z`) : null,
    fault: fault || null,
  };
}

/** Escapes what is inserted; the markup of `markup` stays. */
function html(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const escaped = values.map((value) => String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`));
  return String.raw({ raw: texts }, ...escaped);
}

function keysPage({ keys }: Account, baseUrl: string): string {
  const rows = keys.map((key) => [
    html`${key.name}`,
    `sk-…${key.lastFour}`,
    key.groups.join(', ') || 'none',
    key.expiresAt === null ? 'for ever' : timeText(key.expiresAt),
    key.quotaMicroUsd === null ? 'no limit' : usd(key.quotaMicroUsd),
    usd(key.usedMicroUsd),
  ]);
  const headings = ['Name', 'Key', 'Groups', 'Valid until (UTC)', 'Quota', 'Used'];
  const about = html`<p>A model-access service on this machine. Its models are scripts; nothing here costs money. A client
needs a key and the base URL <code>${baseUrl}</code>, or <code>${baseUrl.replace(/\/v1$/, '/fault/NAME/v1')}</code> for one
fault of real gateways, such as <code>slow</code>.</p>`;
  return `${about}${table(headings, rows)}<h2>New key</h2>${keyForm()}`;
}

function keyForm(): string {
  const boxes = groups.map(
    (group) => html`<label><input type="checkbox" name="groups" value="${group}" checked> ${group}</label> `,
  );
  return `<form method="post" action="/keys"><p><label>Name <input name="name" maxlength="80" required></label></p>
<p>Groups ${boxes.join('')}</p>
<p><label>Valid until the end of (UTC; empty: for ever) <input name="expiresOn" type="date"></label></p>
<p><label>Quota in USD (empty: no limit) <input name="quotaUsd" type="number" min="0" step="0.000001"></label></p>
<p><label>Fault of every call (empty: none) <input name="fault"></label></p><button>Save</button></form>`;
}

function cataloguePage(): string {
  const rows = catalogue.map(({ inputNanoUsd, outputNanoUsd, groups: open, ...model }) => [
    ...[model.id, model.title, model.vendor, model.kind, usd(inputNanoUsd * 1000), usd(outputNanoUsd * 1000)],
    ...[model.contextTokens, open.join(', ')],
  ]);
  return table(['Id', 'Title', 'Vendor', 'Kind', 'Input / 1M', 'Output / 1M', 'Context', 'Groups'], rows);
}

/** The newest 500 lines of the usage log, newest first. */
function usagePage({ usage, postCount }: Account): string {
  const newest = usage.slice(-500).toReversed();
  const rows = newest.map(({ promptTokens, completionTokens, costMicroUsd, code, ...entry }) => [
    ...[timeText(entry.time), html`${entry.keyName}`, html`${entry.model}`, promptTokens, completionTokens],
    ...[usd(costMicroUsd), code === null ? entry.state : `${entry.state}: ${code}`, entry.requestId],
  ]);
  const headings = ['Time (UTC)', 'Key', 'Model', 'Prompt', 'Completion', 'Cost', 'State', 'Request id'];
  return `<p>${postCount} chat requests in all. One line each, whatever became of it.</p>${table(headings, rows)}`;
}

function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const row = (cells: readonly (string | number)[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>\n`;
  return `<table>${row(headings, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

/** Formats `1234567` micro-USD as `$1.234567`. */
function usd(microUsd: number): string {
  return `$${(microUsd / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

function timeText(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function sendPage({ response }: Exchange, title: string, body: string, status = 200): void {
  const links = ['keys', 'wallet', 'catalogue', 'usage'].map((name) => `<a href="/${name}">${name}</a> `);
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`<!DOCTYPE html><html lang="en"><meta charset="utf-8">${html`<title>${title} – Local gateway</title>`}
<style>:root { color-scheme: light dark; font-family: sans-serif } td, th { text-align: left; padding: .2em .8em }</style>
<nav>${links.join('')}</nav><h1>${html`${title}`}</h1>
${body}</html>`);
}
