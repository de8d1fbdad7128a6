import { addressPlaces, disguises, hosts, lengths, schemes } from './hostileAddresses.ts';
import { clobbering, encodings, events, loaders, mutations, ownScripts, spellings, styles } from './hostileMarkup.ts';
import { hostileTexts } from './hostileText.ts';

/**
 * What a hostile model or gateway could write to make the panel run, load or open something, generated family by family.
 * Whatever runs would set `window.pwned`; whatever loads would ask for an address at `evil.test`.
 */

const run = 'window.pwned=1';
const evil = 'https://evil.test';

/** Every combination of two lists. */
const cross = <A, B>(
  first: readonly A[],
  second: readonly B[],
  join: (a: A, b: B, index: number) => string,
): string[] => first.flatMap((a, row) => second.map((b, column) => join(a, b, row * second.length + column)));

const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupSetter__',
  'isPrototypeOf',
  'toLocaleString',
  'then',
  'length',
  'undefined',
  'null',
  'NaN',
];

const namePlaces: readonly ((name: string) => string)[] = [
  (name) => `\`\`\`${name}\ncode\n\`\`\``,
  (name) => `~~~${name} ${name}.${name}\ncode\n~~~`,
  (name) => `[${name}] and [x][${name}]`,
  (name) => `[${name}]: ${evil}/${name} "${name}"\n\n[${name}] ![${name}]`,
  (name) => `Note[^${name}]\n\n[^${name}]: footnote`,
  (name) => `# ${name}\n\n- [${name}] ${name}`,
  (name) => `{"${name}": {"polluted": true}} {{${name}}} \${${name}}`,
  (name) => `&${name}; [a](${name}:${name}) <${name}:x>`,
];

const unseen = [
  '\u202A',
  '\u202B',
  '\u202C',
  '\u202D',
  '\u202E',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200E',
  '\u200F',
  '\u061C',
  '\u200B',
  '\u200C',
  '\u200D',
  '\u2060',
  '\uFEFF',
  '\u00AD',
  '\u034F',
  '\u180E',
  '\u2028',
  '\u2029',
  '\u0085',
  '\uFFF9',
  '\u{E0041}',
];

const unseenPlaces: readonly ((letter: string) => string)[] = [
  (letter) => `[pay${letter}pal.com](${evil}/${letter}x)`,
  (letter) => `\`\`\`ts src/${letter}gnp.exe\ncode${letter}\n\`\`\``,
  (letter) => `${evil}/${letter}moc.elgoog//:sptth`,
  (letter) => `**${letter}a${letter}** \`if (${letter}admin) {\` ${letter}<img src=x onerror=${run}>`,
];

const brokenText: readonly string[] = [
  '\uD800',
  '\uDC00',
  '\uDC00\uD800',
  'a\uD83Db',
  '\0',
  '\uFFFE',
  '\uFFFF',
  '\u{10FFFF}',
  '\u0000<\u0000script>',
  '\x1B]8;;https://evil.test\x07x\x1B]8;;\x07',
  '\x7F\x80\x9F',
  '\r\n\0\r',
  '\u{1F468}\u200D\u{1F469}\u200D',
  'a\u0301'.repeat(200),
  'Z\u0300\u0301\u0302\u0303\u0304'.repeat(40),
  '\uFDFD'.repeat(50),
].flatMap((text) => [`${text} **${text}**`, `[${text}](${evil}/${text})`, `\`\`\`${text}\n${text}\n\`\`\``]);

/** What Markdown puts around a text. */
const frames: readonly ((text: string) => string)[] = [
  (text) => `# ${text}`,
  (text) => `- ${text}\n  - ${text}`,
  (text) => `> ${text}`,
  (text) => `| ${text} |\n|---|\n| ${text} |`,
  (text) => `[${text}](${evil}/)`,
  (text) => `![${text}](${evil}/i.png "${text}")`,
  (text) => `**${text}** *${text}* ~~${text}~~`,
  (text) => `\`${text}\``,
  (text) => `\`\`\`html ${text}\n${text}\n\`\`\``,
  (text) => `[a]: ${evil}/ "${text}"\n\n[a] [b](${evil}/ '${text}')`,
  (text) => `- [x] ${text}`,
  (text) => `    ${text}`,
];

const framed = (texts: readonly string[]) =>
  texts.flatMap((text, index) => [text, frames[index % frames.length]?.(text) ?? '']);

const families: Readonly<Record<string, readonly string[]>> = {
  'event handlers': cross(events, spellings, ([element, event], spell) => spell(element, event)),
  'event handlers in Markdown': cross(events, frames, ([element, event], frame) =>
    frame(`<${element} ${event}=${run}>`),
  ),
  scripts: framed(ownScripts),
  'disguised schemes': cross(
    schemes,
    disguises,
    (scheme, disguise, index) => addressPlaces[index % addressPlaces.length]?.(disguise(scheme)) ?? '',
  ),
  'schemes everywhere': cross(schemes, addressPlaces, (scheme, place) => place(scheme)),
  loaders: framed(loaders),
  mutations: framed(mutations),
  clobbering,
  'prototype names': cross(prototypeNames, namePlaces, (name, place) => place(name)),
  styles: framed(styles),
  'unseen letters': cross(unseen, unseenPlaces, (letter, place) => place(letter)),
  hosts,
  'broken text': brokenText,
  lengths,
  encodings: framed(encodings),
  mixed: hostileTexts,
};

/** Distinct payloads by family. */
export const hostilePayloads: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(families).map(([family, texts]) => [family, [...new Set(texts)]]),
);
