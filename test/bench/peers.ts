/**
 * The clients we compare with, as far as they are used here. They are not installed where only types are checked, so
 * their shapes are written down: the one place that says what a package of theirs exports.
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

export const openai = () => peers('openai') as OpenAIModule;
export const eventSourceParser = () => peers('eventsource-parser') as EventSourceParserModule;
export const openaiCompatible = () => peers('@ai-sdk/openai-compatible') as CompatibleModule;
export const ai = () => peers('ai') as AiModule;
