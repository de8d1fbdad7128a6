import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advice } from '../../../../src/core/errors/advice.ts';
import type { GatewayProblem, PageKind } from '../../../../src/core/errors/gatewayProblem.ts';

import { isHtmlLike, webPageProblem } from '../../../../src/core/errors/webPage.ts';
import { leastCpuMs } from '../base/cpuMs.ts';

const key = 'sk-Fixture0123456789key';
type Headers = Readonly<Record<string, string>>;

function problemOf(html: string, status = 200, headers: Headers = {}): GatewayProblem {
  return webPageProblem(html, { status, headers, secrets: [key], now: 0 });
}

/** A page with a title and a body, as short as one can be. */
const page = (title: string, body = '', head = '') =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
const app = '<div id="root"></div><script type="module" src="/assets/index-1a2b.js"></script>';
const filler = '<p>All about us.</p>'.repeat(300);

const pages: readonly (readonly [name: string, html: string, status: number, kind: PageKind])[] = [
  // Q53: the page of an application or a web server
  ['an application', page('New Gateway', app), 200, 'page'],
  ['an application that mentions signing in', page('New Gateway', `<a href="/login">Sign in</a>${app}`), 200, 'page'],
  [
    'an application behind Cloudflare',
    page('Gateway', `${app}<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`),
    200,
    'page',
  ],
  ['a page without a title', '<html><body>It works!</body></html>', 200, 'page'],
  ['a bare tag', '<p>hello', 200, 'page'],
  [
    'a web server’s 404',
    page('404 Not Found', '<center><h1>404 Not Found</h1></center><hr><center>nginx</center>'),
    404,
    'page',
  ],
  ['an XML document', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', 403, 'page'],
  [
    'a long page that sets its location',
    page('Shop', `${filler}<script>if (old) location.href="https://shop.example/new"</script>`),
    200,
    'page',
  ],
  // Q80: a login page
  ['a login form', page('Console', '<form><input name="user"><input type="password" name="pw"></form>'), 200, 'login'],
  ['a login under 401', page('Sign in · Gateway', app), 401, 'login'],
  ['a login in Chinese', page('用户登录 - 控制台', app), 200, 'login'],
  [
    'a heading that asks to sign in',
    page('Gateway', '<h1 class="x">Please sign in</h1><button>Go</button>'),
    200,
    'login',
  ],
  [
    'a form to a sign-in service',
    page('Working…', '<form method="post" action="https://login.microsoftonline.com/x/saml2">'),
    200,
    'login',
  ],
  [
    'a form with a SAML request',
    page('', '<form action="/x"><input type="hidden" name="SAMLRequest" value="abc"></form>'),
    200,
    'login',
  ],
  [
    'a page that leads to a sign-in service',
    page('', '', '<meta http-equiv="refresh" content="0;url=https://team.okta.com/start">'),
    200,
    'login',
  ],
  ['a search form', page('My gateway', '<form action="https://gw.example/search">'), 200, 'page'],
  // Q80: a portal of the network
  [
    'a portal by its WISPr parameters',
    page('Welcome', '<!-- <WISPAccessGatewayParam><Redirect></Redirect></WISPAccessGatewayParam> -->'),
    200,
    'login',
  ],
  [
    'a captive portal by name',
    page('Hotel', '<a href="http://captive.portal.example">Go on</a> captive portal'),
    200,
    'login',
  ],
  ['a guest network', page('Guest Network – Terms'), 200, 'login'],
  ['status 511 of RFC 6585', page('Please wait'), 511, 'login'],
  [
    'the page of a connectivity check',
    '<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>',
    200,
    'login',
  ],
  [
    'a page that leads elsewhere at once',
    page('', '', '<meta http-equiv=refresh content="0; URL=http://10.1.1.1:8080/start?mac=x">'),
    200,
    'login',
  ],
  [
    'a script that leads elsewhere at once',
    '<script>top.self.location.href="http://10.1.1.1/index?wlanuserip=x"</script>',
    200,
    'login',
  ],
  // A proxy or filter on the route
  ['a proxy that requires authentication', page('407 Proxy Authentication Required'), 403, 'proxy'],
  [
    'Squid',
    page('ERROR: The requested URL could not be retrieved', '<p>Generated Mon by proxy.team.example (squid/6.6)</p>'),
    403,
    'proxy',
  ],
  ['Squid that can’t reach the gateway', page('ERROR', '<div id="ERR_CONNECT_FAIL">'), 503, 'proxy'],
  ['a web filter', page('Web Page Blocked', '<h1>Web Page Blocked!</h1>'), 403, 'proxy'],
  ['a company’s filter', page('Internet Security by Zscaler', 'This category is not allowed.'), 403, 'proxy'],
];

for (const [name, html, status, kind] of pages) {
  test(`Q53 and Q80 classify ${name} as ${kind}`, () => {
    const problem = problemOf(html, status);
    assert.deepEqual([problem.kind, 'page' in problem ? problem.page : undefined], ['webPage', kind]);
    assert.deepEqual([problem.isPage, problem.status], [true, status]);
  });
}

const blocks: readonly (readonly [service: string | undefined, html: string, status: number, headers: Headers])[] = [
  ['Cloudflare', page('Just a moment...', '<script>window._cf_chl_opt={}</script>'), 403, { 'cf-ray': '8a1b-FRA' }],
  ['Cloudflare', page('Just a moment...'), 503, { 'cf-mitigated': 'challenge' }],
  ['Cloudflare', page('Attention Required! | Cloudflare', 'Cloudflare Ray ID: <strong>8a1b</strong>'), 403, {}],
  ['Cloudflare', page('Access denied', '<h1>Error <span>1020</span></h1> Ray ID: 8a1b • Cloudflare'), 403, {}],
  ['Cloudflare', page('Access denied', 'Error code: 1010 Cloudflare'), 200, {}],
  ['Cloudflare', page('Forbidden', 'no'), 403, { 'cf-ray': '8a1b-FRA' }],
  [undefined, page('Access Denied', '<H1>Access Denied</H1><P>Reference&#32;&#35;18&#46;2d3e'), 403, {}],
  [undefined, page('Access Denied', 'https://errors.edgesuite.net/18.2d3e'), 403, {}],
  [undefined, page('', '<iframe src="/_Incapsula_Resource?x=1">Request unsuccessful.'), 200, {}],
  [undefined, page('', '<script src="https://x.token.awswaf.com/challenge.js"></script>'), 202, {}],
  [undefined, page('ERROR', 'Request blocked. <pre>Generated by cloudfront (CloudFront)</pre>'), 403, {}],
  [undefined, page('Sucuri WebSite Firewall - Access Denied', 'Block ID: <b>GEO02</b>'), 403, {}],
  [undefined, page('Request Rejected', 'The requested URL was rejected. Your support ID is: 1234567890123'), 200, {}],
  [undefined, page('', '<h2>The request is blocked.</h2><div id="refid">20261101T000000Z-1a2b</div>'), 403, {}],
  [undefined, page('405', '<a href="https://errors.aliyun.com/x">很抱歉，您的访问被阻断</a>'), 405, {}],
  [undefined, page('网站防火墙', '您的请求带有不合法参数，已被网站管理员设置拦截！'), 403, {}],
  [undefined, page('Vercel Security Checkpoint'), 403, {}],
  [undefined, page('Not Acceptable!', 'An error was generated by Mod_Security.'), 406, {}],
];

for (const [service, html, status, headers] of blocks) {
  test(`Q79 recognises a block page: ${html.slice(70, 140).replaceAll('\n', ' ')}`, () => {
    const problem = problemOf(html, status, { 'x-request-id': 'r-1', ...headers });
    assert.ok(problem.kind === 'blocked', problem.kind);
    assert.deepEqual(
      [problem.service, problem.status, problem.isPage, problem.requestId],
      [service, status, true, 'r-1'],
    );
    const { title, remedy } = advice(problem, { host: 'gateway.example' });
    assert.equal(title, 'Request blocked');
    assert.ok(remedy.startsWith(service ?? 'A protection service'), remedy);
  });
}

test('goes by the status when it says more than the page (perplexityai/api-discussion#281)', () => {
  for (const [status, kind] of [
    [401, 'keyRejected'],
    [413, 'requestTooLarge'],
    [431, 'requestTooLarge'],
    [429, 'rateLimited'],
    [500, 'gatewayDown'],
    [502, 'gatewayDown'],
    [504, 'gatewayTimedOut'],
    [524, 'gatewayTimedOut'],
    [407, 'proxy'],
  ] as const) {
    assert.equal(problemOf(page('401 Authorization Required', '<hr><center>nginx</center>'), status).kind, kind);
  }
  for (const [html, status] of [
    [page('gateway.example | 522: Connection timed out', 'Cloudflare Ray ID: 8a1b2c3d4e5f6a7b'), 522],
    [page('Origin DNS error', 'Error 1016 Cloudflare'), 530],
    [
      page(
        'ERROR: The request could not be satisfied',
        'We can’t connect to the server. Generated by cloudfront (CloudFront)',
      ),
      502,
    ],
  ] as const) {
    assert.equal(problemOf(html, status, { 'cf-ray': 'r' }).kind, 'gatewayDown', html);
  }
  assert.equal(
    problemOf(page('Error 1015', 'Cloudflare: you are being rate limited'), 429, { 'cf-ray': 'r' }).kind,
    'rateLimited',
  );
});

test('explains each kind of page differently', () => {
  const said = (['page', 'login', 'proxy'] as const).map((kind) =>
    advice({ kind: 'webPage', page: kind }, { host: 'gateway.example' }),
  );
  assert.equal(new Set(said.map(({ title }) => title)).size, 3);
  for (const { remedy } of said) {
    assert.match(remedy, /gateway\.example/);
  }
  assert.match(advice({ kind: 'blocked' }, { host: 'h' }).remedy, /^A protection service/);
});

test('reads titles as a browser shows them, with character references resolved', () => {
  for (const [html, title] of [
    ['<title>A &amp; B &lt;c&gt;</title>', 'A & B <c>'],
    ['<TITLE lang=en>\n  Two\n  lines </TITLE>', 'Two lines'],
    ['<title>&#26080;&#x7ebf;</title>', '无线'],
    ['<title>&#0;&#99999999;&unknown;</title>', '&#99999999;&unknown;'],
    ['<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Pay first</Message></Error>', 'Pay first'],
    ['<title></title>', undefined],
    ['<p>no title', undefined],
  ] as const) {
    // The pattern takes `<c>` as the end of the title, although a browser doesn't.
    assert.equal(problemOf(html).words, title === 'A & B <c>' ? 'A & B' : title);
  }
});

test('Q57 shows no key, however a page spells it', () => {
  for (const spelled of [
    key,
    key.replace('-', '&#45;'),
    encodeURIComponent(key),
    key.replace(/./g, (unit) => `&#${unit.charCodeAt(0)};`),
  ]) {
    const problem = problemOf(page(`No ${spelled}`, `Incapsula ${key}`), 403, { 'cf-ray': key });
    assert.doesNotMatch(JSON.stringify(problem), /Fixture0123/);
  }
});

test('reads a page of several megabytes quickly', () => {
  for (const unit of [
    '<title>',
    '<input ',
    '<meta http-equiv=refresh ',
    '&#',
    'error ',
    '<title>access denied</title>',
    ' ',
  ]) {
    const html = `<html>${unit.repeat(Math.ceil(4_000_000 / unit.length))}`;
    const ms = leastCpuMs(500, () => {
      assert.ok(isHtmlLike(html));
      problemOf(html, 403);
    });
    assert.ok(ms < 500, `${unit}: ${ms} ms`);
  }
});

test('keeps the delay that a web server asks for with a page', () => {
  assert.deepEqual(problemOf(page('429 Too Many Requests'), 429, { 'retry-after': '20' }), {
    kind: 'rateLimited',
    status: 429,
    words: '429 Too Many Requests',
    isPage: true,
    retryAfterMs: 20_000,
  });
});
