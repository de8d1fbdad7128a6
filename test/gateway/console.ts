import * as z from 'zod';
import type { Account, KeyOptions, KeyRecord } from './account.ts';
import { catalogue, groups } from './catalogue.ts';
import { chooseFault } from './faultTable.ts';
import type { Settings } from './gateway.ts';
import { type Exchange, Refusal, readBody, sendRefusal } from './http.ts';

/** Answers a request to the console: pages made on the server and forms, no script. */
export async function answerConsole(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response, url } = exchange;
  const { account } = settings;
  const [, part = '', id = '', action] = url.pathname.split('/');
  const key = account.keyById(id);
  const show = (title: string, body: string, status?: number) => sendPage(exchange, title, body, status);
  const goTo = (path: string) => response.writeHead(303, { location: path }).end();
  try {
    const body = request.method === 'POST' ? ((await readBody(request)) ?? '') : '';
    const form = new URLSearchParams(body);
    switch (`${request.method} /${[part, id && (key ? ':id' : id), action].filter(Boolean).join('/')}`) {
      case 'GET /':
      case 'GET /keys':
        return show('Keys', keysPage(account, `http://${request.headers.host}/v1`));
      case 'POST /keys': {
        const isJson = request.headers['content-type']?.startsWith('application/json') === true;
        const { record, value } = account.createKey(
          reading(() => (isJson ? readKey(JSON.parse(body)) : readForm(form))),
        );
        if (isJson) {
          response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' });
          response.end(JSON.stringify({ id: record.id, name: record.name, value, groups: record.groups }));
          return;
        }
        const words = html`<p>This is the value of <b>${record.name}</b>. Copy it now: it is not shown again.</p>`;
        return show('Key created', words + html`<p><code>${value}</code></p>`);
      }
      case 'GET /keys/:id':
        return show(`Key ${key?.name}`, keyForm(key));
      case 'POST /keys/:id':
        account.changeKey(
          id,
          reading(() => readForm(form, key)),
        );
        return void goTo('/keys');
      case 'GET /wallet':
        return show('Wallet', walletPage(account));
      case 'POST /wallet':
        account.setWallet(account.walletMicroUsd + reading(() => Math.round(1e6 * topUp.parse(form.get('amountUsd')))));
        return void goTo('/wallet');
      // The catalogue and the log also have the paths that they have on sites of the new-api family.
      case 'GET /catalogue':
      case 'GET /pricing':
        return show('Catalogue', cataloguePage());
      case 'GET /usage':
      case 'GET /usage-logs':
        return show('Usage', usagePage(account));
      default:
        throw new Refusal(404, 'unknown_url', `Invalid URL (${request.method} ${url.pathname}).`);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
    if (request.headers.accept?.includes('text/html')) {
      return show('That did not work', html`<p>${error.message}</p>`, error.status);
    }
    sendRefusal(exchange, error);
  }
}

const topUp = z.coerce.number().min(0.01).max(10_000);

const keyOptions = z.strictObject({
  name: z.string().trim().min(1).max(80),
  groups: z.array(z.enum(groups)).default([...groups]),
  quotaMicroUsd: z.number().int().nonnegative().nullable().default(null),
  expiresAt: z.number().nullable().default(null),
  fault: z.string().nullable().default(null),
  isDisabled: z.boolean().default(false),
});

/** Returns what `read` reads; throws a Refusal with the reason of its error. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Refusal(400, 'invalid_value', message);
  }
}

function readKey(value: unknown): KeyOptions {
  const options = keyOptions.parse(value);
  if (options.fault !== null) {
    chooseFault(options.fault);
  }
  return options;
}

/** Reads the form of a key. One that changes a key has no name. */
function readForm(form: URLSearchParams, key?: KeyRecord): KeyOptions {
  const [quotaUsd, expiresOn, fault] = ['quotaUsd', 'expiresOn', 'fault'].map((name) => form.get(name)?.trim() ?? '');
  return readKey({
    name: key?.name ?? form.get('name') ?? '',
    groups: form.getAll('groups'),
    quotaMicroUsd: quotaUsd ? Math.round(Number(quotaUsd) * 1e6) : null,
    expiresAt: expiresOn ? Date.parse(`${expiresOn}T23:59:59.999Z`) : null,
    fault: fault || null,
    isDisabled: form.has('isDisabled'),
  });
}

/** Escapes what is inserted; the markup of `markup` stays. */
function html(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const escaped = values.map((value) => String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`));
  return String.raw({ raw: texts }, ...escaped);
}

const formTo = (path: string, fields: string) => `${html`<form method="post" action="${path}">`}${fields}</form>`;

function keysPage({ keys }: Account, baseUrl: string): string {
  const rows = keys.map((key) => [
    html`<a href="/keys/${key.id}">${key.name}</a>`,
    `sk-…${key.lastFour}`,
    key.groups.join(', ') || 'none',
    key.expiresAt === null ? 'for ever' : timeText(key.expiresAt),
    key.quotaMicroUsd === null ? 'no limit' : usd(key.quotaMicroUsd),
    usd(key.usedMicroUsd),
    key.isDisabled ? 'disabled' : '',
  ]);
  const headings = ['Name', 'Key', 'Groups', 'Valid until (UTC)', 'Quota', 'Used', ''];
  const about = html`<p>A model-access service on this machine. Its models are scripts; nothing here costs money. A client
needs a key and the base URL <code>${baseUrl}</code>, or <code>${baseUrl.replace(/\/v1$/, '/fault/NAME/v1')}</code> for one
fault of real gateways, such as <code>slow</code>.</p>`;
  return `${about}${table(headings, rows)}<h2>New key</h2>${keyForm(undefined)}`;
}

function keyForm(key: KeyRecord | undefined): string {
  const boxes = groups.map((group) => {
    const checked = (key?.groups ?? groups).includes(group) ? 'checked' : '';
    return html`<label><input type="checkbox" name="groups" value="${group}" ${checked}> ${group}</label> `;
  });
  const first =
    key === undefined
      ? '<label>Name <input name="name" maxlength="80" required></label>'
      : `<label><input type="checkbox" name="isDisabled" ${key.isDisabled ? 'checked' : ''}> Disabled</label>`;
  const expiresOn = key?.expiresAt ? timeText(key.expiresAt).slice(0, 10) : '';
  const quotaUsd = typeof key?.quotaMicroUsd === 'number' ? key.quotaMicroUsd / 1e6 : '';
  return formTo(
    key === undefined ? '/keys' : `/keys/${key.id}`,
    `<p>${first}</p><p>Groups ${boxes.join('')}</p>
${html`<p><label>Valid until the end of (UTC; empty: for ever) <input name="expiresOn" type="date" value="${expiresOn}"></label></p>
<p><label>Quota in USD (empty: no limit) <input name="quotaUsd" type="number" min="0" step="0.000001" value="${quotaUsd}"></label></p>
<p><label>Fault of every call (empty: none) <input name="fault" value="${key?.fault ?? ''}"></label></p>`}<button>Save</button>`,
  );
}

function walletPage({ walletMicroUsd }: Account): string {
  const box = '<input name="amountUsd" type="number" min="0.01" max="10000" step="0.01" value="5" required>';
  return html`<p>Balance: ${usd(walletMicroUsd)}</p>` + formTo('/wallet', `${box} USD <button>Top up</button>`);
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
