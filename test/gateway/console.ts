import * as z from 'zod';
import type { Account, KeyOptions, KeyRecord } from './account.ts';
import { catalogue, groups } from './catalogue.ts';
import { chooseFault, faults } from './faultTable.ts';
import type { Settings } from './gateway.ts';
import { type Exchange, originOf, Refusal, readBody, sendRefusal } from './http.ts';

/** Answers a request to the console: pages made on the server and forms, no script. */
export async function answerConsole(exchange: Exchange, settings: Settings): Promise<void> {
  const { request, response, url } = exchange;
  const { account } = settings;
  const [, part, id, action] = url.pathname.split('/');
  const key = part === 'keys' && id !== undefined ? account.keyById(id) : undefined;
  try {
    requireOwnPage(request);
    const body = request.method === 'POST' ? ((await readBody(request)) ?? '') : '';
    const isJson = request.headers['content-type']?.startsWith('application/json') === true;
    const form = new URLSearchParams(body);
    const isKnown = key !== undefined || id === undefined;
    const route = isKnown && `${request.method} /${[part, id && ':id', action].filter(Boolean).join('/')}`;
    switch (route) {
      case 'GET /':
        return sendPage(exchange, 'Home', homePage(settings, `http://${request.headers.host}/v1`));
      case 'GET /keys':
        return sendPage(exchange, 'Keys', keysPage(account, settings.now()));
      case 'POST /keys': {
        const { record, value } = account.createKey(isJson ? readJson(body) : readForm(form));
        if (isJson) {
          const { name, groups: open, quotaMicroUsd, expiresAt } = record;
          const made = { id: record.id, name, value, groups: open, quotaMicroUsd, expiresAt };
          response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(made));
          return;
        }
        const words = html`<p>This is the value of <b>${record.name}</b>. Copy it now: it is not shown again.</p>`;
        return sendPage(exchange, 'Key created', words + html`<p><code>${value}</code></p>`);
      }
      case 'GET /keys/:id':
        return sendPage(exchange, `Key ${key?.name}`, keyForm(key) + deleteForm(key));
      case 'POST /keys/:id':
        account.changeKey(key?.id ?? '', readForm(form, key));
        return redirect(exchange, '/keys');
      case 'POST /keys/:id/delete':
        account.deleteKey(key?.id ?? '');
        return redirect(exchange, '/keys');
      case 'GET /wallet':
        return sendPage(exchange, 'Wallet', walletPage(account));
      case 'POST /wallet':
        account.setWallet(account.walletMicroUsd + readTopUp(form));
        return redirect(exchange, '/wallet');
      // The catalogue and the log also have the paths that they have on sites of the new-api family.
      case 'GET /catalogue':
      case 'GET /pricing':
        return sendPage(exchange, 'Catalogue', cataloguePage());
      case 'GET /usage':
      case 'GET /usage-logs':
        return sendPage(exchange, 'Usage', usagePage(account));
      default: {
        const words = `Invalid URL (${request.method} ${url.pathname}). API paths start with /v1.`;
        throw new Refusal(404, 'unknown_url', words);
      }
    }
  } catch (error) {
    if (error instanceof Refusal && request.headers.accept?.includes('text/html')) {
      sendPage(exchange, 'That did not work', html`<p>${error.message}</p>`, error.status);
    } else if (error instanceof Refusal) {
      sendRefusal(exchange, error, false);
    } else {
      throw error;
    }
  }
}

/**
 * Throws a Refusal unless the Host is a loopback name of this machine, so that a page whose name was rebound to
 * 127.0.0.1 can't read anything. A POST must come from the console's own pages, or have the header `x-console: 1`,
 * which a page of another origin can't send without a preflight request.
 */
