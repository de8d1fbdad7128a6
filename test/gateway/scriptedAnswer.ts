import type { CatalogueModel } from './catalogue.ts';

/** One message with its text parts joined. */
export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/** The answer of a scripted model: its reasoning (often empty) and its text, both Markdown, and the tools it calls. */
export interface ScriptedAnswer {
  readonly reasoning: string;
  readonly text: string;
  /** The arguments are JSON text. */
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
}

const fencedCode = /^ {0,3}(`{3,}|~{3,})(.*)\n([\s\S]*?)^ {0,3}\1.*$/gm;

/** Writes the answer to a request. The same request always gets the same answer. */
export function scriptedAnswer(
  model: CatalogueModel,
  messages: readonly ChatMessage[],
  tools: readonly string[],
): ScriptedAnswer {
  const question = messages.findLast((message) => message.role === 'user')?.text ?? '';
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    return {
      reasoning: '',
      text: `The tool answered a script on this machine:\n\n${quote(last.text)}\n`,
      toolCalls: [],
    };
  }
  const toolCalls = calledTools(question, tools);
  if (toolCalls.length > 0) {
    return { reasoning: '', text: '', toolCalls };
  }
  const blocks = [...question.matchAll(fencedCode)];
  const [, fence, info = '', code = ''] = blocks[0] ?? [];
  const edited = editedCode(question.split(fencedCode)[0] ?? '', fence, info, code);
  if (edited !== undefined) {
    return { reasoning: '', text: edited, toolCalls: [] };
  }
  const sections = model.id.endsWith('-long') ? 580 : model.id.endsWith('-slow') ? 3 : 0;
  const parts = [
    `I am **${model.title}** as the local gateway plays it: a script on this machine, no real model.`,
    ...(fence === undefined ? aboutQuestion(question, messages) : aboutCode(fence, info.trim(), code)),
    ...(fence === undefined ? [] : [`Asked, without the code:\n\n${quote(question.replaceAll(fencedCode, ''))}`]),
    ...Array.from({ length: sections }, (_, index) => padding(index + 1)),
  ];
  const reasoning = `The question has ${countWords(question)} words and ${blocks.length} code blocks. I am a script, so I count instead of thinking.`;
  return {
    reasoning: /reasoner|thinking/.test(model.id) ? reasoning : '',
    text: `${parts.join('\n\n')}\n`,
    toolCalls: [],
  };
}

/**
 * The answer to a question that asks for one code block alone: the code after a comment with the first line of the
 * question; for a new file, after its path.
 */
function editedCode(words: string, fence: string | undefined, info: string, code: string): string | undefined {
  if (fence === undefined || !/with one code block|只用一个代码块/.test(words)) {
    return undefined;
  }
  const sign = /^(?:python|ruby|yaml|shellscript)/.test(info.trim()) ? '#' : '//';
  const indent = /^[ \t]*/.exec(code)?.[0] ?? '';
  const path = /(?:such as|例如) (\S+\.\w+)[.。]/.exec(words)?.[1];
  const lines = [...(path === undefined ? [] : [`${sign} ${path}`]), `${indent}${sign} ${words.trim().split('\n')[0]}`];
  return `${fence}${info}\n${lines.join('\n')}\n${code}${fence}\n`;
}

/** Calls every offered tool that the question names as a word. JSON in braces right after the name is its arguments. */
function calledTools(question: string, tools: readonly string[]): ScriptedAnswer['toolCalls'] {
  return tools.flatMap((name) => {
    const match = new RegExp(`(?<![\\w-])${name.replace(/\W/g, '\\$&')}(?![\\w-])\\s*(\\{[^{}]*\\})?`).exec(question);
    return match === null ? [] : [{ name, arguments: match[1] ?? '{}' }];
  });
}

function aboutCode(fence: string, language: string, code: string): string[] {
  const lines = code.split('\n').slice(0, -1);
  const rest = lines.length > 12 ? [`…and ${lines.length - 12} more lines.`] : [];
  return [
    '## The code you sent',
    `It is \`${language || 'plain text'}\`, ${plural(lines.length, 'line')}, ${code.length} characters.`,
    `It begins so:\n\n${fence}${language}\n${lines.slice(0, 12).join('\n')}\n${fence}`,
    ...rest,
  ];
}

function aboutQuestion(question: string, messages: readonly ChatMessage[]): string[] {
  return [
    '## Your question',
    quote(question),
    `It has ${plural(countWords(question), 'word')}. ${plural(messages.length - 1, 'earlier message')} came with it.`,
    'Send code in a fence, and the answer shows:\n\n- its language\n- the number of its lines and characters\n- how it begins',
    'For example:\n\n```ts\nexport const answer = 42;\n```',
    `| What | Count |\n| --- | ---: |\n| Words | ${countWords(question)} |\n| Messages | ${messages.length} |`,
  ];
}

/** Filler for long replies: a numbered section with prose and code, about 800 characters. */
function padding(number: number): string {
  const prose = `Section ${number} is filler, so that the reply is long enough to scroll, to stop and to cut. `.repeat(
    6,
  );
  const code = `\`\`\`ts\nexport function section${number}(value: number): number {\n  return value + ${number};\n}\n\`\`\``;
  return `### Section ${number}\n\n${prose.trim()}\n\n${code}\n\n- point one of section ${number}\n- point two of section ${number}`;
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

/** Splits a text into pieces of one to three words. Joined, the pieces are exactly the text, including white space. */
export function pieces(text: string): string[] {
  const words = text.match(/\s*\S+|\s+$/g) ?? [];
  const cut: string[] = [];
  for (let at = 0, turn = 0; at < words.length; turn += 1) {
    const size = 1 + ((turn * 7 + 3) % 3);
    cut.push(words.slice(at, at + size).join(''));
    at += size;
  }
  return cut;
}
