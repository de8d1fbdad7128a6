/** VS Code's language ids for names that are common in code fences but differ from the id. */
const ids: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  batch: 'bat',
  'c#': 'csharp',
  'c++': 'cpp',
  cc: 'cpp',
  cjs: 'javascript',
  clj: 'clojure',
  cmd: 'bat',
  coffee: 'coffeescript',
  console: 'shellscript',
  cs: 'csharp',
  cts: 'typescript',
  cxx: 'cpp',
  docker: 'dockerfile',
  'f#': 'fsharp',
  fs: 'fsharp',
  golang: 'go',
  gql: 'graphql',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  htm: 'html',
  js: 'javascript',
  jsx: 'javascriptreact',
  ksh: 'shellscript',
  kt: 'kotlin',
  kts: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  mk: 'makefile',
  mts: 'typescript',
  node: 'javascript',
  objc: 'objective-c',
  objectivec: 'objective-c',
  patch: 'diff',
  pl: 'perl',
  ps: 'powershell',
  ps1: 'powershell',
  pwsh: 'powershell',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  svg: 'xml',
  tex: 'latex',
  ts: 'typescript',
  tsx: 'typescriptreact',
  vbnet: 'vb',
  yml: 'yaml',
  zsh: 'shellscript',
};

/**
 * VS Code's language id for the name in a code fence.
 *
 * @param known the ids VS Code has.
 * @returns `plaintext` when VS Code doesn't have the language.
 */
export function fenceLanguage(name: string, known: readonly string[]): string {
  const word = name.trim().toLowerCase();
  const id = Object.hasOwn(ids, word) ? ids[word] : word;
  return known.find((each) => each.toLowerCase() === id) ?? 'plaintext';
}