function requireOwnPage(request: Exchange['request']): void {
  const { scheme, host } = originOf(request);
  const port = request.socket.localPort;
  if (![`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host)) {
    throw new Refusal(403, 'foreign_host', 'The console answers on the loopback address only.');
  }
  const { origin } = request.headers;
  const isOwn = origin === undefined ? request.headers['x-console'] === '1' : origin === `${scheme}://${host}`;
  if (request.method === 'POST' && !isOwn) {
    throw new Refusal(403, 'foreign_origin', 'The console takes changes from its own pages only.');
  }
}

const faultName = z.string().superRefine((text, issue) => {
  try {
    chooseFault(text);
  } catch (error) {
    issue.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

const keyOptions = z.strictObject({
  name: z.string().trim().min(1).max(80),
  groups: z.array(z.enum(groups)).default([...groups]),
  quotaMicroUsd: z.number().int().nonnegative().nullable().default(null),
  expiresAt: z.number().nullable().default(null),
  fault: faultName.nullable().default(null),
  isDisabled: z.boolean().default(false),
});

const topUp = z.coerce.number().min(0.01).max(10_000);

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') || 'The form';
    throw new Refusal(400, 'invalid_value', `${field}: ${issue?.message ?? 'unusable'}`);
  }
  return parsed.data;
}

function readJson(text: string): KeyOptions {
  try {
    return parse(keyOptions, JSON.parse(text));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'invalid_json', 'The request body is not valid JSON.');
  }
}

/** Reads the form of a key. One that changes a key has no name. */
function readForm(form: URLSearchParams, key?: KeyRecord): KeyOptions {
  const [quotaUsd, expiresOn, fault] = ['quotaUsd', 'expiresOn', 'fault'].map((name) => form.get(name)?.trim() ?? '');
  return parse(keyOptions, {
    name: key?.name ?? form.get('name') ?? '',
    groups: form.getAll('groups'),
    quotaMicroUsd: quotaUsd ? Math.round(Number(quotaUsd) * 1e6) : null,
    expiresAt: expiresOn ? Date.parse(`${expiresOn}T23:59:59.999Z`) : null,
    fault: fault || null,
    isDisabled: form.has('isDisabled'),
  });
}

function readTopUp(form: URLSearchParams): number {
  return Math.round(parse(topUp, form.get('amountUsd')) * 1e6);
}

/** Escapes what is inserted; the markup of `markup` stays. */
function html(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const escaped = values.map((value) => String(value).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`));
  return String.raw({ raw: texts }, ...escaped);
}

function homePage({ account, upstream }: Settings, baseUrl: string): string {
  const about =
    upstream === undefined
      ? 'Its models are scripts and say so; nothing here costs money.'
      : 'It forwards to a real service, which may charge for every call.';
  const spent = account.usage.reduce((sum, entry) => sum + entry.costMicroUsd, 0);
  return html`<p>A model-access service on this machine. ${about}</p>
<p>Wallet ${usd(account.walletMicroUsd)}, charged ${usd(spent)}, ${account.postCount} chat requests, ${account.keys.length} keys.</p>
<ol>
<li><a href="/keys">Create a key</a> and copy it; it is shown once.</li>
<li>Give the client the base URL <code>${baseUrl}</code> and the key.</li>
<li>Choose a model: <a href="/catalogue">the catalogue</a> has ids and prices.</li>
</ol>
<p>A base URL <code>${baseUrl.replace(/\/v1$/, '/fault/NAME/v1')}</code> shows one fault of real gateways, such as <code>slow</code>, <code>stalled</code> or <code>cut-mid-stream</code>.</p>`;
}

function keysPage({ keys }: Account, now: number): string {
  const rows = keys.map((key) => [
    html`<a href="/keys/${key.id}">${key.name}</a>`,
    html`<code>sk-…${key.lastFour}</code>`,
    html`${key.groups.join(', ') || 'none'}`,
    key.expiresAt === null ? 'for ever' : timeText(key.expiresAt),
    key.quotaMicroUsd === null ? 'no limit' : usd(key.quotaMicroUsd),
    usd(key.usedMicroUsd),
    condition(key, now),
  ]);
  const headings = ['Name', 'Key', 'Groups', 'Valid until (UTC)', 'Quota', 'Used', 'Condition'];
  return `${table(headings, rows)}<h2>New key</h2>${keyForm(undefined)}`;
}

function condition(key: KeyRecord, now: number): string {
  const isUsedUp = key.quotaMicroUsd !== null && key.usedMicroUsd >= key.quotaMicroUsd;
  const isExpired = key.expiresAt !== null && key.expiresAt <= now;
  return key.isDisabled ? 'disabled' : isExpired ? 'expired' : isUsedUp ? 'quota used up' : 'good';
}

function keyForm(key: KeyRecord | undefined): string {
  const boxes = groups.map((group) => {
    const checked = (key?.groups ?? groups).includes(group) ? 'checked' : '';
    return html`<label><input type="checkbox" name="groups" value="${group}" ${checked}> ${group}</label>`;
  });
  const name = '<label>Name <input name="name" maxlength="80" required></label>';
  const disabled = `<label><input type="checkbox" name="isDisabled" ${key?.isDisabled ? 'checked' : ''}> Disabled</label>`;
  const expiresOn = key?.expiresAt ? timeText(key.expiresAt).slice(0, 10) : '';
  const quotaUsd = key?.quotaMicroUsd === undefined || key.quotaMicroUsd === null ? '' : key.quotaMicroUsd / 1e6;
  const options = faults.map((fault) => html`<option value="${fault.name}">${fault.about}</option>`).join('');
  return `${html`<form method="post" action="/keys${key === undefined ? '' : `/${key.id}`}">`}
${key === undefined ? name : disabled}<p>Groups ${boxes.join('')}</p>
${html`<label>Valid until the end of (UTC; empty: for ever) <input name="expiresOn" type="date" value="${expiresOn}"></label>
<label>Quota in USD (empty: no limit) <input name="quotaUsd" type="number" min="0" step="0.000001" value="${quotaUsd}"></label>
<label>Fault of every call (empty: none) <input name="fault" value="${key?.fault ?? ''}" list="faults"></label>`}
<datalist id="faults">${options}</datalist>
<button>${key === undefined ? 'Create key' : 'Save'}</button></form>`;
}

function deleteForm(key: KeyRecord | undefined): string {
  const about = 'Clients that use this key stop working. Its lines stay in the usage log.';
  return html`<form method="post" action="/keys/${key?.id ?? ''}/delete"><p>${about}</p><button>Delete this key</button></form>`;
}

function walletPage({ walletMicroUsd }: Account): string {
  return html`<p>Balance: ${usd(walletMicroUsd)}</p>
<form method="post" action="/wallet">
<label>Amount in USD <input name="amountUsd" type="number" min="0.01" max="10000" step="0.01" value="5" required></label>
<button>Top up</button> No money moves: this is a wallet for trying things.
</form>`;
}

function cataloguePage(): string {
  const rows = catalogue.map((model) => [
    `<code>${model.id}</code>`,
    model.title,
    model.vendor,
    model.kind,
    usd(model.inputNanoUsd * 1000),
    usd(model.outputNanoUsd * 1000),
    model.contextTokens.toLocaleString('en-US'),
    model.groups.join(', '),
  ]);
  const headings = ['Id', 'Title', 'Vendor', 'Kind', 'Input / 1M tokens', 'Output / 1M tokens', 'Context', 'Groups'];
  return `<p>A request names the id, never the title. Prices are in USD and this gateway's own.</p>${table(headings, rows)}`;
}

/** The newest 500 lines of the usage log, newest first. */
function usagePage({ usage, postCount }: Account): string {
  const rows = usage
    .slice(-500)
    .toReversed()
    .map((entry) => [
      timeText(entry.time),
      html`${entry.keyName}`,
      html`<code>${entry.model}</code>`,
      entry.promptTokens,
      entry.completionTokens,
      usd(entry.costMicroUsd),
      entry.code === null ? entry.state : `${entry.state}: ${entry.code}`,
      entry.isStream ? 'stream' : 'plain',
      `<code>${entry.requestId}</code>`,
    ]);
  const headings = ['Time (UTC)', 'Key', 'Model', 'Prompt', 'Completion', 'Cost', 'State', 'Reply', 'Request id'];
  return `<p>${postCount} chat requests in all. One line each, whatever became of it.</p>${table(headings, rows)}`;
}

function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const row = (cells: readonly (string | number)[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>\n`;
  return `<table>${row(headings, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`;
}

/** Formats `1234567` micro-USD as `$1.234567`. */
function usd(microUsd: number): string {
  const [whole, fraction = ''] = (Math.abs(microUsd) / 1e6).toFixed(6).split('.');
  return `${microUsd < 0 ? '-' : ''}$${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}

function timeText(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function redirect({ response }: Exchange, path: string): void {
  response.writeHead(303, { location: path }).end();
}

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
nav a { margin-right: 1em; } th, td { text-align: left; padding: .2em .8em; } form { display: grid; gap: .8em; justify-items: start; }`;

function sendPage({ response }: Exchange, title: string, body: string, status = 200): void {
  const links = ['Home', 'Keys', 'Wallet', 'Catalogue', 'Usage'].map(
    (name) => `<a href="/${name === 'Home' ? '' : name.toLowerCase()}">${name}</a>`,
  );
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
${html`<title>${title} – Local gateway</title>`}<style>${style}</style>
<nav>${links.join('')}</nav><h1>${html`${title}`}</h1>
${body}</html>`);
}
