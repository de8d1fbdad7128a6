/**
 * The name of each highlighted language, which is shown as it is in every language, and the words that models and people
 * use for it in a fence.
 */
const wordsOf: Readonly<Record<string, string>> = {
  Bash: 'bash sh zsh',
  C: 'c h',
  'C++': 'cpp cc c++ h++ hpp hh hxx cxx',
  'C#': 'csharp cs c#',
  CSS: 'css',
  Dart: 'dart',
  Diff: 'diff patch',
  Dockerfile: 'dockerfile docker',
  Go: 'go golang',
  GraphQL: 'graphql gql',
  INI: 'ini',
  Java: 'java jsp',
  JavaScript: 'javascript js jsx mjs cjs',
  JSON: 'json jsonc json5',
  Kotlin: 'kotlin kt kts ktm ktx',
  Less: 'less',
  Lua: 'lua pluto',
  Makefile: 'makefile mk mak make',
  Markdown: 'markdown md mkdown mkd',
  'Objective-C': 'objectivec mm objc obj-c obj-c++ objective-c objective-c++',
  Perl: 'perl pl pm',
  PHP: 'php',
  PowerShell: 'powershell pwsh ps ps1',
  Python: 'python py gyp ipython',
  R: 'r',
  Ruby: 'ruby rb gemspec podspec thor irb',
  Rust: 'rust rs',
  SCSS: 'scss',
  Shell: 'shell console shellsession',
  SQL: 'sql',
  Swift: 'swift',
  TOML: 'toml',
  TypeScript: 'typescript ts tsx mts cts',
  'VB.NET': 'vbnet vb',
  Vue: 'vue',
  WebAssembly: 'wasm',
  XML: 'xml rss atom xjb xsd xsl plist wsf',
  HTML: 'html',
  XHTML: 'xhtml',
  SVG: 'svg',
  YAML: 'yaml yml',
};

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(wordsOf).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** The name of a language, or undefined if it is not highlighted. */
export function languageName(word: string): string | undefined {
  return names.get(word.toLowerCase());
}

/** Every word that names a highlighted language. */
export const languageWords: readonly string[] = [...names.keys()];
