import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Webview } from 'vscode';
import { fakeVSCode } from '../fakeVSCode.ts';

const opened: string[] = [];
Object.assign(globalThis, { openedByTest: opened });
// The part of VS Code that the imported files use.
const vscode = `data:text/javascript,
  export const env = { openExternal: async (uri) => { globalThis.openedByTest.push(uri); return true; } };
  export const window = { showWarningMessage: async () => undefined };
  export const Uri = { parse: (text) => text, joinPath: (base, name) => base + '/' + name };`;
fakeVSCode(import.meta, vscode);
const { openLink } = await import('../../../../src/editor/ui/messages.ts');
const { pageHtml } = await import('../../../../src/editor/ui/webviewPage.ts');

/** The HTML of the panel's page, without its nonces. */
function panelHtml(conversation: string): string {
  const webview = { cspSource: 'https://host.test', asWebviewUri: (uri: unknown) => uri };
  const page = { name: 'webview', title: 'Ask Model', data: { conversation }, allowed: [] } as const;
  const html = pageHtml(webview as unknown as Webview, 'https://host.test/dist' as never, page);
  return html.replaceAll(/nonce[-=]"?[^"'\s]+/g, '');
}

test('opens only http, https and mailto links, whatever the panel sends', async () => {
  const refused = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'command:workbench.action.quit',
    'Command:workbench.action.quit',
    'vscode:extension/a.b',
    'vscode://file/etc/passwd',
    'vscode-insiders://a.b/c',
    'vscode-webview://a/b',
    'file:///etc/passwd',
    'FILE://host/share',
    'blob:https://evil.test/1',
    'ftp://evil.test/',
    'about:blank',
    'tel:1',
    '//evil.test/x',
    '\\\\evil.test\\x',
    '/x',
    '#x',
    '',
    'https://',
    'http://[::1',
    '\0',
    '\uD800',
    '__proto__',
  ];
  for (const href of refused) {
    await openLink(href, () => false);
  }
  assert.deepEqual(opened, []);
  for (const href of [
    'https://example.com/a?b#c',
    'HTTP://Example.com',
    'mailto:a@example.com',
    'https://evil.test\u202E/',
  ]) {
    await openLink(href, () => false);
  }
  assert.deepEqual(opened.splice(0), ['https://example.com/a?b#c', 'http://example.com/', 'mailto:a@example.com']);
});

test('opens no address with a secret in it, and lets no page look up hosts before a click', async () => {
  await openLink('https://example.com/?q=hunter', (address) => address.includes('hunter'));
  assert.deepEqual(opened, []);
  assert.match(panelHtml(''), /<meta http-equiv="x-dns-prefetch-control" content="off">/);
});

test('escapes every id in the page of the panel', () => {
  const attribute = (id: string) => /data-conversation="([^"]*)"><\/main>/.exec(panelHtml(id))?.[1];
  assert.equal(attribute('0f-1e'), '0f-1e');
  for (const id of [
    '"><script>alert(1)</script>',
    '" onfocus="alert(1)" autofocus x="',
    '</main><img src=x onerror=alert(1)>',
    '&quot;><svg onload=alert(1)>',
    '\0',
    '%24{nonce}',
    '<!--',
  ]) {
    const value = attribute(id);
    assert.ok(value !== undefined && !/[<>"\0]/.test(value) && !/&(?!#\d+;)/.test(value), id);
    const read = value.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    assert.equal(read, id.replaceAll('\0', '\uFFFD'));
    assert.equal(panelHtml(id).replace(value, ''), panelHtml(''), 'the rest of the page is unchanged');
  }
});
