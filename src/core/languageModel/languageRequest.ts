import { isRecord } from '../base/loose.ts';
import type { ChatRequest } from '../client/chatRequest.ts';
import type { LanguageMessage } from './languageMessage.ts';
import { readModelOptions } from './modelOptions.ts';
import type { CallFacts } from './toolCallMemory.ts';
import { wireMessages } from './wireMessages.ts';

/** A tool as other extensions offer it. */
type OfferedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
};

export type LanguageRequest = {
  /** Exact id. */
  readonly model: string;
  readonly messages: readonly LanguageMessage[];
  readonly tools: readonly OfferedTool[];
  /** One of the tools has to be called. */
  readonly isToolRequired: boolean;
  /** As the caller gave them, of any shape. */
  readonly modelOptions: unknown;
};

/** What goes over the wire for a request of another extension, or why nothing does. */
export function chatRequestOf(
  { model, messages, tools, isToolRequired, modelOptions }: LanguageRequest,
  factsOf: (id: string) => CallFacts | undefined,
): { readonly ok: true; readonly request: ChatRequest } | { readonly ok: false; readonly reason: string } {
  const read = readModelOptions(modelOptions);
  if (!read.ok) {
    return read;
  }
  const wire = wireMessages(messages, factsOf);
  if (wire.length === 0) {
    return { ok: false, reason: 'The request holds no text, so nothing was sent.' };
  }
  const { parallel_tool_calls, ...options } = read.options;
  const hasTools = tools.length > 0;
  return {
    ok: true,
    request: {
      model,
      messages: wire,
      options: {
        ...options,
        // It means nothing without tools, and some gateways reject it then.
        ...(hasTools && parallel_tool_calls !== undefined && { parallel_tool_calls }),
      },
      ...(hasTools && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function' as const,
          function: { name, description, parameters: isRecord(inputSchema) ? inputSchema : noParameters },
        })),
        tool_choice: isToolRequired ? ('required' as const) : ('auto' as const),
      }),
    },
  };
}

/** Some gateways want a schema even where there is nothing to fill in. */
const noParameters = { type: 'object', properties: {} };
