import type { CatalogueModel } from '../models/catalogue.ts';
import type { ChatMessage, ChatRequest } from './chatRequest.ts';
import { type CodeOutline, outlineCode } from './codeOutline.ts';
import { fenceFor, findFencedCode } from './fencedCode.ts';

/** A call of a tool that the request offers; the arguments are JSON text. */
interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** The answer of a scripted model: its reasoning (often empty) and its text, both Markdown, and the tools it calls. */
export interface ScriptedAnswer {
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

/** A phrase that every scripted text contains. */
export const scriptNotice = 'a script on this machine, no real model';

/** Writes the answer to a request. The same request always gets the same answer. */
export function scriptedAnswer(
  model: CatalogueModel,
  request: Pick<ChatRequest, 'messages'> & Partial<Pick<ChatRequest, 'tools'>>,
): ScriptedAnswer {
  const question = request.messages.findLast((message) => message.role === 'user')?.text ?? '';
  const last = request.messages.at(-1);
  if (last?.role === 'tool') {
    const text = `The tool answered ${scriptNotice}:\n\n${quote(last.text)}\n`;
    return { reasoning: '', text, toolCalls: [] };
  }
  const toolCalls = calledTools(question, request.tools ?? []);
  if (toolCalls.length > 0) {
    return { reasoning: '', text: '', toolCalls };
  }
  const blocks = findFencedCode(question);
  const code = blocks[0];
  const parts = [`I am **${model.title}** as the local gateway plays it: ${scriptNotice}.`];
  if (code === undefined) {
    parts.push(aboutQuestion(question, request.messages));
  } else {
    parts.push(aboutCode(code.language, code.code, outlineCode(code.code)));
    if (blocks.length > 1) {
      parts.push(`The question holds ${blocks.length} code blocks; this answer is about the first.`);
    }
    parts.push(`Asked, without the code:\n\n${quote(withoutFences(question))}`);
  }
  parts.push(...padding(model.traits.length));
  const reasoning = model.traits.isReasoning
    ? `The question has ${countWords(question)} words and ${blocks.length} code blocks. I am a script, so I count instead of thinking.`
    : '';
  return { reasoning, text: `${parts.join('\n\n')}\n`, toolCalls: [] };
}

/** Calls every offered tool that the question names as a word. JSON in braces right after the name is its arguments. */
function calledTools(question: string, tools: readonly string[]): ToolCall[] {
  return tools.flatMap((name) => {
    const match = new RegExp(`(?<![\\w-])${name.replace(/\W/g, '\\$&')}(?![\\w-])\\s*(\\{[^{}]*\\})?`).exec(question);
    return match === null ? [] : [{ name, arguments: match[1] ?? '{}' }];
  });
}

function aboutCode(language: string, code: string, outline: CodeOutline): string {
  const lines = code.split('\n');
  const excerpt = lines.slice(0, 12).join('\n');
  const fence = fenceFor(excerpt);
  const rest = lines.length > 12 ? `\n\n…and ${lines.length - 12} more lines.` : '';
  return [
    '## The code you sent',
    `It is ${inlineCode(language || 'plain text')}, ${plural(outline.lines, 'line')}, ${code.length} characters.`,
    [
      `- Functions: ${listed(outline.functions)}`,
      `- Types: ${listed(outline.types)}`,
      `- Values: ${listed(outline.values)}`,
      `- Imports: ${listed(outline.imports)}`,
    ].join('\n'),
    `It begins so:\n\n${fence}${language.replaceAll('`', '')}\n${excerpt}\n${fence}${rest}`,
    [
      '| Found | Count |',
      '| --- | ---: |',
      `| Functions | ${outline.functions.length} |`,
      `| Types | ${outline.types.length} |`,
      `| Values | ${outline.values.length} |`,
      `| Imports | ${outline.imports.length} |`,
    ].join('\n'),
  ].join('\n\n');
}

function aboutQuestion(question: string, messages: readonly ChatMessage[]): string {
  return [
    '## Your question',
    quote(question),
    `It has ${plural(countWords(question), 'word')}. ${plural(messages.length - 1, 'earlier message')} came with it.`,
    'Send code in a fence and the answer will name:\n\n- its language and its lines\n- its functions and types\n- its imports',
    'For example:\n\n```ts\nexport const answer = 42;\n```',
    `| What | Count |\n| --- | ---: |\n| Words | ${countWords(question)} |\n| Messages | ${messages.length} |`,
  ].join('\n\n');
}

/** Filler for long replies: numbered sections with prose and code, about 800 characters each. */
function padding(length: CatalogueModel['traits']['length']): string[] {
  const sections = length === 'huge' ? 580 : length === 'ample' ? 3 : 0;
  return Array.from({ length: sections }, (_, index) => {
    const number = index + 1;
    const prose =
      `Section ${number} is filler, so that the reply is long enough to scroll, to stop and to cut. `.repeat(6);
    return `### Section ${number}\n\n${prose.trim()}\n\n\`\`\`ts\nexport function section${number}(value: number): number {\n  return value + ${number};\n}\n\`\`\`\n\n- point one of section ${number}\n- point two of section ${number}`;
  });
}

function withoutFences(text: string): string {
  let rest = text;
  for (const { code } of findFencedCode(text)) {
    rest = rest.replace(code, '');
  }
  return rest.replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, '');
}

function quote(text: string): string {
  const short = text.trim().length > 600 ? `${text.trim().slice(0, 600)}…` : text.trim();
  return short === '' ? '> (no words)' : short.replace(/\n{2,}/g, '\n').replace(/^/gm, '> ');
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function inlineCode(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 8).map(inlineCode).join(', ');
  return names.length === 0 ? 'none' : names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
