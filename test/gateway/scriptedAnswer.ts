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

/** A phrase that every scripted text contains. */
const scriptNotice = 'a script on this machine, no real model';

/** Writes the answer to a request. The same request always gets the same answer. */
export function scriptedAnswer(
  model: CatalogueModel,
  messages: readonly ChatMessage[],
  tools: readonly string[],
): ScriptedAnswer {
  const question = messages.findLast((message) => message.role === 'user')?.text ?? '';
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    const text = `The tool answered ${scriptNotice}:\n\n${quote(last.text)}\n`;
    return { reasoning: '', text, toolCalls: [] };
  }
  const toolCalls = calledTools(question, tools);
  if (toolCalls.length > 0) {
    return { reasoning: '', text: '', toolCalls };
  }
  const blocks = findFencedCode(question);
  const [code] = blocks;
  const parts = [`I am **${model.title}** as the local gateway plays it: ${scriptNotice}.`];
  if (code === undefined) {
    parts.push(aboutQuestion(question, messages));
  } else {
    parts.push(aboutCode(code.language, code.code));
    if (blocks.length > 1) {
      parts.push(`The question holds ${blocks.length} code blocks; this answer is about the first.`);
    }
    parts.push(`Asked, without the code:\n\n${quote(withoutFences(question))}`);
  }
  parts.push(...padding(model.id.endsWith('-long') ? 580 : model.id.endsWith('-slow') ? 3 : 0));
  const reasoning = /reasoner|thinking/.test(model.id)
    ? `The question has ${countWords(question)} words and ${blocks.length} code blocks. I am a script, so I count instead of thinking.`
    : '';
  return { reasoning, text: `${parts.join('\n\n')}\n`, toolCalls: [] };
}

/** Calls every offered tool that the question names as a word. JSON in braces right after the name is its arguments. */
function calledTools(question: string, tools: readonly string[]): ScriptedAnswer['toolCalls'] {
  return tools.flatMap((name) => {
    const match = new RegExp(`(?<![\\w-])${name.replace(/\W/g, '\\$&')}(?![\\w-])\\s*(\\{[^{}]*\\})?`).exec(question);
    return match === null ? [] : [{ name, arguments: match[1] ?? '{}' }];
  });
}

const name = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';

/** Patterns for the names in code of any language. They show that the answer is about the code that was sent. */
const patterns = {
  Functions: [
    `\\b(?:function\\*?|def|func|fn|fun|sub)\\s+${name}`,
    `\\b(?:const|let|var)\\s+${name}\\s*=\\s*(?:async\\s*)?(?:\\([^)]*\\)|${name})\\s*=>`,
  ],
  Types: [`\\b(?:class|interface|struct|enum|trait|type|record)\\s+${name}`],
  Values: [`\\b(?:const|let|var|val|static)\\s+(?:mut\\s+)?${name}`],
  Imports: [
    '\\bfrom\\s+[\'"]([^\'"]+)[\'"]',
    '\\brequire\\(\\s*[\'"]([^\'"]+)[\'"]',
    '^\\s*import\\s+[\'"]([^\'"]+)[\'"]',
    '^\\s*(?:import|use|using)\\s+([\\w.:]+)(?:\\s+as\\s+\\w+)?\\s*;?\\s*$',
    '^\\s*from\\s+([\\w.]+)\\s+import\\b',
    '^\\s*#include\\s+[<"]([^>"]+)[>"]',
  ],
};

function namesIn(code: string, sources: readonly string[]): string[] {
  const found = sources.flatMap((source) => [...code.matchAll(new RegExp(source, 'gmu'))].map((match) => match[1]));
  return [...new Set(found)].filter((each) => each !== undefined);
}

function aboutCode(language: string, code: string): string {
  const functions = namesIn(code, patterns.Functions);
  const found = Object.entries(patterns).map(([kind, sources]) => ({
    kind,
    names: namesIn(code, sources).filter((each) =>
      kind === 'Values' ? !functions.includes(each) : kind !== 'Imports' || each !== 'type',
    ),
  }));
  const lines = code.split('\n');
  const excerpt = lines.slice(0, 12).join('\n');
  const fence = fenceFor(excerpt);
  const rest = lines.length > 12 ? `\n\n…and ${lines.length - 12} more lines.` : '';
  const count = code === '' ? 0 : code.replace(/\n$/, '').split('\n').length;
  return [
    '## The code you sent',
    `It is ${inlineCode(language || 'plain text')}, ${plural(count, 'line')}, ${code.length} characters.`,
    found.map(({ kind, names }) => `- ${kind}: ${listed(names)}`).join('\n'),
    `It begins so:\n\n${fence}${language.replaceAll('`', '')}\n${excerpt}\n${fence}${rest}`,
    ['| Found | Count |', '| --- | ---: |', ...found.map(({ kind, names }) => `| ${kind} | ${names.length} |`)].join(
      '\n',
    ),
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
function padding(sections: number): string[] {
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

/** Finds fenced code blocks as in CommonMark: a closing fence is at least as long as the opening one. */
function findFencedCode(markdown: string): { language: string; code: string }[] {
  const found: { language: string; code: string }[] = [];
  let open: { mark: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const mark = fence?.[1] ?? '';
    const info = fence?.[2]?.trim() ?? '';
    if (open === undefined) {
      if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) {
        open = { mark, language: info.split(/\s+/)[0] ?? '', lines: [] };
      }
    } else if (mark.startsWith(open.mark) && info === '') {
      found.push({ language: open.language, code: open.lines.join('\n') });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== undefined) {
    found.push({ language: open.language, code: open.lines.join('\n') });
  }
  return found;
}

/** Returns a fence for this code, longer than any run of backticks in it. */
function fenceFor(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
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
