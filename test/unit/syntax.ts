import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** A node of a syntax tree, as ESTree describes it. */
export type Node = { readonly type: string; readonly start: number; readonly [field: string]: unknown };

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** A parsed file. */
export type Source = { readonly text: string; readonly program: unknown; readonly comments: readonly string[] };

/** Parses a TypeScript or JavaScript file; fails when there is a syntax error in it. */
export function parseFile(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  assert.deepEqual(errors, [], path);
  return { text, program, comments: comments.map(({ value }) => value) };
}

/** Calls `visitor` with every node and the nodes it is in, the outermost first. */
export function visit(
  value: unknown,
  visitor: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  if (Array.isArray(value)) {
    for (const each of value) {
      visit(each, visitor, parents);
    }
  } else if (isNode(value)) {
    visitor(value, parents);
    const inner = [...parents, value];
    for (const each of Object.values(value)) {
      visit(each, visitor, inner);
    }
  }
}
