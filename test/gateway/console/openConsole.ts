import type { KeyRecord } from '../accountState.ts';
import { type Exchange, readBody } from '../network/exchange.ts';
import { Refusal, sendRefusal } from '../refusal.ts';
import type { Settings } from '../settings.ts';
import { cataloguePage, homePage, usagePage, walletPage } from './accountPages.ts';
import { readKeyForm, readKeyJson, readTopUp } from './forms.ts';
import { guardConsole } from './guard.ts';
import { type Html, html } from './html.ts';
import { createdKeyPage, keyPage, keysPage } from './keyPages.ts';
import { page } from './page.ts';
import { style } from './style.ts';

const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`: with it browsers send `Origin: null` on the console's own forms.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Creates the console: server-rendered pages and forms, no script. New key values stay in memory until shown once. */
export function openConsole(settings: Settings): (exchange: Exchange) => Promise<void> {
  const unshownValues = new Map<string, string>();
  return async (exchange) => {
    const { request, response } = exchange;
    for (const [name, value] of Object.entries(securityHeaders)) {
      response.setHeader(name, value);
    }
    try {
      guardConsole(request);
      const body = request.method === 'POST' ? ((await readBody(request, 64 * 1024)) ?? '') : '';
      if (request.method === 'POST') {
        change(exchange, body, settings, unshownValues);
      } else if (request.method === 'GET' || request.method === 'HEAD') {
        show(exchange, settings, unshownValues);
      } else {
        throw new Refusal(405, 'method_not_allowed', 'The console takes GET and POST.');
      }
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error;
      }
      if (request.headers.accept?.includes('text/html') === true) {
        const back = html`<p class="warn">${error.message}</p><p><a href="/">Home</a></p>`;
        sendPage(exchange, error.status, 'That did not work', '', back);
      } else {
        sendRefusal(exchange, error, false);
      }
    }
  };
}

function show(exchange: Exchange, settings: Settings, unshownValues: Map<string, string>): void {
  const { account, now } = settings;
  const { pathname } = exchange.url;
  const baseUrl = `http://${exchange.request.headers.host}/v1`;
  // The catalogue and the log also have the paths that they have on sites of the new-api family.
  if (pathname === '/console.css') {
    exchange.response.setHeader('content-type', 'text/css; charset=utf-8');
    exchange.response.end(style);
  } else if (pathname === '/') {
    sendPage(exchange, 200, 'Home', '/', homePage(account, baseUrl, settings.upstream !== undefined));
  } else if (pathname === '/keys') {
    sendPage(exchange, 200, 'Keys', '/keys', keysPage(account.keys, now()));
  } else if (pathname === '/wallet') {
    sendPage(exchange, 200, 'Wallet', '/wallet', walletPage(account));
  } else if (pathname === '/catalogue' || pathname === '/pricing') {
    sendPage(exchange, 200, 'Catalogue', '/catalogue', cataloguePage());
  } else if (pathname === '/usage' || pathname === '/usage-logs') {
    sendPage(exchange, 200, 'Usage', '/usage', usagePage(account));
  } else {
    const { key, action } = keyAt(exchange, settings);
    if (action === 'created') {
      const created = createdKeyPage(key, unshownValues.get(key.id), baseUrl);
      unshownValues.delete(key.id);
      sendPage(exchange, 200, 'Key created', '/keys', created);
    } else if (action === undefined) {
      sendPage(exchange, 200, `Key ${key.name}`, '/keys', keyPage(key, now()));
    } else {
      throw notFound(exchange);
    }
  }
}

function change(exchange: Exchange, body: string, settings: Settings, unshownValues: Map<string, string>): void {
  const { account } = settings;
  const { pathname } = exchange.url;
  const { headers } = exchange.request;
  if (pathname === '/keys' && headers['content-type']?.startsWith('application/json') === true) {
    const { record, value } = account.createKey(readKeyJson(body));
    const { id, name, groups, quotaMicroUsd, expiresAt } = record;
    exchange.response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' });
    exchange.response.end(JSON.stringify({ id, name, value, groups, quotaMicroUsd, expiresAt }));
    return;
  }
  const form = new URLSearchParams(body);
  if (pathname === '/keys') {
    const { record, value } = account.createKey(readKeyForm(form));
    unshownValues.set(record.id, value);
    redirect(exchange, `/keys/${record.id}/created`);
  } else if (pathname === '/wallet') {
    account.topUp(readTopUp(form));
    redirect(exchange, '/wallet');
  } else {
    const { key, action } = keyAt(exchange, settings);
    changeKey(exchange, key, action, form, settings);
  }
}

function changeKey(
  exchange: Exchange,
  key: KeyRecord,
  action: string | undefined,
  form: URLSearchParams,
  { account }: Settings,
): void {
  if (action === undefined) {
    const { groups, quotaMicroUsd = null, expiresAt = null, fault = null, errorsAs200 } = readKeyForm(form, key);
    account.changeKey(key.id, {
      groups: [...groups],
      quotaMicroUsd,
      expiresAt,
      fault,
      errorsAs200: errorsAs200 ?? false,
    });
    redirect(exchange, `/keys/${key.id}`);
  } else if (action === 'disable' || action === 'enable') {
    account.changeKey(key.id, { isDisabled: action === 'disable' });
    redirect(exchange, `/keys/${key.id}`);
  } else if (action === 'delete') {
    account.deleteKey(key.id);
    redirect(exchange, '/keys');
  } else {
    throw notFound(exchange);
  }
}

/** Returns the key that a path names (`/keys/<id>` or `/keys/<id>/<action>`); throws a Refusal when there is none. */
function keyAt(exchange: Exchange, { account }: Settings): { key: KeyRecord; action: string | undefined } {
  const match = /^\/keys\/([\w-]+)(?:\/(\w+))?$/.exec(exchange.url.pathname);
  const key = match?.[1] === undefined ? undefined : account.keyById(match[1]);
  if (key === undefined) {
    throw notFound(exchange);
  }
  return { key, action: match?.[2] };
}

function notFound({ request, url }: Exchange): Refusal {
  return new Refusal(404, 'unknown_url', `Invalid URL (${request.method} ${url.pathname}). API paths start with /v1.`);
}

function redirect({ response }: Exchange, path: string): void {
  response.writeHead(303, { location: path });
  response.end();
}

function sendPage({ response }: Exchange, status: number, title: string, here: string, body: Html): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page(title, here, body));
}
