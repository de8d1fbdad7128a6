import * as z from 'zod';
import { Refusal } from '../refusal.ts';
import { toolOrderProblem } from './toolOrder.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().regex(/^(?:https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=]+$)/) }),
});

const chatBody = z.looseObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        // Null in an assistant message that only calls tools.
        content: z.union([z.string(), z.array(z.union([textPart, imagePart])), z.null()]).optional(),
        tool_calls: z.array(z.looseObject({ id: z.string().optional() })).nullish(),
        tool_call_id: z.string().nullish(),
      }),
    )
    .min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
});

/** One message with its text parts joined. */
export interface ChatMessage {
  readonly role: string;
  readonly text: string;
}

/** A valid chat request. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly isStream: boolean;
  readonly includeUsage: boolean;
  /** The limit of completion tokens; `undefined` when the request sets none. */
  readonly maxTokens: number | undefined;
  /** The names of the tools that the request offers. */
  readonly tools: readonly string[];
}

/** Reads the body of a chat request; throws a Refusal that names the first invalid field. */
export function parseChatRequest(text: string): ChatRequest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_json', 'The request body is not valid JSON.');
  }
  const parsed = chatBody.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const param = issue === undefined || issue.path.length === 0 ? null : fieldName(issue.path);
    const what = param === null ? 'The request body must be a JSON object' : `Invalid value for '${param}'`;
    throw new Refusal(400, 'invalid_value', `${what}: ${issue?.message ?? 'unusable'}.`, param);
  }
  const body = parsed.data;
  const problem = toolOrderProblem(body.messages);
  if (problem !== undefined) {
    throw new Refusal(400, 'invalid_value', problem, 'messages');
  }
  return {
    model: body.model,
    messages: body.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
    isStream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    tools: (body.tools ?? []).map((tool) => tool.function.name),
  };
}

function textOf(content: string | readonly object[] | null | undefined): string {
  return typeof content === 'string'
    ? content
    : (content ?? []).map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('');
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, step) => {
    const field = typeof step === 'number' ? `[${step}]` : `.${String(step)}`;
    return name === '' ? String(step) : name + field;
  }, '');
}
