import type { Fault, FaultContext } from '../fault.ts';
import { hostOf, schemeOf } from '../network/exchange.ts';
import { answer, html, page, send } from './cannedAnswer.ts';

/** Returns the path of a request, with its fault prefix and the query `moved`. */
function movedPath({ request }: FaultContext['exchange']): string {
  return `${request.url?.replace(/\?.*$/, '') ?? '/'}?moved`;
}

/** Answers of another kind than requested: web pages, redirects, wrong content types, empty bodies. */
export const strayAnswerFaults: readonly Fault[] = [
  answer('html-502', 'Q47', '502 with a web page', {
    status: 502,
    type: html,
    body: page('502 Bad Gateway', 'nginx'),
  }),
  {
    ...answer('html-504', 'Q48', '504 with a web page; the model ran all the same and the call is charged', {
      status: 504,
      type: html,
      body: page('504 Gateway Time-out', 'nginx'),
    }),
    isCharged: true,
  },
  answer('headers-too-large', 'Q49', '431 with a web page', {
    status: 431,
    type: html,
    body: page('400 Request Header Or Cookie Too Large', 'nginx'),
  }),
  answer('proxy-407', 'Q67', '407 with the page of a proxy that wants a name and a password', {
    status: 407,
    type: html,
    headers: { 'proxy-authenticate': 'Basic realm="proxy", Negotiate' },
    body: page('407 Proxy Authentication Required', 'The proxy wants to know who you are.'),
  }),
  {
    ...answer('html-524', 'Q48', '524 with a Cloudflare page; the model ran all the same and the call is charged', {
      status: 524,
      type: html,
      headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' },
      body: page('524: A timeout occurred', 'The origin did not answer in time.'),
    }),
    isCharged: true,
  },
  answer('html-413', 'Q49', '413 with a web page', {
    status: 413,
    type: html,
    body: page('413 Request Entity Too Large', 'nginx'),
  }),
  answer('html-200', 'Q53', 'a web page under 200', {
    status: 200,
    type: html,
    body: page('Welcome', 'You need to enable JavaScript to run this app.'),
  }),
  answer('blocked', 'Q79', '403 with a Cloudflare page', {
    status: 403,
    type: html,
    headers: { 'cf-ray': '8a1b2c3d4e5f-FRA' },
    body: page('Access denied | Cloudflare', 'Error 1010: the owner has banned your access.'),
  }),
  answer('captive-portal', 'Q80', '302 to the sign-in page of a network', {
    status: 302,
    headers: { location: 'http://sign-in.invalid/portal' },
    type: html,
    body: page('Sign in', 'Sign in to this network.'),
  }),
  { ...answer('empty-200', 'Q25', '200 with no bytes; the call is charged', { status: 200 }), isCharged: true },
  {
    ...answer(
      'empty-stream-200',
      'Q25',
      'an event stream of no bytes under 200; the call is charged',
      { status: 200, body: '', type: 'text/event-stream' },
      'chat',
    ),
    isCharged: true,
  },
  {
    name: 'json-for-stream',
    quirk: 'Q23',
    about: 'one JSON body although a stream was asked for',
    on: 'chat',
    isStream: false,
  },
  {
    name: 'stream-for-plain',
    quirk: 'Q24',
    about: 'a stream although one body was asked for',
    on: 'chat',
    isStream: true,
  },
  {
    name: 'stream-labelled-json',
    quirk: 'Q21',
    about: 'the stream is labelled application/json',
    on: 'chat',
    isStream: true,
    headers: { 'content-type': 'application/json' },
  },
  {
    name: 'stream-labelled-text',
    quirk: 'Q21',
    about: 'the stream is labelled text/plain',
    on: 'chat',
    isStream: true,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  },
  {
    name: 'stream-unlabelled',
    quirk: 'Q21',
    about: 'the stream has no content type',
    on: 'chat',
    isStream: true,
    headers: { 'content-type': null },
  },
  {
    name: 'json-unlabelled',
    quirk: 'Q21',
    about: 'one JSON body without a content type',
    on: 'both',
    isStream: false,
    headers: { 'content-type': null },
  },
  {
    name: 'json-octet-stream',
    quirk: 'Q21',
    about: 'one JSON body labelled application/octet-stream',
    on: 'both',
    isStream: false,
    headers: { 'content-type': 'application/octet-stream' },
  },
  {
    name: 'json-labelled-stream',
    quirk: 'Q22',
    about: 'one JSON body labelled text/event-stream',
    on: 'chat',
    isStream: false,
    headers: { 'content-type': 'text/event-stream' },
  },
  {
    name: 'good-under-500',
    quirk: 'Q37',
    about: 'a whole, good answer under status 500, which is a success',
    on: 'both',
    status: 500,
  },
  answer(
    'redirect-foreign',
    'Q60',
    '307 to another origin, which records what it gets',
    ({ exchange, foreignOrigin }) => ({
      status: 307,
      headers: { location: `${foreignOrigin}${exchange.url.pathname}` },
    }),
  ),
  answer('redirect-foreign-301', 'Q60', '301 to another origin, which records what it gets', (context) => ({
    status: 301,
    headers: { location: `${context.foreignOrigin}${context.exchange.url.pathname}` },
  })),
  answer('redirect-other-scheme', 'Q60', '308 to the same host by https, or by http from https', ({ exchange }) => {
    const scheme = schemeOf(exchange.request) === 'http' ? 'https' : 'http';
    return { status: 308, headers: { location: `${scheme}://${hostOf(exchange.request)}${exchange.url.pathname}` } };
  }),
  answer('redirect-nowhere', 'Q60', '307 without a location', { status: 307 }),
  answer('redirect-post-303', 'Q61', '303 to the same origin, which turns a POST into a GET', ({ exchange }) => ({
    status: 303,
    headers: { location: movedPath(exchange) },
  })),
  answer('redirect-post-301', 'Q61', '301 to the same origin, which turns a POST into a GET', ({ exchange }) => ({
    status: 301,
    headers: { location: movedPath(exchange) },
  })),
  {
    name: 'redirect-same-origin',
    quirk: 'Q60',
    about: '307 to the same origin once, then the answer',
    on: 'both',
    instead: (context) => {
      if (!context.exchange.url.searchParams.has('moved')) {
        send(context, { status: 307, headers: { location: movedPath(context.exchange) } });
      }
    },
  },
  answer('redirect-loop', 'Q60', '307 to itself, for ever', ({ exchange }) => ({
    status: 307,
    headers: { location: exchange.request.url ?? '/' },
  })),
];
