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

/** Whether a call is `l10n.t(…)` or `vscode.l10n.t(…)`. */
export function isTranslation(node: Node): boolean {
  const { callee } = node;
  return (
    node.type === 'CallExpression' &&
    isNode(callee) &&
    callee.type === 'MemberExpression' &&
    isNode(callee.object) &&
    [callee.object, callee.object.property].some((each) => isNode(each) && each.name === 'l10n') &&
    isNode(callee.property) &&
    callee.property.name === 't'
  );
}

/** The value of a property of an object literal. */
function propertyOf(object: Node, name: string): unknown {
  const properties = object.type === 'ObjectExpression' ? (object.properties as Node[]) : [];
  return properties.find(({ key }) => isNode(key) && key.name === name)?.value;
}

/** The key of a translation: its English text, with the comment for translators if it has one; undefined if not literal. */
export function keyOf(call: Node): string | undefined {
  const [first] = call.arguments as Node[];
  const message = first?.type === 'ObjectExpression' ? propertyOf(first, 'message') : first;
  if (first === undefined || !isNode(message) || message.type !== 'Literal') {
    return undefined;
  }
  const comments = propertyOf(first, 'comment');
  const lines = isNode(comments) ? (comments.elements as Node[]).map(({ value }) => String(value)) : [];
  return [String(message.value), ...(lines.length > 0 ? [lines.join('')] : [])].join('/');
}
