/** The fields of a message that matter for the order of tool calls and results. */
interface OrderedMessage {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id?: string | undefined }[] | null;
  readonly tool_call_id?: string | null;
}

/**
 * Finds what OpenAI refuses: a tool call without its result right after it, and a result without its call before it.
 * Messages without ids are accepted, as small servers do.
 *
 * @returns what is wrong, in a sentence; undefined when nothing is wrong.
 */
export function toolOrderProblem(messages: readonly OrderedMessage[]): string | undefined {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (typeof tool_call_id === 'string') {
        if (!known.has(tool_call_id)) {
          return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${tool_call_id}`;
        }
        open.delete(tool_call_id);
      }
      continue;
    }
    if (open.size > 0) {
      break;
    }
    known = new Set((tool_calls ?? []).flatMap(({ id }) => (id === undefined ? [] : [id])));
    open = new Set(known);
  }
  return open.size === 0
    ? undefined
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(', ')}`;
}
