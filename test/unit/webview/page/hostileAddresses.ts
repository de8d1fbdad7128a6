/** Addresses that must never be opened, ways to disguise them, and the places where Markdown accepts an address. */

const run = 'window.pwned=1';
const evil = 'https://evil.test';

export const schemes: readonly string[] = [
  `javascript:${run}`,
  `data:text/html,<script>parent.pwned=1</script>`,
  'data:image/svg+xml,<svg/onload=parent.pwned=1>',
  'command:workbench.action.terminal.new',
  'vscode:extension/evil.evil',
  'vscode://evil.evil/run',
  'vscode-webview://evil/index.html',
  'file:///etc/passwd',
  'file://evil.test/share/x',
  `blob:${evil}/0f0f0f0f`,
  `view-source:${evil}/`,
  'about:srcdoc',
  'ftp://evil.test/x',
  '//evil.test/x',
  '\\\\evil.test\\share',
  '/relative',
  '#app',
  'https:',
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
  (address) => `${address.slice(0, 2)}&NewLine;${address.slice(2)}`,
  (address) => `${address.slice(0, 2)}\0${address.slice(2)}`,
  (address) => `\u0001${address}`,
  (address) => entity(address, (code) => `&#${code};`),
  (address) => entity(address, (code) => `&#x0000${code.toString(16)};`),
  (address) => entity(address, (code) => `%${code.toString(16)}`),
  (address) => entity(address, (code) => String.fromCharCode(code + 0xfee0)),
  (address) => address.replace(':', '&colon;'),
  (address) => address.replace(':', '\uFF1A'),
  (address) => `${address.slice(0, 1)}\u200B${address.slice(1)}`,
  (address) => `\u202E${address}`,
];

/** Places where Markdown accepts an address. */
export const addressPlaces: readonly ((address: string) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a][b]\n\n[b]: ${address}`,
  (address) => `<${address}>`,
  (address) => `![a](${address})`,
  (address) => `[![a](${address})](${address})`,
  (address) => `text ${address} text`,
  (address) => `<a href="${address}">a</a>`,
  (address) => `| [a](${address}) |\n|---|\n| <${address}> |`,
];

export const hosts: readonly string[] = [
  'https://аpple.com/',
  'https://evil.test\u2044github.com/',
  'https://github.com@evil.test/',
  'https://github.com%2F@evil.test/',
  'https:\\\\evil.test\\x',
  'https:///evil.test',
  'http://127.0.0.1\u3002x/',
  'https://evil。test/',
  'mailto:a@evil.test?cc=b@evil.test&body=x%0D%0Ay',
  'mailto:"<script>"@evil.test',
  'https://evil.test/#\u202Egnp',
].flatMap((host) => [`[a](${host})`, `<${host}>`, `see ${host} now`]);

export const lengths: readonly string[] = [
  `[a](${evil}/${'x'.repeat(9_000)})`,
  `[${'a'.repeat(5_000)}](${evil}/)`,
  `<${evil}/${'y'.repeat(9_000)}>`,
  `\`\`\`${'l'.repeat(5_000)} ${'f'.repeat(5_000)}\ncode\n\`\`\``,
  `[a]: ${evil}/${'z'.repeat(9_000)}\n\n[a]`,
  `[a](javascript:${' '.repeat(3_000)}${run})`,
];
