import * as l10n from '@vscode/l10n';
import { isRecord } from '../base/loose.ts';
import type { ChatRequest } from '../client/chatRequest.ts';
import type { LanguageMessage } from './languageMessage.ts';
import { readModelOptions } from './modelOptions.ts';
import type { CallFacts } from './toolCallMemory.ts';
import { wireMessages } from './wireMessages.ts';

/** A tool that another extension offers to the model. */
type OfferedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
};

export type LanguageRequest = {
  /** Exact id. */
  readonly model: string;
  readonly messages: readonly LanguageMessage[];
  readonly tools: readonly OfferedTool[];
  /** Whether the model must call one of the tools. */
  readonly isToolRequired: boolean;
  /** As the caller gave them, of any shape. */
  readonly modelOptions: unknown;
};

/** Makes the chat request for a request of another extension. @returns the request, or why it can't be sent. */
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
    return { ok: false, reason: l10n.t('The request contains no text, so nothing was sent.') };
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
        // Without tools it means nothing, and some gateways reject it.
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

/** Some gateways require a schema even for a tool without parameters. */
const noParameters = { type: 'object', properties: {} };
