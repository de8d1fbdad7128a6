/** Addresses that must never be opened, ways to disguise them, and the places where Markdown accepts an address. */

const run = 'window.pwned=1';
const evil = 'https://evil.test';

export const schemes: readonly string[] = [
  `javascript:${run}`,
  'vbscript:Execute("x")',
  `data:text/html,<script>parent.pwned=1</script>`,
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduZWQ9MTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg/onload=parent.pwned=1>',
  'command:workbench.action.terminal.new',
  'command:workbench.action.openSettings?%5B%22x%22%5D',
  'vscode:extension/evil.evil',
  'vscode://evil.evil/run',
  'vscode-insiders://evil.evil/run',
  'vscode-webview://evil/index.html',
  'vscode-resource://evil/x',
  'vscode-file://vscode-app/etc/passwd',
  'file:///etc/passwd',
  'file://evil.test/share/x',
  `blob:${evil}/0f0f0f0f`,
  `filesystem:${evil}/temporary/x`,
  `view-source:${evil}/`,
  'about:srcdoc',
  'chrome://settings',
  `jar:${evil}/x!/y`,
  'ftp://evil.test/x',
  'ws://evil.test/x',
  'tel:+100000000',
  'sms:+100000000',
  'ms-msdt:/id',
  'search-ms:query=x&crumb=location:\\\\evil.test',
  `intent://evil.test#Intent;scheme=https;end`,
  '//evil.test/x',
  '\\\\evil.test\\share',
  '/relative',
  '#app',
  '?query',
  'https:',
  'https://',
  'http://[::1',
  'http:evil.test',
];

const entity = (text: string, write: (code: number) => string) => {
  const at = text.indexOf(':');
  return [...text.slice(0, at)].map((letter) => write(letter.charCodeAt(0))).join('') + text.slice(at);
};

/** Ways to hide a scheme from a check that compares letters. */
export const disguises: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => [...address].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter)).join(''),
  (address) => `${address.slice(0, 2)}\t${address.slice(2)}`,
  (address) => `${address.slice(0, 2)}&Tab;${address.slice(2)}`,
  (address) => `${address.slice(0, 2)}&NewLine;${address.slice(2)}`,
  (address) => `${address.slice(0, 2)}\0${address.slice(2)}`,
  (address) => `\u0001${address}`,
  (address) => `&#x1F;&#32;${address}`,
  (address) => entity(address, (code) => `&#${code};`),
  (address) => entity(address, (code) => `&#x0000${code.toString(16)};`),
  (address) => entity(address, (code) => `&#${code}`),
  (address) => entity(address, (code) => `%${code.toString(16)}`),
  (address) => entity(address, (code) => String.fromCharCode(code + 0xfee0)),
  (address) => address.replace(':', '&colon;'),
  (address) => address.replace(':', '%3A'),
  (address) => address.replace(':', '\uFF1A'),
  (address) => `\\${address}`,
  (address) => `${address.slice(0, 1)}\u200B${address.slice(1)}`,
  (address) => `\u202E${address}`,
  (address) => `\uFEFF${address}`,
];

/** Places where Markdown accepts an address. */
export const addressPlaces: readonly ((address: string) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a](<${address}> "title")`,
  (address) => `[a][b]\n\n[b]: ${address}`,
  (address) => `<${address}>`,
  (address) => `![a](${address})`,
  (address) => `[![a](${address})](${address})`,
  (address) => `text ${address} text`,
  (address) => `![a][b]\n\n[b]: <${address}> 'title'`,
  (address) => `<a href="${address}">a</a>`,
  (address) => `| [a](${address}) |\n|---|\n| <${address}> |`,
];

export const hosts: readonly string[] = [
  'https://аpple.com/',
  'https://xn--pple-43d.com/',
  'https://gооgle.com/',
  'https://evil.test\u2044github.com/',
  'https://github.com@evil.test/',
  'https://github.com%2F@evil.test/',
  'https://github.com:443@evil.test:8443/',
  'https:evil.test',
  'https:\\\\evil.test\\x',
  'https:///evil.test',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127.0.0.1\u3002x/',
  'http://①②⑦.⓪.⓪.①/',
  'https://evil。test/',
  'https://ⓔⓥⓘⓛ.test/',
  'https://evil.test\u00AD.com/',
  'https://EVIL.test:443/%2e%2e/',
  'mailto:a@evil.test?cc=b@evil.test&body=x%0D%0Ay',
  'mailto:"<script>"@evil.test',
  'https://evil.test/?q=\\"><script>',
  'https://evil.test/#\u202Egnp',
].flatMap((host) => [`[a](${host})`, `<${host}>`, `see ${host} now`]);

export const lengths: readonly string[] = [
  `[a](${evil}/${'x'.repeat(8_100)})`,
  `[a](${evil}/${'x'.repeat(9_000)})`,
  `[a](${evil}/${'%'.repeat(5_000)})`,
  `[${'a'.repeat(5_000)}](${evil}/)`,
  `[a](${evil}/ "${'t'.repeat(5_000)}")`,
  `<${evil}/${'y'.repeat(9_000)}>`,
  `\`\`\`${'l'.repeat(5_000)} ${'f'.repeat(5_000)}\ncode\n\`\`\``,
  `[a]: ${evil}/${'z'.repeat(9_000)}\n\n[a]`,
  `https://${'a.'.repeat(200)}test/`,
  `[a](javascript:${' '.repeat(3_000)}${run})`,
];
