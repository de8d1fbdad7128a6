/** Names found in code. They show that the scripted answer is about the code that was sent. */
export interface CodeOutline {
  readonly lines: number;
  readonly functions: readonly string[];
  readonly types: readonly string[];
  readonly values: readonly string[];
  readonly imports: readonly string[];
}

const name = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';

const patterns = {
  functions: [
    `\\b(?:function\\*?|def|func|fn|fun|sub)\\s+${name}`,
    `\\b(?:const|let|var)\\s+${name}\\s*=\\s*(?:async\\s*)?(?:\\([^)]*\\)|${name})\\s*=>`,
  ],
  types: [`\\b(?:class|interface|struct|enum|trait|type|record)\\s+${name}`],
  values: [`\\b(?:const|let|var|val|static)\\s+(?:mut\\s+)?${name}`],
  imports: [
    '\\bfrom\\s+[\'"]([^\'"]+)[\'"]',
    '\\brequire\\(\\s*[\'"]([^\'"]+)[\'"]',
    '^\\s*import\\s+[\'"]([^\'"]+)[\'"]',
    '^\\s*(?:import|use|using)\\s+([\\w.:]+)(?:\\s+as\\s+\\w+)?\\s*;?\\s*$',
    '^\\s*from\\s+([\\w.]+)\\s+import\\b',
    '^\\s*#include\\s+[<"]([^>"]+)[>"]',
  ],
} as const;

function namesIn(code: string, sources: readonly string[]): string[] {
  const names = new Set<string>();
  for (const source of sources) {
    for (const match of code.matchAll(new RegExp(source, 'gmu'))) {
      if (match[1] !== undefined) {
        names.add(match[1]);
      }
    }
  }
  return [...names];
}

/** Outlines code of any language with a few patterns. Each name occurs once, in order of appearance. */
export function outlineCode(code: string): CodeOutline {
  const imports = namesIn(code, patterns.imports).filter((found) => found !== 'type');
  const functions = namesIn(code, patterns.functions);
  const types = namesIn(code, patterns.types);
  return {
    lines: code === '' ? 0 : code.replace(/\n$/, '').split('\n').length,
    functions,
    types,
    values: namesIn(code, patterns.values).filter((value) => !functions.includes(value)),
    imports,
  };
}
